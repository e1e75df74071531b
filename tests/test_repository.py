"""What the files of the repository repeat agrees: versions, floors, addresses, names of files."""

import re
import runpy
import sys
import tomllib
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

import sklearn_stats_compare

ROOT = Path(__file__).parents[1]
WORKFLOWS = ROOT / ".github" / "workflows"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
URLS = PROJECT["urls"]
PYTHONS = [
    found[1]
    for classifier in PROJECT["classifiers"]
    if (found := re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", classifier))
]
MADE = {"__pycache__", "_build", "api", "auto_examples", "build", "dist"}

pytestmark = pytest.mark.skipif(not WORKFLOWS.exists(), reason="an sdist has no workflows")


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def texts():
    """Path and text of the files that people wrote."""
    suffixes = {".cff", ".md", ".py", ".rst", ".toml", ".yaml", ".yml"}
    for top in sorted(ROOT.iterdir()):
        hidden = top.name.startswith(".") and top.name != ".github" and top.is_dir()
        if hidden or (top / "pyvenv.cfg").exists():
            continue  # environments and caches
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.suffix in suffixes and not MADE & set(path.relative_to(ROOT).parts):
                yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["CITATION.cff", "packaging/conda/recipe.yaml"])
def test_the_version_is_the_package_s(name):
    (version,) = re.findall(r'^ *version: "?(\d[^"\n]*)"?$', read(name), re.MULTILINE)
    assert version == sklearn_stats_compare.__version__


def test_every_classifier_has_its_jobs_and_other_pythons_may_fail():
    workflow = read(".github/workflows/tests.yml")
    (listed,) = re.findall(r"^ +python: \[(.*)\]$", workflow, re.MULTILINE)
    tried = re.findall(r"matrix\.python == '(.*?)'", workflow)
    assert sorted([*PYTHONS, *tried]) == sorted(re.findall(r'"(.*?)"', listed))


def test_the_lowest_python_is_the_same_everywhere():
    lowest = min(PYTHONS, key=lambda version: int(version.split(".")[1]))
    assert PROJECT["requires-python"] == f">={lowest}"
    assert PYPROJECT["tool"]["mypy"]["python_version"] == lowest
    assert f'python_min: "{lowest}"' in read("packaging/conda/recipe.yaml")
    assert f"     - {lowest} or newer" in read("docs/start/installation.rst")
    lowest_job = read(".github/workflows/tests.yml").split("\n  lowest:")[1]
    assert f'python-version: "{lowest}"' in lowest_job.split("\n\n")[0]


def test_the_matrix_of_nox_has_every_classifier():
    (listed,) = re.findall(r"@nox\.session\(python=\[(.*?)\]\)", read("noxfile.py"))
    assert re.findall(r'"(.*?)"', listed) == PYTHONS


@pytest.mark.parametrize("requirement", PROJECT["dependencies"])
def test_a_floor_is_the_same_everywhere(requirement):
    name, floor = requirement.split(">=")
    assert f"    - {name} >={floor}\n" in read("packaging/conda/recipe.yaml")
    assert f"     - {floor} or newer" in read("docs/start/installation.rst")


def test_the_owner_is_named_once():
    owner = re.fullmatch(r"https://github\.com/([\w-]+)/[\w-]+", URLS["Source"])[1]
    named = [path for path, text in texts() for _ in re.findall(rf"github\.com/{owner}\b", text)]
    assert named == ["pyproject.toml"]


def test_the_site_has_one_address():
    pattern = re.compile(r"https://[\w-]+\.readthedocs\.io")
    addresses = {found for _, text in texts() for found in pattern.findall(text)}
    assert {a for a in addresses if "stats" in a} == {URLS["Documentation"]}


def test_every_session_of_a_workflow_exists():
    sessions = set(re.findall(r"@nox\.session.*\n(?:@.*\n)*def (\w+)", read("noxfile.py")))
    for path in WORKFLOWS.glob("*.yml"):
        text = path.read_text(encoding="utf-8")
        named = re.findall(r"nox -s (\w+)", text)
        for listed in re.findall(r"^ +session: \[(.*)\]$", text, re.MULTILINE):
            named += listed.split(", ")
        assert set(named) <= sessions, path.name


