"""Statistics: functions of arrays with small frozen results. Imports NumPy and SciPy only."""

from sklearn_stats_compare.stats._accuracy_interval import accuracy_interval
from sklearn_stats_compare.stats._calibration import calibration
from sklearn_stats_compare.stats._cochrans_q import CochransQResult, McNemarPairs, cochrans_q
from sklearn_stats_compare.stats._corrected_t import (
    CorrectedTTestResult,
    PairedTTests,
    corrected_ttest,
)
from sklearn_stats_compare.stats._criteria import Criterion, ScoreCriterion, TimeCriterion
from sklearn_stats_compare.stats._delong import DeLongResult, delong
from sklearn_stats_compare.stats._delong_of_folds import delong_of_folds
from sklearn_stats_compare.stats._detectable import (
    detectable_difference,
    repeats_needed,
    repeats_of,
)
from sklearn_stats_compare.stats._elimination import (
    ELIMINATE,
    STRATEGIES,
    SplitElimination,
)
from sklearn_stats_compare.stats._error_rates import ErrorRatesResult, compare_error_rates
from sklearn_stats_compare.stats._family import Family
from sklearn_stats_compare.stats._five_by_two import FiveByTwo, is_five_by_two
from sklearn_stats_compare.stats._groups_not_different import groups_not_different
from sklearn_stats_compare.stats._limits import LARGEST
from sklearn_stats_compare.stats._looks import level_of_a_look
from sklearn_stats_compare.stats._maxt import MOST_STEPPED_DOWN, N_DRAWS
from sklearn_stats_compare.stats._mcnemar import McNemarResult, mcnemar
from sklearn_stats_compare.stats._multiplicity import (
    ADJUSTMENTS,
    CLOSED_FORM,
    P_ADJUST,
    Adjustment,
    adjust_pvalues,
    critical_value,
)
from sklearn_stats_compare.stats._nested_interval import NestedIntervalResult, nested_cv_interval
from sklearn_stats_compare.stats._optimism import (
    OptimismResult,
    folds_by_repeat,
    selection_optimism,
)
from sklearn_stats_compare.stats._pair import StatisticPair
from sklearn_stats_compare.stats._pair_test import PairTest
from sklearn_stats_compare.stats._pair_tests import PAIR_TESTS, pair_test
from sklearn_stats_compare.stats._point_632 import out_of_bag, point_632, point_632_plus
from sklearn_stats_compare.stats._possibly_best import (
    BEST_METHODS,
    model_confidence_set_pvalues,
    possibly_best_pvalues,
    probability_best,
)
from sklearn_stats_compare.stats._possibly_pareto import observed_front, possibly_pareto_pvalues
from sklearn_stats_compare.stats._posterior import Posterior, RopeProbabilities, rope_probabilities
from sklearn_stats_compare.stats._race_loop import (
    Elimination,
    Look,
    RaceResult,
    RaceStep,
    Schedule,
    race,
)
from sklearn_stats_compare.stats._rank_limits import RANK_METHODS, rank_limits
from sklearn_stats_compare.stats._sample_elimination import SampleElimination
from sklearn_stats_compare.stats._sample_scores import SampleScores
from sklearn_stats_compare.stats._sample_strain import FEWEST_OF_A_CLASS
from sklearn_stats_compare.stats._sample_t import SampleTTest
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats._settings import Settings
from sklearn_stats_compare.stats._shortfall_bounds import shortfall_bounds
from sklearn_stats_compare.stats._split_indices import (
    as_index,
    check_splits,
    n_repeated,
    split_keys,
)
from sklearn_stats_compare.stats._split_t import CORRECTED_T
from sklearn_stats_compare.stats._splits import SplitDesign
from sklearn_stats_compare.stats._times_to_decide import times_to_decide
from sklearn_stats_compare.stats.datasets import (
    SIGN_TIES,
    WILCOXON_METHODS,
    ZEROS,
    BayesianSignedRankResult,
    BayesianSignTestResult,
    BonferroniDunnResult,
    FriedmanResult,
    HierarchicalResult,
    PseudoMedians,
    RankPairs,
    SignTestPairs,
    WilcoxonPairs,
    average_ranks,
    bayesian_hierarchical,
    bayesian_sign_test,
    bayesian_signed_rank,
    bayesian_signed_rank_draws,
    bayesian_signed_rank_pairs,
    bonferroni_dunn,
    bonferroni_dunn_critical_difference,
    check_dataset_values,
    dataset_ranks,
    friedman_test,
    nemenyi_critical_difference,
    nemenyi_pvalues,
    pseudo_medians,
    rank_pairs,
    shaffer_pvalues,
    sign_test_pairs,
    wilcoxon_pairs,
)
from sklearn_stats_compare.stats.per_sample import (
    SAMPLE_METRICS,
    SampleMetric,
    group_values,
    jackknife_values,
    refused_weights,
    sample_values,
    shifted,
)

