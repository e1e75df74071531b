"""scikit-learn's own tests of its searches pass with ours in their place."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
# Compares every public attribute of a search with those of a custom one, so it cannot pass for a
# class that has more of them.
MORE_ATTRIBUTES = {"test_custom_run_search"}
# Over 0.2 s, and about the estimator or scikit-learn's own code more than about the search.
SLOW = [
    "test_callable_multimetric_same_as_list_of_strings",
    "test_callable_single_metric_same_as_single_string", "test_classes__property",
    "test_cv_results_dtype_issue_29074", "test_cv_results_multi_size_array",
    "test_grid_search_correct_score_results", "test_grid_search_cv_results_multimetric",
    "test_grid_search_cv_splits_consistency", "test_grid_search_groups",
    "test_grid_search_no_score", "test_grid_search_precomputed_kernel",
    "test_grid_search_score_method", "test_grid_search_sparse",
    "test_grid_search_with_multioutput_data", "test_n_features_in",
    "test_random_search_cv_results", "test_scalar_fit_param_compat",
    "test_search_cv_results_rank_tie_breaking", "test_stochastic_gradient_loss_param",
    "test_search_cv_pairwise_property_equivalence_of_precomputed",
    "test_search_cv_sample_weight_equivalence", "test_search_html_repr",
    "test_search_with_2d_array", "test_search_with_estimators_issue_29157",
    "test_unsupervised_grid_search", "test_unsupported_sample_weight_scorer",
]  # fmt: skip
BARE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # the module uses none
CANNOT_PASS = {
    "Statistical": MORE_ATTRIBUTES,
    "Racing": MORE_ATTRIBUTES
    | {
        # A callable might choose a candidate that was dropped: refused.
        "test_refit_callable",
        "test_refit_callable_invalid_type",
        "test_refit_callable_out_bound",
        "test_refit_callable_multi_metric",
        # They list all keys of cv_results_, of which a race has four more.
        "test_grid_search_cv_results",
        "test_random_search_cv_results",
        "test_grid_search_cv_results_multimetric",
        "test_random_search_cv_results_multimetric",
        # It counts failed fits: a race fits no further split of a candidate that failed on one.
        "test_grid_search_failing_classifier",
        # Several metrics and refit=False: a race must be told which of them decides.
        "test_unsupported_sample_weight_scorer",
    },
}


def outcomes(swap, folder, *options):
    """Outcome of each test id of scikit-learn's module, run in a process of its own."""
    out = folder / f"outcomes{swap}.json"
    paths = os.pathsep.join([str(HERE), str(HERE.parents[1]), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider"]
    command += ["--assert=plain"]  # to rewrite the module's assertions takes longer than its tests
    module = ["--pyargs", "sklearn.model_selection.tests.test_search", "-p", "swap_searches"]
    done = subprocess.run(
        [*command, *module, "-W", "default", *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths, "SWAP": swap, "OUTCOMES": str(out), **BARE},
        capture_output=True,
        text=True,
        check=False,
    )
    assert out.exists(), done.stdout + done.stderr
    return json.loads(out.read_text()), done.stdout


def failed_in(found):
    return {name.partition("[")[0] for name, outcome in found.items() if outcome == "failed"}


def test_scikit_learns_quick_tests_pass_with_ours_in_their_place(tmp_path):
    quick = ["-k", f"not ({' or '.join(SLOW)})"]
    ours, log = outcomes("Statistical", tmp_path, *quick)
    # The suite was found and run; that of scikit-learn 1.6 has fewer tests than today's.
    assert list(ours.values()).count("passed") > 80
    failed = failed_in(ours)
    assert failed >= CANNOT_PASS["Statistical"]  # which proves that ours stood in
    if failed > CANNOT_PASS["Statistical"]:  # then scikit-learn's own must fail there, too
        theirs, _ = outcomes("", tmp_path, *quick)
        assert failed - failed_in(theirs) == CANNOT_PASS["Statistical"], log


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    return outcomes("", tmp_path_factory.mktemp("suite"))[0]


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(CANNOT_PASS))
def test_the_same_test_ids_pass_as_with_scikit_learns_own_classes(kind, theirs, tmp_path):
    ours, log = outcomes(kind, tmp_path)
    assert set(ours) == set(theirs)
    passed = {name for name, outcome in theirs.items() if outcome == "passed"}
    assert len(passed) > 100  # the suite was found and run
    failed = {name.partition("[")[0] for name in passed if ours[name] != "passed"}
    assert failed == CANNOT_PASS[kind] & {name.partition("[")[0] for name in passed}, log
    # The one test that no class with more attributes can pass proves that ours stood in.
    assert theirs["test_custom_run_search"] == "passed"
    assert ours["test_custom_run_search"] == "failed"
