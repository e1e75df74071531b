"""The HTML report in a real browser: no error, sorting, legible when narrow."""

import numpy as np
import pytest
from cases import cases

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.reports import report

pytest.importorskip("selenium")
from selenium.webdriver.common.by import By

CASES = cases()
CASES["grid"] = Comparison(
    SplitScores(np.random.default_rng(0).random((12, 20)), SplitDesign([90] * 20, [10] * 20)),
    params=[{"clf__C": c, "clf__gamma": g} for c in (0.1, 1, 10) for g in (1e-4, 1e-2, 1, 100)],
)
CASES["metrics"] = {"accuracy": CASES["four"], "roc_auc": CASES["four"]}


NOTEBOOK = """<!DOCTYPE html><html><body data-jp-theme-light="%s"><main><h1>Mine</h1>
<table><tr><th>a</th><td>b</td></tr></table><figure>f</figure><svg class="better"><line/></svg>
<select></select></main><div id="first"></div><div id="second"></div></body></html>"""
# What JupyterLab does with the HTML of an output: its scripts are made anew, for a browser runs
# none of those that are set as text.
DISPLAYED = """
for (const id of ["first", "second"]) {
  const output = document.getElementById(id);
  output.innerHTML = arguments[0];
  for (const old of output.querySelectorAll("script")) {
    const script = document.createElement("script");
    script.textContent = old.textContent;
    old.replaceWith(script);
  }
}
"""
LOOK = """
return [document.documentElement, document.body, ...document.querySelectorAll("main:not([class]), \
main:not([class]) *")].map(element => {
  const style = getComputedStyle(element);
  // Not sizes: what is displayed below makes the page longer.
  return ["font", "color", "backgroundColor", "margin", "padding", "maxWidth", "borderCollapse",
    "borderBottom", "textAlign", "whiteSpace", "overflowWrap", "position", "fill", "stroke",
    "strokeWidth", "colorScheme"].map(name => name + style[name]).join();
});
"""


