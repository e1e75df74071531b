"""An Optuna study, or the trials of an ``OptunaSearchCV`` → scores by split, and their notes.

Optuna is recognised by the module of its classes, and never imported.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import count, shown, shown_list
from sklearn_stats_compare.comparison._chosen_by_scores import (
    NO_ERROR_RATES,
    UNSEEN_SPLITS,
    ChosenByScores,
    joined_notes,
)
from sklearn_stats_compare.comparison._columns import check_every_split, numbers, split_columns
from sklearn_stats_compare.comparison._found import Found, Sizes, chosen_metric
from sklearn_stats_compare.comparison._searches import (
    FIXED_SAMPLERS,
    metric_of,
)
from sklearn_stats_compare.comparison._trial_steps import scores_by_step
from sklearn_stats_compare.stats import SplitScores


@dataclass(frozen=True)
class _Objective:
    """What `metric_of` reads of a search, for a study."""

    refit: str

    @property
    def scoring(self) -> str:
        """The name of a single metric."""
        return self.refit


_KNOW_BETTER = (
    "If you know that all trials had the same splits, compare a matrix of their scores, "
    "trials × splits."
)


def is_study(obj: Any) -> bool:
    """Whether an object is a study of Optuna."""
    is_of_optuna = any(base.__module__.partition(".")[0] == "optuna" for base in type(obj).__mro__)
    return is_of_optuna and hasattr(obj, "trials") and hasattr(obj, "directions")


def has_study(search: Any) -> bool:
    """Whether an object is a fitted search that kept its trials in a study of Optuna."""
    return is_study(getattr(search, "study_", None))


def read_study(study: Any, metric: str | None, sizes: Sizes, search: Any = None) -> Found:
    """The trials of a study, and the search that ran them, if known."""
    direction = _direction(study)
    trials = [trial for trial in study.trials if trial.state.name not in ("RUNNING", "WAITING")]
    _check_from_one_fit(search, trials)
    complete = [k for k, trial in enumerate(trials) if trial.state.name == "COMPLETE"]
    if not complete:
        raise ValueError(
            "`obj` must be a study with complete trials; got "
            f"{count(len(study.trials), 'trial')}, none of them complete."
        )
    own = [trials[k] for k in complete]
    by_metric = split_columns({key: None for trial in own for key in trial.user_attrs})
    stopped = np.zeros(len(own), dtype=bool)
    if by_metric:
        owner = _Objective(_name(study)) if search is None else search
        column, name = metric_of(owner, metric, list(by_metric))
        found = _from_attributes(own, by_metric[column], column)
        sign, said = _sign(own, found, direction, column)
    else:
        name = chosen_metric(metric, [_name(study)])
        found, stopped = scores_by_step(own, sizes)
        sign, said = (1 if direction == "MAXIMIZE" else -1), ""
    if search is None:
        _check_equal_trials([own[k] for k in np.flatnonzero(~stopped)], found[~stopped])
    values = np.full((len(trials), found.shape[1]), np.nan)
    values[complete] = sign * found
    design = sizes.design(values.shape[1], search=search)
    if sign < 0:
        name = f"neg_{name}"
        said = f"{said} Lower scores are better in the study, so they are negated here.".strip()
    if search is None:
        said = (
            f"{said} Optuna does not record the splits: nothing shows that all trials had the "
            "same ones."
        ).strip()
    n_stopped = int(stopped.sum()) + sum(trial.state.name == "PRUNED" for trial in trials)
    sampler = type(getattr(study, "sampler", None)).__name__
    chose = f"Optuna's {sampler}" if search is None else type(search).__name__
    chosen = _choice_note("" if sampler in FIXED_SAMPLERS else chose, n_stopped, len(trials))
    note = joined_notes(chosen, said, _unfinished(study, trials))
    return Found(
        SplitScores(values, design),
        name,
        params=[trial.params for trial in trials],
        arguments={"note": note},
    )


def _direction(study: Any) -> str:
    if len(study.directions) != 1:
        raise ValueError(
            "`obj` must be a study with one objective; got one with "
            f"{len(study.directions)}. Compare by each metric separately, from a matrix of its "
            "scores, trials × splits."
        )
    return str(study.directions[0].name)


def _name(study: Any) -> str:
    """The name of the objective."""
    names = getattr(study, "metric_names", None)
    return str(names[0]) if names else "score"


def _check_from_one_fit(search: Any, trials: Sequence[Any]) -> None:
    """Raise ValueError if a search was given a study with trials of its own."""
    n_trials = getattr(search, "n_trials", None)
    # The trials of a study that a search was given may come from another fit, `cv` or data set.
    if n_trials is not None and search.study is not None and len(trials) > n_trials:
        raise ValueError(
            "`obj` must be a search whose candidates were scored on the same splits; the study "
            f"of {type(search).__name__} has {len(trials)} trials and `n_trials` is {n_trials}, "
            "so others come from before this fit. If you know that the splits were the same, "
            "compare its `study_`."
        )


def _from_attributes(
    trials: Sequence[Any], columns: Sequence[tuple[int, Any]], metric: str
) -> NDArray[np.float64]:
    """Scores in user attributes such as ``split0_test_score``, trials × splits."""
    check_every_split(columns, metric)
    for trial in trials:
        lacking = [key for _, key in columns if key not in trial.user_attrs]
        if lacking:
            raise ValueError(
                "`obj` must be a study whose complete trials have the same splits; trial "
                f"{trial.number} has no user attribute {shown(lacking[0])}, which others have."
            )
    return np.stack(
        [
            numbers([trial.user_attrs[key] for _, key in columns], f"trial {trial.number}")
            for trial in trials
        ]
    )


def _sign(
    trials: Sequence[Any], found: NDArray[np.float64], direction: str, metric: str
) -> tuple[int, str]:
    """1 if higher scores are better and −1 if lower, and a note where this could not be checked.

    The objective shows it: a trial's value is usually the mean of its scores, or minus the mean.
    """
    means, values = found.mean(axis=1), np.array([trial.value for trial in trials])
    known = np.isfinite(means)
    for sign in (1, -1):
        if known.any() and np.allclose(values[known], sign * means[known], rtol=1e-6):
            return (sign if direction == "MAXIMIZE" else -sign), ""
    if direction == "MAXIMIZE":
        return 1, (
            f"Higher {metric} is assumed to be better, as in scikit-learn. The study does not show "
            "it, because the values that it maximized are not the means of these scores."
        )
    raise ValueError(
        "`obj` must show whether higher or lower scores are better; got a study that minimizes "
        f"values that are neither the means of {shown(metric)} over the splits nor minus these. "
        "Compare a matrix of the scores, trials × splits, in which higher is better."
    )


def _check_equal_trials(trials: Sequence[Any], found: NDArray[np.float64]) -> None:
    """Raise ValueError if trials with the same parameters have different scores."""
    by_params: dict[str, list[int]] = {}
    for row, trial in enumerate(trials):
        by_params.setdefault(repr(sorted(trial.params.items())), []).append(row)
    for one, other in (pair for rows in by_params.values() for pair in pairwise(rows)):
        # A NaN is a fit that failed, which may have other causes.
        both = np.isfinite(found[[one, other]]).all(axis=0)
        differing = np.flatnonzero(both & ~np.isclose(found[one], found[other]))
        if trials[one].params and differing.size:
            k = differing[0]
            raise ValueError(
                "`obj` must be a study whose trials were scored on the same splits; trials "
                f"{trials[one].number} and {trials[other].number} have the same parameters, and "
                f"scores of {found[one, k]:.4g} and {found[other, k]:.4g} in split {k}. Either "
                "each trial drew its splits anew, and then the scores are not paired, or the model "
                "is random. Give the splitter and the model an integer `random_state`. "
                f"{_KNOW_BETTER}"
            )


def _choice_note(chose: str, n_stopped: int, n_trials: int) -> str:
    """A note on error rates if scores chose the parameters of trials, or which trials to stop."""
    said = [f"{chose} chose candidates after it had seen scores on these splits"] if chose else []
    if n_stopped:
        said.append(
            f"{'a' if said else 'A'} pruner stopped {n_stopped} of {n_trials} trials, which are "
            "missing here, because of their scores on some of these splits"
        )
    if not said:
        return ""
    return ChosenByScores(f"{', and '.join(said)}, {NO_ERROR_RATES}", UNSEEN_SPLITS)


def _unfinished(study: Any, trials: Sequence[Any]) -> str:
    """A sentence on trials that failed or have not ended."""
    failed = [str(trial.number) for trial in trials if trial.state.name == "FAIL"]
    n_left_out = len(study.trials) - len(trials)
    said = [f"Trials that failed are missing: {shown_list(failed)}."] if failed else []
    if n_left_out:
        said.append(f"Left out: {count(n_left_out, 'trial')} without a result yet.")
    return " ".join(said)
