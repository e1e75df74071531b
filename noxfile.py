"""The project's checks: `nox` runs what .ci/run runs, `nox -s NAME` one of them."""

import tomllib
from pathlib import Path

import nox

nox.options.default_venv_backend = "uv|venv"  # uv installs in seconds what takes pip half a minute
nox.options.sessions = [
    "lint", "layers", "types", "tests", "tests_lowest", "docs", "interop", "distributed",
    "examples",
]  # fmt: skip

PYPROJECT = tomllib.loads(Path("pyproject.toml").read_text())


def group(name):
    return PYPROJECT["dependency-groups"][name]


@nox.session
def tests(session):
    """The tests on the newest dependencies."""
    session.install(".[test]")
    session.run("pytest", "-n", "auto", *session.posargs)


@nox.session
def tests_lowest(session):
    """The tests on the oldest dependencies: each floor of pyproject, exactly."""
    floors = [
        requirement.replace(">=", "==") for requirement in PYPROJECT["project"]["dependencies"]
    ]
    # Old with old: scikit-learn 1.6 hands pytest a generator of parameters, which pytest 9 refuses.
    session.install(".[test]", *floors, "pytest<9")
    session.run("pytest", "-n", "auto", *session.posargs)


@nox.session
def full(session):
    """All tests, the slow ones too, with every package that one of them needs; hours, at night."""
    session.install(".[test]")
    session.run("pytest", "-n", "auto", "-m", "", "--durations=50", *session.posargs)
    for other in ("distributed", "ray", "interop", "peers", "examples"):
        session.notify(other, ["-m", ""])


@nox.session
def coverage(session):
    """The tests, and the share of lines and branches that they reach; fails below pyproject's."""
    session.install(".[test]", *group("coverage"))
    session.run("pytest", "-n", "auto", "--cov", "--cov-report=term", *session.posargs)


# A version of scikit-learn, and what it needs that is older than today's. Up to 1.8 it gives pytest
# a generator of parameters, which pytest 9 refuses, and `load_digits` sets an array's shape, of
# which NumPy 2.5 warns. scikit-learn 1.6 passes L-BFGS-B options that newer SciPy deprecates, and
# the noncentral t of SciPy 1.15 is NaN for few degrees of freedom, which statsmodels' power shows.
MATRIX = {
    "1.6": ["scikit-learn==1.6.*", "scipy<1.15", "numpy<2.5", "pytest<9"],
    "1.7": ["scikit-learn==1.7.*", "numpy<2.5", "pytest<9"],
    "1.8": ["scikit-learn==1.8.*", "numpy<2.5", "pytest<9"],
    "newest": [],
}


@nox.session(python=["3.11", "3.12", "3.13"])
@nox.parametrize("sklearn", list(MATRIX))
def matrix(session, sklearn):
    """The tests on each scikit-learn and each Python; an hour, and not among the defaults."""
    session.install(".[test]", *MATRIX[sklearn])
    session.run("pytest", "-n", "auto", *session.posargs)


@nox.session
def distributed(session):
    """The searches on a real cluster of two worker processes."""
    session.install(".[test]", *group("distributed"))
    session.run("pytest", "tests/distributed", *session.posargs)


@nox.session
def ray(session):
    """The searches on two processes of ray; not among the defaults."""
    session.install(".[test]", *group("ray"))
    session.run("pytest", "tests/distributed/test_ray.py", *session.posargs)


@nox.session
def interop(session):
    """Results of other packages as they are, searches in files of skops, MLflow, and Parquet."""
    session.install(".[test]", *group("interop"))
    session.run(
        "pytest", "-n", "auto", "tests/interop", "tests/comparison/test_stream.py", *session.posargs
    )


@nox.session
def peers(session):
    """Parity over several data sets with scikit-posthocs and autorank; not among the defaults."""
    session.install(".[test]", *group("peers"))
    session.run("pytest", "tests/parity", *session.posargs)


