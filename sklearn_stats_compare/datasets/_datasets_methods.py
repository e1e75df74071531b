"""DatasetsMethods: methods of a comparison over data sets, each documented where it is written."""

from sklearn_stats_compare.comparison import report_of
from sklearn_stats_compare.datasets import (
    _datasets_against,
    _datasets_pairwise,
    _mean_ranks,
    _on_each_dataset,
    _over_splits,
)
from sklearn_stats_compare.datasets._datasets_other_settings import with_settings
from sklearn_stats_compare.datasets._datasets_shown import plot
from sklearn_stats_compare.datasets._datasets_to_long import to_long
from sklearn_stats_compare.datasets._next_dataset_step import next_step


class DatasetsMethods:
    """Methods; each function needs only public attributes and settings."""

    frequentist = _datasets_pairwise.frequentist
    bayesian = _datasets_pairwise.bayesian
    against = _datasets_against.against
    possibly_best = _datasets_against.possibly_best

    friedman = _mean_ranks.friedman
    critical_difference = _mean_ranks.critical_difference

    hierarchical = _over_splits.hierarchical
    posterior_draws = _over_splits.posterior_draws
    on_each = _on_each_dataset.on_each
    win_tie_loss = _on_each_dataset.win_tie_loss

    with_settings = with_settings
    to_long = to_long
    next_step = next_step
    plot = plot
    report = report_of
