"""The tree of the methods of a comparison: each name with the first line of its docstring."""

import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from typing import Any

from sklearn_stats_compare._messages import count, one_line

_WIDTH = 96
_QUESTIONS = {
    "Who is best": (
        "next_step", "leader", "leader_index", "ranking", "leader_table", "possibly_best",
        "shortfall", "rank_intervals", "choose", "model_confidence_set", "probability_best",
        "optimism", "shared_by",
    ),
    "Pairs": (
        "pairwise_frequentist", "pairwise_bayesian", "frequentist", "bayesian", "against",
        "iter_pairs", "posterior", "credible_intervals",
    ),
    "Other settings, nothing fitted again": ("with_settings", "calibrate"),
    "What the splits can tell": ("resolution", "plan", "split_correlation"),
    "What was compared": ("candidate", "naming", "rope_bounds", "settings"),
}  # fmt: skip
_OF_PREDICTIONS = ("with_metric", "by", "mcnemar", "delong", "samples")
_SHOWN = ("report", "to_csv", "to_long", "help")


def help_tree(comparison: Any, pictures: Mapping[str, Any]) -> str:
    """The methods of a comparison, and the kinds of plots, as a tree."""
    owner = type(comparison)
    kept = "" if comparison.predicted is not None else " (none kept: return_predictions=True)"
    branches = {
        **{heading: _with_summaries(owner, names) for heading, names in _QUESTIONS.items()},
        f"By predictions{kept}": _with_summaries(owner, _OF_PREDICTIONS),
        "Pictures": [
            (_drawn_by(kind, display), _summary(display)) for kind, display in pictures.items()
        ],
        "Words": _with_summaries(owner, _SHOWN),
    }
    candidates = count(comparison.scores.n_candidates, "candidate")
    lines = [f"Comparison of {candidates} by {one_line(comparison.metric, 40)}"]
    width = max(len(name) for asked in branches.values() for name, _ in asked)
    for k, (heading, asked) in enumerate(branches.items()):
        is_last = k == len(branches) - 1
        lines.append(f"{'└' if is_last else '├'}── {heading}")
        trunk = "    " if is_last else "│   "
        for n, (name, words) in enumerate(asked):
            ends = n == len(asked) - 1
            lines += textwrap.wrap(
                words,
                _WIDTH,
                initial_indent=f"{trunk}{'└' if ends else '├'}── {name:{width}}  ",
                subsequent_indent=f"{trunk}{' ' if ends else '│'}   {'':{width}}  ",
                break_on_hyphens=False,
            )
    return "\n".join(lines)


def _with_summaries(owner: type, names: tuple[str, ...]) -> list[tuple[str, str]]:
    """Each name as users write it, and its summary."""
    found = [(name, inspect.getattr_static(owner, name)) for name in names]
    return [
        (f".{name}{_arguments(member) if callable(member) else ''}", _summary(member))
        for name, member in found
    ]


def _arguments(method: Callable[..., Any]) -> str:
    """Required arguments; dots for optional ones."""
    parameters = list(inspect.signature(method).parameters.values())[1:]
    needed = _needed(parameters)
    return f"({', '.join([*needed, *(['…'] if len(needed) < len(parameters) else [])])})"


def _drawn_by(kind: str, display: Any) -> str:
    # The first argument is the comparison, which `plot` gives.
    needed = _needed(list(inspect.signature(display.from_comparison).parameters.values())[1:])
    given = "".join(f", {name}=…" for name in needed)
    return f'.plot("{kind}"{given})'


def _needed(parameters: list[inspect.Parameter]) -> list[str]:
    """Names of the required arguments."""
    return [
        p.name
        for p in parameters
        if p.default is p.empty and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)
    ]


def _summary(member: Any) -> str:
    paragraph = (inspect.getdoc(member) or "").split("\n\n")[0]
    # The summary ends here; one clause is enough.
    clause = re.split(r"[:;] ", " ".join(paragraph.split()))[0]
    return clause.replace("`", "").rstrip(".")
