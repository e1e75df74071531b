"""Identity of a search (data, settings, code, versions), and differences between two."""

import platform
import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy
import scipy
import sklearn
from sklearn.base import clone

from sklearn_stats_compare._messages import outside_level, printable
from sklearn_stats_compare.search.ledger._code import CodeReader, data_lines
from sklearn_stats_compare.search.ledger._keys import THE_DATA, Hashed, key_and_code, versions_of

Lines = Mapping[str, Sequence[str]]
"""Name → key and readable text."""

_PYTHON = "Python"
_CONFIG = ("array_api_dispatch", "enable_metadata_routing", "transform_output")
"""Settings of scikit-learn that can change a score."""


@dataclass(frozen=True)
class Identity:
    """What the outcomes of a search belong to, apart from candidates and splits.

    Attributes
    ----------
    data : mapping
        X, y and the other arguments of ``fit``.
    settings : mapping
        Estimator, scoring, and the other settings that change an outcome.
    code : mapping
        The parts of the user's own code that estimator and scoring use.
    versions : mapping of str to str
        Versions of Python, the core dependencies, and the distributions that define estimator,
        scoring, splitter and candidates.
    """

    data: Lines
    settings: Lines
    code: Lines
    versions: Mapping[str, str]


def identity(
    search: Any,
    X: Any,
    y: Any,
    params: Mapping[str, Any],
    candidates: Sequence[Mapping[str, Any]] = (),
) -> Identity:
    """What the outcomes of a search belong to.

    Raises
    ------
    ValueError
        If an object has no key, because it is not picklable.
    """
    config = {name: sklearn.get_config().get(name) for name in _CONFIG}
    listed = [dict(params) for params in candidates]
    routed = {f"`{name}`": params[name] for name in sorted(params)}
    data = data_lines({THE_DATA: X, "`y`": y, **routed})
    data |= {name: (data[name][0], "array") for name in routed}
    estimator, scoring = _own_things(search)
    # The keys of candidates and splitter have the user's code, but not the versions of the
    # distributions that their classes come from.
    others = key_and_code((listed, type(search.cv)), "Candidates")
    reader = CodeReader()
    code = reader.parts([*estimator.found, *scoring.found])
    reader.parts(others.found)
    settings = {
        "`estimator`": (estimator.key, _short_repr(search.estimator)),
        "`scoring`": (scoring.key, _short_repr(search.scoring)),
        # As text, because NaN is unequal to itself.
        "`error_score`": (repr(search.error_score),) * 2,
        "`return_train_score`": (repr(search.return_train_score),) * 2,
        "`sklearn.set_config`": (repr(config),) * 2,
    }
    return Identity(data, settings, code, _versions(reader.modules))


def changed_meanwhile(search: Any, code: Lines) -> set[str]:
    """Names of values in `code` that have changed: counters, caches, random generators."""
    estimator, scoring = _own_things(search)
    now = CodeReader().parts([*estimator.found, *scoring.found])
    # Only values: code that changes while a search runs was edited, and must count.
    other = {name for name in {*code, *now} if code.get(name) != now.get(name)}
    return {name for name in other if now.get(name, code.get(name, ""))[0].startswith("value:")}


def _own_things(search: Any) -> tuple[Hashed, Hashed]:
    """Keys and code of estimator and scoring."""
    # A clone has no fitted attributes: scikit-learn clones the estimator for every fit too.
    return (
        key_and_code(clone(search.estimator), "`estimator`"),
        key_and_code(search.scoring, "`scoring`"),
    )


def without(identity: Identity, state: Collection[str]) -> Identity:
    """Return an identity without the values that fits change."""
    code = {name: part for name, part in identity.code.items() if name not in state}
    return replace(identity, code=code)


def differences(there: Lines, here: Lines) -> str:
    """Describe how two searches differ; empty if they do not."""
    found = []
    nothing = ("", "nothing")
    for name in dict.fromkeys([*here, *there]):
        (other_key, other), (own_key, own) = there.get(name, nothing), here.get(name, nothing)
        if other_key != own_key:
            values = f"{other} there, {own} here" if other != own else f"another {own}"
            found.append(f"{name} ({values})")
    return "; ".join(found)


def upgrades(there: Mapping[str, str], here: Mapping[str, str]) -> str:
    """Versions that changed, such as "numpy 2.4.6 → 2.5.0"; empty if none did."""
    return ", ".join(
        f"{name} {there[name]} → {here[name]}"
        for name in here
        if name in there and there[name] != here[name]
    )


def differences_of(
    stored: Mapping[str, Any],
    settings: Lines,
    code: Lines,
    versions: Mapping[str, str],
    own_versions: Mapping[str, str],
) -> tuple[str, str]:
    """Describe how the search of a file differs, and which versions changed."""
    there = stored["settings"] | comparable(stored["code"], versions, own_versions)
    here = {**settings, **comparable(code, versions, own_versions)}
    return printable(differences(there, here)), printable(upgrades(versions, own_versions))


def check_belongs(name: str, differing: str, upgraded: str, *, strict: bool) -> None:
    """Raise ValueError unless a file, called `name`, belongs to the search that reads it.

    If `strict` is False, other versions give only a warning.
    """
    if upgraded and not strict and not differing:
        warnings.warn(
            f"The ledger {name} was written with other versions: {upgraded}. Its scores are kept, "
            "because `ledger_strict` is False.",
            UserWarning,
            stacklevel=outside_level(),
        )
    elif upgraded or differing:
        hint = "" if differing else " With `ledger_strict=False` other versions are accepted."
        raise ValueError(
            f"`ledger` must belong to this search; {name} differs in "
            f"{'; '.join(filter(None, [differing, upgraded]))}. Use another file, or delete "
            f"it to start again.{hint}"
        )


def comparable(code: Lines, there: Mapping[str, str], here: Mapping[str, str]) -> dict[str, Any]:
    """The parts of code that are comparable between two versions of Python."""
    # The bytecode of the same source changes between minor versions of Python.
    if there.get(_PYTHON) == here.get(_PYTHON):
        return dict(code)
    return {name: part for name, part in code.items() if not part[0].startswith("code:")}


def _versions(modules: set[str]) -> dict[str, str]:
    # Bytecode stays the same within a minor version, and patch releases only fix bugs.
    python = ".".join(platform.python_version_tuple()[:2])
    core = {"numpy": numpy.__version__, "scipy": scipy.__version__}
    versions = {_PYTHON: python, "scikit-learn": sklearn.__version__, **core}
    return versions | versions_of(modules)


def _short_repr(thing: Any) -> str:
    words = " ".join(repr(thing).split())
    return words if len(words) <= 200 else f"{words[:200]}…"