@nox.session
def lint(session):
    session.install(*group("lint"))
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session):
    session.install(".[plot]", *group("types"))
    session.run("mypy")


@nox.session
def layers(session):
    session.install("--no-deps", ".")  # imports are read, not run
    session.install(*group("layers"))
    session.run("lint-imports")


def check_docs(session, site):
    session.run("numpydoc", "lint", *map(str, sorted(Path("sklearn_stats_compare").rglob("*.py"))))
    # `lint` reads sources; the docstrings of the searches are filled when they are imported.
    kinds = "RacingGrid", "RacingRandomized", "StatisticalGrid", "StatisticalRandomized"
    for kind in kinds:
        session.run("numpydoc", "validate", f"sklearn_stats_compare.{kind}SearchCV")
    session.run(
        "pytest", "-q", "-n", "auto", "--doctest-glob=*.rst",
        "-o", "doctest_optionflags=NORMALIZE_WHITESPACE",
        # The scripts in it need packages of the session `interop`.
        "--ignore=docs/howto/results",
        "docs/index.rst", "docs/start", "docs/howto", "docs/why", "docs/coming_from.rst",
        "docs/troubleshooting.rst",
        env={"MPLBACKEND": "Agg"},
    )  # fmt: skip
    session.run("sphinx-build", "-W", "--keep-going", "-j", "auto", "-b", "html", "docs", site)


@nox.session
def docs(session):
    """Docstrings have numpydoc's sections, the pages' code prints what they show, the site builds.

    The build reads every page, runs every example and draws every picture, follows all links
    within the site, and fails on any warning. The site is in docs/_build/html.
    """
    session.install(".[docs]")
    check_docs(session, "docs/_build/html")


@nox.session
def docs_lowest(session):
    """The same with each floor of the extra `docs`, exactly; not among the defaults."""
    floors = [r.replace(">=", "==") for r in PYPROJECT["project"]["optional-dependencies"]["docs"]]
    # Old with old: matplotlib 3.8 calls what pyparsing 3.3 warns of.
    session.install(".", *floors, "pyparsing<3.3")
    check_docs(session, "docs/_build/lowest")


@nox.session
def examples(session):
    """Each example runs, with the installed package and from another folder."""
    session.install(".[plot]")
    for example in sorted(Path("examples").resolve().glob("plot_*.py")):
        session.log(example.name)
        with session.chdir(session.create_tmp()):
            session.run("python", "-W", "error", str(example))


@nox.session(venv_backend="none")
def push(session):
    """What to run before a push, in the environment of ``pip install -e ".[dev]"``; 3 minutes."""
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")
    session.run("lint-imports")
    session.run("numpydoc", "lint", *map(str, sorted(Path("sklearn_stats_compare").rglob("*.py"))))
    whole = sorted(map(str, Path("tests").glob("test_*.py")))
    quick = ["tests/stats", "tests/comparison", "tests/displays", "tests/messages", *whole]
    quick.append("tests/search/test_selection.py")
    session.run("pytest", "-n", "auto", *(session.posargs or quick))


@nox.session
def release(session):
    """Wheel and sdist of the last commit: built twice, checked, installed and tested."""
    session.install(
        "build", "check-manifest", "check-wheel-contents", "pip", "twine", "validate-pyproject"
    )  # uv, with which nox makes environments where it finds it, leaves pip out
    session.install(".[test]")  # what the tests need; the script puts the wheel in its place
    session.run("python", "packaging/check_release.py", *session.posargs)


@nox.session
def validity(session):
    """Simulated error rates, printed with their standard errors; minutes."""
    session.install(".[test]")
    session.run(
        "pytest", "-n", "auto", "-m", "slow", "--durations=0", "tests/validity", "tests/stats",
        *session.posargs,
    )  # fmt: skip


@nox.session
def bench(session):
    """Speed beside peers, as ratios of one run, and one table; fails where a bound is passed."""
    session.install(".", *group("bench"))
    session.run("python", "-m", "benchmarks", *session.posargs)