__all__ = [
    "ADJUSTMENTS",
    "BEST_METHODS",
    "CLOSED_FORM",
    "CORRECTED_T",
    "ELIMINATE",
    "FEWEST_OF_A_CLASS",
    "LARGEST",
    "MOST_STEPPED_DOWN",
    "N_DRAWS",
    "PAIR_TESTS",
    "P_ADJUST",
    "RANK_METHODS",
    "SAMPLE_METRICS",
    "SIGN_TIES",
    "STRATEGIES",
    "WILCOXON_METHODS",
    "ZEROS",
    "Adjustment",
    "BayesianSignTestResult",
    "BayesianSignedRankResult",
    "BonferroniDunnResult",
    "CochransQResult",
    "CorrectedTTestResult",
    "Criterion",
    "DeLongResult",
    "Elimination",
    "ErrorRatesResult",
    "Family",
    "FiveByTwo",
    "FriedmanResult",
    "HierarchicalResult",
    "Look",
    "McNemarPairs",
    "McNemarResult",
    "NestedIntervalResult",
    "OptimismResult",
    "PairTest",
    "PairedTTests",
    "Posterior",
    "PseudoMedians",
    "RaceResult",
    "RaceStep",
    "RankPairs",
    "RopeProbabilities",
    "SampleElimination",
    "SampleMetric",
    "SampleScores",
    "SampleTTest",
    "Schedule",
    "ScoreCriterion",
    "Settings",
    "SignTestPairs",
    "SplitDesign",
    "SplitElimination",
    "SplitScores",
    "StatisticPair",
    "TimeCriterion",
    "WilcoxonPairs",
    "accuracy_interval",
    "adjust_pvalues",
    "as_index",
    "average_ranks",
    "bayesian_hierarchical",
    "bayesian_sign_test",
    "bayesian_signed_rank",
    "bayesian_signed_rank_draws",
    "bayesian_signed_rank_pairs",
    "bonferroni_dunn",
    "bonferroni_dunn_critical_difference",
    "calibration",
    "check_dataset_values",
    "check_splits",
    "cochrans_q",
    "compare_error_rates",
    "corrected_ttest",
    "critical_value",
    "dataset_ranks",
    "delong",
    "delong_of_folds",
    "detectable_difference",
    "folds_by_repeat",
    "friedman_test",
    "group_values",
    "groups_not_different",
    "is_five_by_two",
    "jackknife_values",
    "level_of_a_look",
    "mcnemar",
    "model_confidence_set_pvalues",
    "n_repeated",
    "nemenyi_critical_difference",
    "nemenyi_pvalues",
    "nested_cv_interval",
    "observed_front",
    "out_of_bag",
    "pair_test",
    "point_632",
    "point_632_plus",
    "possibly_best_pvalues",
    "possibly_pareto_pvalues",
    "probability_best",
    "pseudo_medians",
    "race",
    "rank_limits",
    "rank_pairs",
    "refused_weights",
    "repeats_needed",
    "repeats_of",
    "rope_probabilities",
    "sample_values",
    "selection_optimism",
    "shaffer_pvalues",
    "shifted",
    "shortfall_bounds",
    "sign_test_pairs",
    "split_keys",
    "times_to_decide",
    "wilcoxon_pairs",
]
