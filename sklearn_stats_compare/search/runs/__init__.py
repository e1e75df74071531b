"""How candidates are evaluated: whole, by blocks, as a race, or as an extension."""

from sklearn_stats_compare.search.runs._batched_run import BatchedRun
from sklearn_stats_compare.search.runs._block_run import BlockRun
from sklearn_stats_compare.search.runs._extension import Extension, Extent
from sklearn_stats_compare.search.runs._looking import Looked, Looking, looks_so_far, stop_reason
from sklearn_stats_compare.search.runs._losses import Losses
from sklearn_stats_compare.search.runs._options import SETTINGS, Options, candidates_of, read_once
from sklearn_stats_compare.search.runs._plan import (
    Evaluated,
    EveryCandidate,
    Given,
    Hooks,
    Plan,
    Run,
)
from sklearn_stats_compare.search.runs._progress import Progress
from sklearn_stats_compare.search.runs._race import Race
from sklearn_stats_compare.search.runs._split_by_split import SplitBySplit
from sklearn_stats_compare.search.runs._split_recorder import (
    SplitSource,
    keys_of,
    tested_samples,
)
from sklearn_stats_compare.search.runs._stage import Stage
from sklearn_stats_compare.search.runs._time_limit import TimeLimit, refit_words
from sklearn_stats_compare.search.runs._whole_run import WholeRun

__all__ = [
    "SETTINGS",
    "BatchedRun",
    "BlockRun",
    "Evaluated",
    "EveryCandidate",
    "Extension",
    "Extent",
    "Given",
    "Hooks",
    "Looked",
    "Looking",
    "Losses",
    "Options",
    "Plan",
    "Progress",
    "Race",
    "Run",
    "SplitBySplit",
    "SplitSource",
    "Stage",
    "TimeLimit",
    "WholeRun",
    "candidates_of",
    "keys_of",
    "looks_so_far",
    "read_once",
    "refit_words",
    "stop_reason",
    "tested_samples",
]
