"""ComparisonMethods: the public methods of a comparison, each a function in another file."""

from sklearn_stats_compare.comparison import (
    _best,
    _by_predictions,
    _next_step,
    _pairwise,
    _planning,
    _plot_and_report,
)
from sklearn_stats_compare.comparison._against import against
from sklearn_stats_compare.comparison._calibrate import calibrate
from sklearn_stats_compare.comparison._choice import choose
from sklearn_stats_compare.comparison._rank_intervals import rank_intervals
from sklearn_stats_compare.comparison._shared import shared_by
from sklearn_stats_compare.comparison._shortfall import shortfall
from sklearn_stats_compare.comparison._standing import split_correlation
from sklearn_stats_compare.comparison._subgroups import by
from sklearn_stats_compare.comparison._to_csv import to_csv
from sklearn_stats_compare.comparison._to_long import to_long


class ComparisonMethods:
    """Methods of `Comparison` that read only its public attributes and settings."""

    frequentist = _pairwise.frequentist
    bayesian = _pairwise.bayesian
    against = against
    iter_pairs = _pairwise.iter_pairs
    posterior = _pairwise.posterior
    credible_intervals = _pairwise.credible_intervals
    calibrate = calibrate
    by = by
    with_settings = _by_predictions.with_settings
    with_metric = _by_predictions.with_metric
    to_csv = to_csv
    to_long = to_long
    mcnemar = _by_predictions.mcnemar
    delong = _by_predictions.delong

    possibly_best = _best.possibly_best
    model_confidence_set = _best.model_confidence_set
    probability_best = _best.probability_best
    optimism = _best.optimism
    shortfall = shortfall
    rank_intervals = rank_intervals
    shared_by = shared_by
    choose = choose

    split_correlation = split_correlation
    resolution = _planning.resolution
    plan = _planning.plan
    next_step = _next_step.next_step

    plot = _plot_and_report.plot
    report = _plot_and_report.report
    help = _plot_and_report.help

    leader_index = property(_best.leader_index)
    leader = property(_best.leader)
    samples = property(_by_predictions.samples)
