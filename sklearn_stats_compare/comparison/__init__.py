"""Named models: labels, tables, verdicts over the numbers of `stats`. Adds pandas."""

from sklearn_stats_compare._messages import ComparisonWarning
from sklearn_stats_compare.comparison._assumptions import (
    doubtful_rope,
    may_lack_the_best,
    strained_assumptions,
    strained_structure,
    warn_of_survivors,
)
from sklearn_stats_compare.comparison._axis_names import is_metric, is_split
from sklearn_stats_compare.comparison._candidate_names import (
    NAMED,
    CandidateNames,
    checked_labels,
    named_labels,
)
from sklearn_stats_compare.comparison._choice import Choice
from sklearn_stats_compare.comparison._chosen_by_scores import (
    chosen_by_search,
    joined_notes,
    kept_by_halving,
    warn_of_last_iteration,
)
from sklearn_stats_compare.comparison._compare import compare
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._files import read_csv
from sklearn_stats_compare.comparison._found import UnknownSizesError
from sklearn_stats_compare.comparison._glance_style import STYLE as GLANCE_STYLE
from sklearn_stats_compare.comparison._headline import headline
from sklearn_stats_compare.comparison._labels import (
    CandidateLabels,
    Reader,
    candidate_labels,
    params_in_full,
)
from sklearn_stats_compare.comparison._long_columns import LongNames
from sklearn_stats_compare.comparison._long_datasets import (
    by_dataset,
    dataset_column,
    has_splits,
    names_datasets,
    scores_by_dataset,
    spelled_datasets,
)
from sklearn_stats_compare.comparison._long_table import with_plain_columns
from sklearn_stats_compare.comparison._lower_is_better import check_direction, turned
from sklearn_stats_compare.comparison._other_frames import as_pandas, is_frame
from sklearn_stats_compare.comparison._own_metric import (
    own_metric,
    own_metric_name,
    single_metric_name,
)
from sklearn_stats_compare.comparison._pairwise import OWN, OfComparison
from sklearn_stats_compare.comparison._parameter_grid import (
    ParameterGrid,
    parameter_grid,
    varying_parameters,
)
from sklearn_stats_compare.comparison._pareto_set import pareto_table, possibly_pareto
from sklearn_stats_compare.comparison._plot_and_report import register_plot_and_report
from sklearn_stats_compare.comparison._plot_and_report import report as report_of
from sklearn_stats_compare.comparison._profile import fits_number_axis, parameter_profile
from sklearn_stats_compare.comparison._results import (
    inferior_in,
    metrics_of,
    n_split_columns,
    split_scores,
    survivors,
)
from sklearn_stats_compare.comparison._rope import check_rope
from sklearn_stats_compare.comparison._same_data import SPLITS, DataMarks, add_marks, marks_of
from sklearn_stats_compare.comparison._saved_settings import to_save
from sklearn_stats_compare.comparison._searches import is_fixed
from sklearn_stats_compare.comparison._several_metrics import TIMES, SeveralMetrics, times_of
from sklearn_stats_compare.comparison._split_columns import split_and_metric, split_column
from sklearn_stats_compare.comparison._splits_of_data import add_splitting
from sklearn_stats_compare.comparison._stored import Stored, add_reader
from sklearn_stats_compare.comparison._stream import too_many_pairs
from sklearn_stats_compare.comparison._subgroup_comparison import SubgroupComparison
from sklearn_stats_compare.comparison._tables import PairNames, frequentist_table
from sklearn_stats_compare.comparison._undecided import Undecided
from sklearn_stats_compare.comparison._verdicts import (
    VERDICTS,
    verdict_counts,
    verdict_words,
    verdicts,
)

__all__ = [
    "GLANCE_STYLE",
    "NAMED",
    "OWN",
    "SPLITS",
    "TIMES",
    "VERDICTS",
    "CandidateLabels",
    "CandidateNames",
    "Choice",
    "Comparison",
    "ComparisonWarning",
    "DataMarks",
    "LongNames",
    "OfComparison",
    "PairNames",
    "ParameterGrid",
    "Reader",
    "SeveralMetrics",
    "Stored",
    "SubgroupComparison",
    "Undecided",
    "UnknownSizesError",
    "add_marks",
    "add_reader",
    "add_splitting",
    "as_pandas",
    "by_dataset",
    "candidate_labels",
    "check_direction",
    "check_rope",
    "checked_labels",
    "chosen_by_search",
    "compare",
    "dataset_column",
    "doubtful_rope",
    "fits_number_axis",
    "frequentist_table",
    "has_splits",
    "headline",
    "inferior_in",
    "is_fixed",
    "is_frame",
    "is_metric",
    "is_split",
    "joined_notes",
    "kept_by_halving",
    "marks_of",
    "may_lack_the_best",
    "metrics_of",
    "n_split_columns",
    "named_labels",
    "names_datasets",
    "own_metric",
    "own_metric_name",
    "parameter_grid",
    "parameter_profile",
    "params_in_full",
    "pareto_table",
    "possibly_pareto",
    "read_csv",
    "register_plot_and_report",
    "report_of",
    "scores_by_dataset",
    "single_metric_name",
    "spelled_datasets",
    "split_and_metric",
    "split_column",
    "split_scores",
    "strained_assumptions",
    "strained_structure",
    "survivors",
    "times_of",
    "to_save",
    "too_many_pairs",
    "turned",
    "varying_parameters",
    "verdict_counts",
    "verdict_words",
    "verdicts",
    "warn_of_last_iteration",
    "warn_of_survivors",
    "with_plain_columns",
]
