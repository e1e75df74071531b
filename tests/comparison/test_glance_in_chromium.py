"""The page of a comparison in a real browser: nothing is cut off, and it follows the theme."""

import numpy as np
import pytest

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores

DARK, LIGHT = "rgb(22, 22, 22)", "rgb(255, 255, 255)"
NARROW, WIDE = 660, 1260  # what JupyterLab leaves of a window of 800 and of 1400 pixels


@pytest.fixture
def show(browser, tmp_path):
    def show(comparison, width=WIDE, scheme="light", body=""):
        page = tmp_path / "page.html"
        around = '<p id="other">Text</p><table id="its"><tr><td>a</td></tr></table>'
        page.write_text(
            f'<!DOCTYPE html><meta charset="utf-8"><body style="margin: 0" {body}>'
            f"{around}{comparison._repr_html_()}"
        )
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        feature = {"name": "prefers-color-scheme", "value": scheme}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        browser.get(page.as_uri())
        return lambda script: browser.execute_script(f"return {script}")

    return show


def comparison_of(n, **options):
    rng = np.random.default_rng(0)
    values = np.linspace(0.9, 0.6, n)[:, None] + rng.normal(0, 0.02, (n, 20))
    values[n // 2, 3] = np.nan  # failed
    params = [
        {"preprocessor__numeric__imputer__strategy": "median", "classifier__learning_rate": i / 7,
         "classifier__l2_regularization": i} for i in range(n)
    ]  # fmt: skip
    scores = SplitScores(values, SplitDesign([180] * 20, [20] * 20))
    return Comparison(scores, params=params, **options)


CASES = {"three": comparison_of(3), "many": comparison_of(200, labels="name=value")}
FRAGMENT = "document.querySelector('.ssc-glance')"


def style(of, what):
    return f"getComputedStyle({of}).getPropertyValue({what!r})"


@pytest.mark.parametrize("width", [NARROW, WIDE])
@pytest.mark.parametrize("name", CASES)
def test_nothing_is_cut_off(show, name, width):
    asked = show(CASES[name], width)
    page = "document.documentElement"
    assert asked(f"{page}.scrollWidth <= {page}.clientWidth")
    scroll = f"{FRAGMENT}.querySelector('.ssc-scroll')"
    assert asked(f"{scroll}.scrollWidth <= {scroll}.clientWidth")  # the bars are in view
    assert asked(f"{FRAGMENT}.querySelector('tbody svg').getBoundingClientRect().width") > 120


def test_parameters_and_the_leader_table_unfold(show):
    asked = show(CASES["three"])
    shown = style(f"{FRAGMENT}.querySelector('.ssc-params')", "display")
    assert asked(shown) == "none"
    asked(f"{FRAGMENT}.querySelector('label').click()")
    assert asked(shown) == "block"
    height = f"{FRAGMENT}.querySelector('details').getBoundingClientRect().height"
    before = asked(height)
    asked(f"{FRAGMENT}.querySelector('summary').click()")
    assert asked(height) > before + 40


@pytest.mark.parametrize(
    ("scheme", "body", "colour"),
    [
        ("light", "", LIGHT),
        ("dark", "", DARK),
        # What the page says goes before what the system says.
        ("dark", 'data-jp-theme-light="true"', LIGHT),
        ("light", 'data-jp-theme-light="false"', DARK),
        ("dark", 'data-theme="light"', LIGHT),
        ("light", 'class="vscode-dark"', DARK),
    ],
)
def test_light_and_dark(show, scheme, body, colour):
    asked = show(CASES["three"], scheme=scheme, body=body)
    assert asked(style(FRAGMENT, "background-color")) == colour
    text = asked(style(f"{FRAGMENT}.querySelector('.ssc-lead')", "color"))
    assert text == ("rgb(26, 26, 26)" if colour == LIGHT else "rgb(232, 232, 232)")
    # The page around it keeps its style.
    assert asked(style("document.getElementById('other')", "color")) == "rgb(0, 0, 0)"
    assert asked(style("document.body", "background-color")) == "rgba(0, 0, 0, 0)"
    assert asked(style("document.querySelector('#its td')", "border-bottom-width")) == "0px"
