"""log_mlflow(): the report, the leader table and the corrected score of a comparison to MLflow."""

import re
from collections.abc import Iterator
from typing import Any

from sklearn_stats_compare._messages import check_text
from sklearn_stats_compare.reports._facts import Facts, all_facts
from sklearn_stats_compare.reports._report import report

# What MLflow allows in names of metrics and parameters, `_VALID_PARAM_AND_METRIC_NAMES` of its
# validation, without the blank and the slash, which would make folders of artifacts.
_REFUSED = re.compile(r"[^A-Za-z0-9_.-]")


def log_mlflow(comparison: Any, *, run_id: str | None = None, prefix: str = "comparison") -> None:
    """Log a comparison to a run of MLflow: the HTML report, the leader table and the scores.

    With ``mlflow.sklearn.autolog()``, MLflow logs parameters, the refitted model and
    ``cv_results.csv`` of a search. This function adds what the comparison says.

    Parameters
    ----------
    comparison : Comparison, object with one as ``comparison_``, or mapping of str to these
        As for `report`, such as a fitted search of this package. For another search, pass
        ``compare(search)``. Several metrics are all logged.
    run_id : str, optional
        The run to log to, which may have ended. Default: the active run.
    prefix : str, default="comparison"
        Start of the names of everything that is logged: letters, digits, ``_``, ``-`` and ``.``.

    Raises
    ------
    ImportError
        If MLflow is not installed.
    TypeError
        If `comparison` is not a comparison and does not have one, or an argument is not a string.
    ValueError
        If there is no active run and no `run_id`, or `prefix` is empty or has other characters.

    Notes
    -----
    Logged under the default `prefix`:

    - artifacts ``comparison/report.html``, the report, and ``comparison/leader_table.csv``, the
      leader against every other candidate with two-sided p-values;
    - metrics ``comparison.leader_mean``; ``comparison.leader_corrected_mean`` and
      ``comparison.optimism``, as of `Comparison.optimism` with ``rng=0``, by the method
      "tibshirani" if the repeats of the splits are not known; ``comparison.n_candidates`` and
      ``comparison.n_possibly_best``. Values that do not exist are left out: one candidate has no
      optimism;
    - tags ``comparison.leader``, ``comparison.metric``, ``comparison.optimism_method``,
      ``comparison.note`` and the settings, such as ``comparison.p_adjust``. They are tags, because
      MLflow does not let a parameter change if you log again.

    With several metrics, the name of each follows the prefix, ``comparison.roc_auc.leader_mean``,
    and there is a leader table for each. Characters of it that `prefix` may not contain become
    ``_``. Logging again under the same `prefix` replaces what was logged, and MLflow keeps the
    history of the metrics.

    The corrected mean is approximate; see `Comparison.optimism` for when it is too high or too low.

    Examples
    --------
    Within a run, after a search of this package and one of scikit-learn:

    .. code-block:: python

        with mlflow.start_run():
            log_mlflow(search)
        with mlflow.start_run():
            log_mlflow(compare(grid_search))
    """
    check_text("prefix", prefix)
    if not prefix or _REFUSED.search(prefix):
        raise ValueError(
            "`prefix` must be letters, digits, '_', '-' and '.', at least one of them; got "
            f"{prefix!r}."
        )
    if run_id is not None:
        check_text("run_id", run_id)
    try:
        import mlflow
    except ImportError as error:
        raise ImportError(
            "log_mlflow needs MLflow, which is not installed: pip install mlflow."
        ) from error
    found = all_facts(comparison, None)
    if run_id is None:
        active = mlflow.active_run()
        # The functions of MLflow would start a run that nobody ends.
        if active is None:
            raise ValueError(
                "`run_id` must be given if no run is active; got None. Call log_mlflow within "
                "`with mlflow.start_run():`."
            )
        run_id = active.info.run_id
    client = mlflow.MlflowClient()
    client.log_text(run_id, report(comparison, format="html"), f"{prefix}/report.html")
    for facts in found:
        name = _REFUSED.sub("_", facts.metric)
        own = f"{prefix}.{name}" if len(found) > 1 else prefix
        file = f"leader_table.{name}.csv" if len(found) > 1 else "leader_table.csv"
        client.log_text(run_id, facts.leader_table.to_csv(index=False), f"{prefix}/{file}")
        for key, value in _metrics(facts):
            client.log_metric(run_id, f"{own}.{key}", value)
        for key, text in _tags(facts):
            client.set_tag(run_id, f"{own}.{key}", text)


def _metrics(facts: Facts) -> Iterator[tuple[str, float]]:
    scores = facts.comparison.scores
    if scores.n_available:
        yield "leader_mean", float(scores.means[scores.order[0]])
    if facts.optimism is not None:
        yield "leader_corrected_mean", facts.optimism.corrected_mean
        yield "optimism", facts.optimism.optimism
    yield "n_candidates", scores.n_candidates
    yield "n_possibly_best", int(facts.ranking["possibly_best"].sum())


def _tags(facts: Facts) -> Iterator[tuple[str, str]]:
    comparison = facts.comparison
    yield "metric", facts.metric
    if comparison.leader is not None:
        yield "leader", comparison.leader
    if facts.optimism is not None:
        yield "optimism_method", facts.optimism.method
    if comparison.note:
        yield "note", comparison.note
    low, high = comparison.rope_bounds
    yield "test", facts.settings.test.name
    yield "p_adjust", str(facts.settings.p_adjust)
    yield "alpha", f"{facts.settings.alpha:g}"
    yield "rope", f"[{low:g}, {high:g}]"