class RecordingSession:
    """In the place of nox's: what is installed, and which paths pytest is given."""

    posargs = ()

    def __init__(self):
        self.installed, self.tested, self.ignored = [], [], []

    def install(self, *requirements):
        self.installed += requirements

    def run(self, command, *arguments, **_):
        if command == "pytest":
            self.tested.append([word for word in arguments if word.startswith("tests")])
            options = [word.partition("=") for word in arguments if word.startswith("--ignore=")]
            self.ignored += [value for *_, value in options]

    def __getattr__(self, name):
        return lambda *_, **__: nullcontext()

    def tests(self, path):
        return path not in self.ignored and any(
            not given or any(path.startswith(part) for part in given) for given in self.tested
        )

    def modules(self):
        """Top-level names of what it installs, without dependencies of dependencies."""
        names = {
            "scikit-optimize": "skopt", "sklearn-genetic-opt": "sklearn_genetic",
            "ipykernel": "IPython", "mlflow-skinny": "mlflow",
        }  # fmt: skip
        extras = PROJECT["optional-dependencies"]
        for requirement in self.installed:
            listed = extras[requirement[2:-1]] if requirement.startswith(".[") else [requirement]
            for name in (re.split("[><=]", one)[0] for one in listed):
                yield from {name.replace("-", "_"), names.get(name, name)}


def recorded_sessions(monkeypatch):
    """Each session of noxfile.py, run by a session that only writes down."""
    found = []

    def session(function=None, **_):
        return session if function is None else found.append(function) or function

    nox = SimpleNamespace(
        session=session, options=SimpleNamespace(), parametrize=lambda *_: lambda function: function
    )
    monkeypatch.setitem(sys.modules, "nox", nox)
    monkeypatch.chdir(ROOT)
    runpy.run_path("noxfile.py")
    for function in found:
        recording = RecordingSession()
        function(recording, *(["newest"] if function.__name__ == "matrix" else []))
        yield recording


def test_no_file_of_tests_is_skipped_in_every_session(monkeypatch):
    sessions = list(recorded_sessions(monkeypatch))
    skipped = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        name, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        optional = set(re.findall(r'importorskip\(\s*"(\w+)', text)) - sys.stdlib_module_names
        if not any(s.tests(name) and optional <= set(s.modules()) for s in sessions):
            skipped.append((name, optional))
    assert skipped == []


@pytest.mark.parametrize("path", sorted(WORKFLOWS.glob("*.yml")), ids=lambda path: path.stem)
def test_a_workflow_may_only_read_and_pins_what_it_uses(path):
    text = path.read_text(encoding="utf-8")
    assert "\npermissions:\n  contents: read\n" in text
    assert "\nconcurrency:\n" in text
    assert not re.search(r"write(?! #)", text)  # more is granted with a reason
    for used in re.findall(r"uses: (\S+)", text):
        assert used.startswith("./") or re.search(r"@(release/)?v\d+$", used), used


def test_pre_commit_has_the_ruff_of_the_lint_session():
    (requirement,) = PYPROJECT["dependency-groups"]["lint"]
    low, high = re.fullmatch(r"ruff>=0\.(\d+),<0\.(\d+)", requirement).groups()
    (minor,) = re.findall(r"rev: v0\.(\d+)\.\d+ # within", read(".pre-commit-config.yaml"))
    assert int(low) <= int(minor) < int(high)


def test_every_file_that_contributing_names_exists():
    named = set(re.findall(r"`([\w./-]+/[\w./-]+)`", read("CONTRIBUTING.md")))
    named = {name for name in named if not name.startswith("docs/_build")}
    assert len(named) > 10
    homes = (ROOT, ROOT / "sklearn_stats_compare")
    assert not [name for name in sorted(named) if not any((at / name).exists() for at in homes)]


@pytest.mark.parametrize(("page", "fewest"), [("CONTRIBUTING.md", 1), ("README.md", 6)])
def test_links_of_a_page_lead_to_files(page, fewest):
    links = re.findall(r"\]\(([^)#:]+)\)", read(page))
    assert len(links) >= fewest
    assert not [link for link in links if not (ROOT / link).exists()]


def test_all_links_of_the_readme_are_absolute_on_the_package_index(monkeypatch):
    pytest.importorskip("hatchling")
    monkeypatch.syspath_prepend(str(ROOT))
    from hatch_build import absolute

    urls = {"Documentation": "https://site", "Source": "https://source"}
    short = "[a](docs/b/c.rst) ![d](docs/e.png) [f](G.md) [h](https://i) [j](#k)"
    assert absolute(short, urls) == (
        "[a](https://site/en/stable/b/c.html) ![d](https://source/raw/HEAD/docs/e.png) "
        "[f](https://source/blob/HEAD/G.md) [h](https://i) [j](#k)"
    )
    links = re.findall(r"\]\(([^)]+)\)", absolute(read("README.md"), urls))
    assert links
    assert not [link for link in links if not link.startswith(("https://", "#"))]
