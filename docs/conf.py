"""Sphinx's settings: `nox -s docs` builds the site into docs/_build/html."""

import os
import re
import sys
import textwrap
import tomllib
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import sklearn_stats_compare as package  # noqa: E402
from sklearn_stats_compare import displays, evaluation, reports, stats  # noqa: E402

project = "sklearn_stats_compare"
author = "The sklearn_stats_compare developers"
project_copyright = f"{author}, BSD-3-Clause"
version = release = package.__version__
PYPROJECT = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.doctest",
    "numpydoc",
    "matplotlib.sphinxext.plot_directive",
    "sphinx_gallery.gen_gallery",
    "sphinx_copybutton",
]
# Inventories of other sites come over the network. A build must pass without one, with -W, so it
# reads them only where it is asked to: on Read the Docs, or with INTERSPHINX=1.
if os.environ.get("READTHEDOCS") == "True" or os.environ.get("INTERSPHINX"):
    extensions.append("sphinx.ext.intersphinx")
    intersphinx_timeout = 20
    intersphinx_mapping = {
        "python": ("https://docs.python.org/3", None),
        "numpy": ("https://numpy.org/doc/stable", None),
        "scipy": ("https://docs.scipy.org/doc/scipy", None),
        "pandas": ("https://pandas.pydata.org/docs", None),
        "sklearn": ("https://scikit-learn.org/stable", None),
        "matplotlib": ("https://matplotlib.org/stable", None),
    }
templates_path = ["_templates"]
exclude_patterns = ["_build", "**.ipynb", "auto_examples/*.md5"]
html_theme = "furo"
html_title = f"sklearn_stats_compare {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "")
html_theme_options = {
    "light_css_variables": {"font-stack--monospace": "ui-monospace, Menlo, Consolas, monospace"},
}
if "OWNER" not in (SOURCE := PYPROJECT["project"]["urls"]["Source"]):  # else the links lead nowhere
    html_theme_options |= {
        "source_repository": SOURCE,
        "source_branch": "main",
        "source_directory": "docs/",
    }
html_show_sourcelink = False
# Both have at least 4.5:1 between every word and its background; Pygments' own "friendly" has 3.1:1
# for what a program prints.
pygments_style = "a11y-light"
pygments_dark_style = "a11y-dark"
# Copied are the lines with a prompt, without it, and not what they print.
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_selector = "div:not(.sphx-glr-script-out) > div.highlight > pre"
smartquotes = False  # option values are code, and so are their quotes
default_role = "py:obj"  # `compare` in a page is a link, checked; code has two backticks

# Every cross-reference must lead somewhere. Without inventories what other packages define cannot.
nitpicky = True
nitpick_ignore = [
    # What the docstrings of our searches say that they stand in for.
    ("py:class", "sklearn.model_selection.GridSearchCV"),
    ("py:class", "sklearn.model_selection.RandomizedSearchCV"),
    ("py:class", "sklearn.model_selection.HalvingGridSearchCV"),
]

autosummary_generate = True
autodoc_typehints = "none"  # numpydoc's Parameters say the types, in words
autodoc_member_order = "groupwise"
numpydoc_show_class_members = False  # the class template lists them
numpydoc_xref_param_type = False  # "array-like of shape (n,)" is prose

plot_include_source = True
plot_html_show_source_link = False
plot_html_show_formats = False
plot_formats = [("png", 120)]
plot_rcparams = {"figure.autolayout": False}

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "auto_examples",
    "filename_pattern": r"plot_",
    "within_subsection_order": "FileNameSortKey",  # their numbers are the order to read them
    "abort_on_example_error": True,
    "parallel": True,  # as many as Sphinx has processes
    "download_all_examples": False,
    "reset_modules": ("matplotlib",),
    "show_memory": False,
    "min_reported_time": 5,
    "remove_config_comments": True,
}

PUBLIC = {
    name: f"{folder.__name__}.{name}"
    for folder in (displays, evaluation, reports, stats, package)  # the shortest path goes last
    for name in folder.__all__
}


def missing_from_api():
    """Public names that docs/api.rst does not list."""
    listed = set(re.findall(r"^ {4}(\w+)$", (HERE / "api.rst").read_text(), re.MULTILINE))
    return sorted(set(PUBLIC) - listed)


def link_names(app, what, name, obj, options, lines):
    """Let `Name` in a docstring lead to its page; other words in backticks are code."""
    for i, line in enumerate(lines):
        lines[i] = re.sub(r"(?<![`:\w])`([^`<>]+)`(?![`_])", _linked, line)


def _linked(found):
    text = found[1]
    if text in PUBLIC:
        return f":py:obj:`~{PUBLIC[text]}`"
    return f"``{text}``"


MARKDOWN = {"changelog": "CHANGELOG.md", "contributing": "CONTRIBUTING.md"}


def read_markdown(app, docname, source):
    """Fill a page with a file whose Markdown is headings, lists, links, code and a table."""
    if docname not in MARKDOWN:
        return
    path = HERE.parent / MARKDOWN[docname]
    app.env.note_dependency(str(path))
    text = path.read_text().partition("\n")[2]
    text = re.sub(r"^```sh\n(.*?)^```$", _code_block, text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", text)
    text = re.sub(r"\[([^]]+)\]\(docs/(\S+)\.rst\)", r":doc:`\1 <\2>`", text)
    text = re.sub(r"\[([^]]+)\]\((\S+)\)", r"\1 (``\2``)", text)
    text = re.sub(r"^\|---.*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"(?<!\|\n)^(?=\| )", ".. list-table::\n   :header-rows: 1\n\n", text,
                  flags=re.MULTILINE)  # fmt: skip
    text = re.sub(r"^\| (.*?) \| (.*?) \|$", r"   * - \1\n     - \2", text, flags=re.MULTILINE)
    text = re.sub(r"^## (.*)$", lambda m: f"{m[1]}\n{'-' * len(m[1])}", text, flags=re.MULTILINE)
    source[0] += text


def _code_block(found):
    return ".. code-block:: sh\n\n" + textwrap.indent(found[1], "   ")


NAMES = re.compile(
    r'(<h1>.*?<a class="headerlink"'
    r'|<span class="sig-(?:pre)?name .*?</span></span>'
    r'|<span class="classifier">.*?</span>)'
)


def break_names(app, pagename, templatename, context, doctree):
    """Let long names break between their words where the page is narrow, not inside one."""
    pieces = NAMES.split(context.get("body", ""))
    for i in range(1, len(pieces), 2):
        pieces[i] = re.sub(r"(<[^>]*>)|(?<=[a-z][_.])|(?<=[a-z\d])(?=[A-Z])", _broken, pieces[i])
    context["body"] = "".join(pieces)


def _broken(found):
    return found[1] or "<wbr>"


def setup(app):
    """Check the API pages and connect what is above."""
    if missing_from_api():
        raise RuntimeError(f"docs/api.rst lacks {', '.join(missing_from_api())}.")
    # After numpydoc, which has priority 500 and writes the sections.
    app.connect("autodoc-process-docstring", link_names, priority=600)
    app.connect("source-read", read_markdown)
    app.connect("html-page-context", break_names)