@pytest.mark.parametrize("light", ["true", "false"])
def test_a_notebook_keeps_its_own_look_and_two_reports_work_in_it(browser, tmp_path, light):
    notebook = tmp_path / "notebook.html"
    notebook.write_text(NOTEBOOK % light)
    browser.get(notebook.as_uri())
    before = browser.execute_script(LOOK)
    browser.execute_script(DISPLAYED, report(CASES["four"], "html"))
    assert browser.execute_script(LOOK) == before
    first, second = (browser.find_element(By.ID, name) for name in ("first", "second"))
    # The notebook's theme goes before the system's.
    colour = "rgba(255, 255, 255, 1)" if light == "true" else "rgba(22, 22, 22, 1)"
    page = first.find_element(By.CSS_SELECTOR, ".ssc-report")
    assert page.value_of_css_property("background-color") == colour
    second.find_elements(By.CSS_SELECTOR, "[data-table=leader] th button")[0].click()
    rows = second.find_elements(By.CSS_SELECTOR, "[data-table=leader] tbody td:first-child")
    assert [row.text for row in rows] == ["2_poly", "3_poly", "linear"]
    # The page's policy, which a browser ignores outside of a head and says so.
    assert all("Content Security Policy" in line["message"] for line in browser.get_log("browser"))


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Addresses of the reports, each written once."""
    folder = tmp_path_factory.mktemp("pages")
    for name, reported in CASES.items():
        (folder / f"{name}.html").write_text(report(reported, "html"))
    return {name: (folder / f"{name}.html").as_uri() for name in CASES}


@pytest.fixture
def show(browser, pages):
    def show(name, width=1400):
        browser.get(pages[name])
        resize(browser, width)
        return browser

    return show


def resize(browser, width):
    size = {"width": width, "height": 1200, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def column(browser, table, k):
    cells = browser.find_elements(By.CSS_SELECTOR, f"[data-table={table}] tbody td:nth-child({k})")
    return [cell.text for cell in cells]


def test_a_click_sorts_and_another_turns_it_around(show):
    browser = show("four")
    buttons = browser.find_elements(By.CSS_SELECTOR, "[data-table=leader] th button")
    buttons[1].click()  # difference
    ascending = column(browser, "leader", 2)
    assert ascending == ["0.0100", "0.0356", "0.2548"]
    assert browser.find_element(By.CSS_SELECTOR, "th[aria-sort=ascending]").text.startswith("diff")
    buttons[1].click()
    assert column(browser, "leader", 2) == ascending[::-1]
    buttons[0].click()  # by name
    assert column(browser, "leader", 1) == ["2_poly", "3_poly", "linear"]


def test_numbers_sort_as_numbers_and_missing_ones_stay_last(show):
    browser = show("failed")
    button = browser.find_elements(By.CSS_SELECTOR, "[data-table=ranking] th button")[2]
    for _ in range(2):
        button.click()
        assert column(browser, "ranking", 3)[-1] == "–"
    show("forty")
    button = browser.find_elements(By.CSS_SELECTOR, "[data-table=ranking] th button")[2]
    button.click()
    means = [float(text.replace("−", "-")) for text in column(browser, "ranking", 3)]
    assert means == sorted(means)


@pytest.mark.parametrize("name", CASES)
def test_the_page_opens_without_an_error_and_is_legible_at_any_width_and_on_paper(show, name):
    browser = show(name)
    assert browser.find_element(By.TAG_NAME, "h1").text
    assert browser.get_log("browser") == []
    for width in (1400, 400):
        assert_legible(browser, width)
    assert_whole_on_paper(browser)


def assert_legible(browser, width):
    resize(browser, width)
    # The page itself never scrolls sideways; wide tables do so in their own frames.
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    smallest = browser.execute_script(
        """
        let smallest = 100;
        for (const text of document.querySelectorAll("p, td, th, figcaption, svg text")) {
          let size = parseFloat(getComputedStyle(text).fontSize);
          const svg = text.closest("svg");
          if (svg) size *= svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
          if (text.getBoundingClientRect().width > 0) smallest = Math.min(smallest, size);
        }
        return smallest;
        """
    )
    assert smallest >= 9
    # No text of a picture is cut off at its edges.
    cut_off = browser.execute_script(
        """
        return [...document.querySelectorAll("svg text")].filter(text => {
          const box = text.getBoundingClientRect();
          const frame = text.closest("svg").getBoundingClientRect();
          return box.width && (box.left < frame.left - 1 || box.right > frame.right + 1);
        }).map(text => text.textContent);
        """
    )
    assert cut_off == []


def assert_whole_on_paper(browser):
    """Tables are whole, and nothing waits for a click."""
    resize(browser, 640)  # A4 with margins of 2 cm
    media = {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    try:
        found = browser.execute_script(
            """
            const all = selector => [...document.querySelectorAll(selector)];
            const style = (selector, name) =>
              all(selector).map(element => getComputedStyle(element)[name]);
            return {
              right: Math.max(0, ...all("table, svg").map(t => t.getBoundingClientRect().right)),
              boxes: [...style(".scroll, .picture", "overflowX"), ...style(".scroll", "maxHeight")],
              together: [...style("tr, figure, .scroll, .caption", "breakInside"),
                         ...style("h1, h2, h3, .caption", "breakAfter")],
              seen: all("input, label").filter(e => e.getClientRects().length).length,
              marks: all("th button").map(b => getComputedStyle(b, "::after").content),
              colour: getComputedStyle(document.querySelector(".ssc-report")).color,
            };
            """
        )
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    assert found["right"] <= 640
    assert set(found["boxes"]) == {"visible", "none"}
    assert set(found["together"]) == {"avoid"}
    assert found["seen"] == 0
    assert set(found["marks"]) == {"none"}
    assert found["colour"] == "rgb(26, 26, 26)"  # on white, in a dark theme too


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_follows_the_scheme(show, scheme):
    browser = show("four")
    feature = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", feature)
    colour = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert colour == {"light": "rgb(255, 255, 255)", "dark": "rgb(22, 22, 22)"}[scheme]
