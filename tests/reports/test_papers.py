"""Reports for papers: what may be chosen of them, several metrics, citations."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from cases import cases, compiled, needs_latex

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.reports import report
from sklearn_stats_compare.reports._bibliography import works as all_works

CASES = cases()
FOUR = CASES["four"]
# Whose repeats are not known.
UNKNOWN = Comparison(SplitScores(FOUR.scores.values, SplitDesign([90] * 100, [10] * 100)))
FORMATS = ("text", "markdown", "latex", "html")
REFERENCES = Path(__file__).parents[2] / "docs" / "references.rst"

pytestmark = pytest.mark.usefixtures("no_pictures")


def words_of(comparison, **options):
    """The text in one line."""
    return " ".join(report(comparison, **options).split())


def by_two_metrics(**settings):
    """a is best by accuracy; c by f1, where a is clearly worse; d failed by f1."""
    design = SplitDesign([90] * 20, [10] * 20, np.arange(20) // 10)
    noise = np.random.default_rng(0).normal(0, 0.01, (4, 20))
    accuracy = np.array([[0.9], [0.897], [0.8], [0.7]]) + noise
    f1 = np.array([[0.7], [0.5], [0.9], [0.6]]) + noise[::-1]
    f1[3, 4] = np.nan
    return {
        name: Comparison(SplitScores(values, design), list("abcd"), **settings)
        for name, values in (("accuracy", accuracy), ("f1", f1))
    }


def test_digits_are_the_decimals_of_scores_and_differences():
    found = report(FOUR, digits=2)
    assert "with a mean of 0.94 (corrected standard error 0.03)" in found
    assert "difference 0.25, t(99) = 4.57, p < 0.001" in found  # of t and p there are as many
    found = [json.loads(report(FOUR, "json", digits=digits)) for digits in (2, None)]
    assert found[0]["ranking"] == found[1]["ranking"]
    assert "mean of 1 (corrected" in report(FOUR, digits=0)


@pytest.mark.parametrize("format", FORMATS)
def test_parts_can_be_chosen_and_keep_their_order(format):
    prose = report(FOUR, format, parts=["prose"])
    table = report(FOUR, format, parts="ranking")
    assert "Nadeau and Bengio" in prose
    assert "std. err." not in prose
    assert "std. err." in table
    assert "Nadeau" not in table
    assert "verdict" not in table
    turned = report(FOUR, format, parts=["leader", "ranking"])
    assert turned == report(FOUR, format, parts=["ranking", "leader"])
    assert "<svg" not in report(FOUR, "html", parts=["prose", "ranking", "leader"])


def test_remarks_for_the_author_may_be_left_out():
    few = SplitScores(FOUR.scores.values[:, :5], SplitDesign([90] * 5, [10] * 5))
    few = Comparison(few, warn=False)
    assert "only 5 splits" in report(few)
    assert "only 5 splits" not in report(few, parts=["prose", "ranking", "leader"])


def test_captions_are_put_before_ours_or_in_place_of_them():
    before = report(FOUR, "latex", caption="Two moons, 50% noise.")
    assert before.count(r"\caption{Two moons, 50\% noise. ") == 2
    instead = report(FOUR, "latex", caption={"ranking": "All models."})
    assert r"\caption{All models.}\label" in instead
    assert r"\caption{The leader, rbf, against" in instead


@pytest.mark.parametrize("format", FORMATS)
def test_captions_are_text(format):
    found = report(FOUR, format, caption="<b>$x$ \\input{a}")
    assert "<b>" not in found or format == "text"
    assert r"\input{a}" not in found or format != "latex"


def test_labels_are_those_asked_for_or_no_other_reports():
    labels = re.compile(r"\\label\{([^}]*)\}")
    asked = labels.findall(report(FOUR, "latex", label="tab:moons"))
    assert asked == ["tab:moons-ranking", "tab:moons-leader"]
    others = [FOUR, FOUR.with_settings(alpha=0.1), FOUR.with_settings(rope=0.02), *cases().values()]
    found = [label for one in others for label in labels.findall(report(one, "latex"))]
    # `FOUR` stands in `cases()` too, and the ROPE is in no ranking.
    assert len(set(found)) == len(found) - 3
    several = labels.findall(report(by_two_metrics(), "latex", label="t"))
    assert several == ["t-metrics", "t-accuracy-ranking", "t-accuracy-leader", "t-f1-ranking",
                       "t-f1-leader"]  # fmt: skip


def test_latex_sets_statistics_as_mathematics_and_keeps_percents_together():
    found = report(FOUR, "latex")
    assert r"difference 0.2548, $t(99) = 4.57$, $p < 0.001$" in found
    assert r"with $\alpha = 0.05$" in found
    assert r"$p$-values were adjusted" in found
    assert r"95\,\% intervals" in found
    assert not re.search(r"\d \\%", found)
    tiny = report(FOUR.with_settings(alpha=1e-4), "latex")
    assert r"$p = 8.6 \times 10^{-5}$" in tiny
    assert r"99.99\,\% intervals" in tiny
    for format in ("markdown", "html"):
        assert "95\u00a0% intervals" in report(FOUR, format)
    assert "\u00a0" not in report(FOUR, "text")


def test_a_label_like_a_statistic_is_text():
    labels = ["p = 0.05", "95 %", "\ufdd0p = 0.01$\ufdd1", "t-test"]
    found = report(FOUR.with_settings(labels=labels), "latex")
    assert "The leader is t-test, with" in found
    assert "p = 0.05 (difference" in found
    assert r"95 \% (difference" in found
    assert r"p = 0.01\$ (difference" in found


def test_tables_are_drawn_as_asked():
    styles = ("booktabs", "plain", "siunitx")
    booktabs, plain, siunitx = (report(FOUR, "latex", latex_tables=style) for style in styles)
    assert r"\toprule" in booktabs
    assert "rule" not in plain.replace("rules", "")
    assert plain.count(r"\hline") == 6
    assert "booktabs" not in plain.splitlines()[0]
    assert r"\usepackage{siunitx}" in siunitx.splitlines()[0]
    # Numbers from −0.0259 to 0.2548: a sign, one digit before the point, four behind it.
    assert "S[table-format=-1.4]" in siunitx
    assert "linear & 0.0100 & -0.0259 & 0.0459 & 1.000" in siunitx
    assert "& {$< 0.001$} &" in siunitx
    assert "{rank} & {candidate} & {mean}" in siunitx


@pytest.mark.parametrize("style", ["booktabs", "siunitx", "plain"])
def test_latex_keeps_every_character_of_a_metrics_name(style):
    names = ["F1 (macro)", "mAP(50)", "ROC AUC (%)", "P(correct)", "P(worse)", "p"]
    found = report(dict.fromkeys(names, FOUR), "latex", parts="metrics", latex_tables=style)
    (header,) = (line for line in found.splitlines() if "mAP(50)" in line and "&" in line)
    cells = [cell.strip(" \\{}") for cell in header.replace(r"\%", "%").split("&")]
    assert cells == ["candidate", *(cell for name in names for cell in (name, ""))]


@needs_latex
@pytest.mark.parametrize("style", ["booktabs", pytest.param("plain", marks=pytest.mark.slow)])
def test_two_reports_and_a_table_of_metrics_compile_in_one_paper(style, tmp_path):
    options = {"cite": "bibtex", "latex_tables": style}
    one = report(FOUR, "latex", **options)
    two = report(by_two_metrics(), "latex", **options)
    bib = report(FOUR, "bibtex") + "\n" + report(FOUR.with_settings(p_adjust="maxt"), "bibtex")
    entries = {entry.split("{")[1].split(",")[0]: entry for entry in re.split(r"\n(?=@)", bib)}
    found = compiled([one, two], tmp_path, "\n".join(entries.values()))
    for trouble in ("Overfull", "multiply defined", "undefined", "invalid in math"):
        assert trouble not in found, [line for line in found.splitlines() if trouble in line]


@needs_latex
def test_every_entry_is_one_that_bibtex_reads(tmp_path):
    from sklearn_stats_compare.reports._bibliography import bibtex

    cites = "% needs\n\\cite{" + ",".join(all_works()) + "}"
    assert "undefined" not in compiled([cites], tmp_path, bibtex(all_works()))


def test_exactly_the_works_whose_methods_are_used_are_cited():
    keys = re.compile(r"^@\w+\{(\w+),$", re.MULTILINE)

    def cited(comparison, **options):
        return keys.findall(report(comparison, "bibtex", **options))

    usual = cited(FOUR)
    assert usual == [
        "nadeau2003inference", "dunn1961multiple", "schuirmann1987comparison", "benavoli2017time",
        "hsu1981simultaneous", "tsamardinos2018bootstrapping", "zrnic2024locally",
        "piepho2004algorithm", "corani2015bayesian",
    ]  # fmt: skip
    for method, works in {
        None: [],
        "sidak": ["sidak1967rectangular"],
        "holm": ["holm1979simple"],
        "hochberg": ["hochberg1988sharper"],
        "bh": ["benjamini1995controlling"],
        "by": ["benjamini2001control"],
        "maxt": ["westfall1993resampling", "romano2005exact", "ledoit2004well"],
    }.items():
        assert cited(FOUR.with_settings(p_adjust=method)) == [usual[0], *works, *usual[2:]]
    assert "nadeau2003inference" not in cited(FOUR.with_settings(test="uncorrected_t"))
    assert "tibshirani2009bias" in cited(UNKNOWN)
    assert cited(FOUR, parts=["leader"]) == [*usual[:2], "corani2015bayesian", "benavoli2017time"]
    assert cited(CASES["one"]) == []
    latex = report(FOUR, "latex", cite="bibtex")
    named = {key for keys in re.findall(r"\\cite\{([^}]*)\}", latex) for key in keys.split(",")}
    assert named == set(usual)
    assert r"\cite" not in report(FOUR, "latex")
    for format in FORMATS:
        assert "10.1023/A:1024068626366" in report(FOUR, format, cite="bibtex")
    assert json.loads(report(FOUR, "json", cite="bibtex"))["bibtex"] == report(FOUR, "bibtex")


def test_every_work_is_on_the_page_of_references():
    page = REFERENCES.read_text()
    for key, entry in all_works().items():
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},$", entry, re.MULTILINE))
        authors = fields["author"]
        where = fields.get("doi") or fields.get("url") or fields["year"]
        assert where in page, key
        assert f"({fields['year']})" in page, key
        assert authors.startswith("{") or authors.split(",")[0] in page, key


def test_several_metrics_have_one_table_with_the_best_and_a_mark_each():
    found = report(by_two_metrics(p_adjust=None), "markdown", digits=4)
    table = [line for line in found.splitlines() if line.startswith("| ")]
    rows = {row.split(" | ")[0].strip("| "): row for row in table[:6]}
    assert rows["candidate"].count("|") == 6
    error, star = r" ± 0\.00\d\d", r"\\\*"
    # b is 0.003 ± 0.002 behind a, well within the ROPE; d failed by f1 alone.
    assert re.fullmatch(
        rf"\| a \| \*\*0\.8982{error}\*\* \| \\\* \| 0\.7\d+{error} \| − \|", rows["a"]
    )
    assert re.fullmatch(rf"\| b \| 0\.89\d+{error} \| = \| 0\.50?\d*{error} \| − \|", rows["b"])
    best = rf"\*\*0\.90?\d*{error}\*\* \| {star}"
    assert re.fullmatch(rf"\| c \| 0\.80?\d*{error} \| − \| {best} \|", rows["c"])
    assert rows["d"].endswith("| − | – | × |")
    text = " ".join(report(by_two_metrics(), "text").split())
    # What all metrics share is written once.
    assert text.count("4 candidates were scored") == 2  # the families differ: one failed by f1
    assert text.count("the choice of the leader is approximate") == 1
    assert "adjusted within each metric, not over the 2 of them" in text
    assert "By accuracy the leader is a" in text
    assert "By f1 the leader is c" in text
    alike = report({"first": FOUR, "second": FOUR})
    assert "scored by first and second on 100 splits" in alike
    found = json.loads(report(by_two_metrics(), "json"))
    assert list(found["metrics"]) == ["accuracy", "f1"]
    assert found["metrics"]["f1"]["leader"] == "c"
    assert found["metrics"]["f1"]["metric"] == "f1"
    page = report(by_two_metrics(), "html")
    assert page.count('data-table="metrics"') == 1
    assert page.count('class="r bold"') == 2


def test_ties_of_the_best_are_all_bold():
    twins = Comparison(SplitScores(np.tile(FOUR.scores.values[:1], (2, 1)), FOUR.scores.design))
    found = report({"a": twins, "b": twins}, "latex", parts="metrics")
    assert found.count(r"\mathbf{") == 4


@pytest.mark.parametrize("format", [*FORMATS, "json"])
def test_who_may_be_the_best_is_in_every_report(format):
    found = report(FOUR, format)
    plain = found.replace("\\", "")
    assert "Possibly the best are rbf, linear and 3_poly (3 of 4;" in " ".join(plain.split())
    if format == "json":
        assert json.loads(found)["possibly_best"] == FOUR.possibly_best()["label"].tolist()


def test_a_clear_leader_is_the_only_one_possibly_the_best():
    values = np.array([[0.9], [0.5]]) + np.random.default_rng(0).normal(0, 0.01, (2, 20))
    clear = Comparison(SplitScores(values, SplitDesign([90] * 20, [10] * 20)), ["a", "b"])
    assert "Possibly the best is only a (1 of 2;" in " ".join(report(clear).split())


def test_prose_for_a_paper_holds_no_advice_to_its_author():
    for comparison in (*CASES.values(), by_two_metrics(), UNKNOWN):
        prose, remarks = (words_of(comparison, parts=part) for part in ("prose", "remarks"))
        for advice in ("For a figure to publish", "Next:", "stays optimistic", "about 0.07"):
            assert advice not in prose
            # Advice on the choice of a leader: of one candidate there is none.
            assert (advice in remarks) == (comparison is not CASES["one"] and bool(remarks))


def differing():
    """c is behind by 2.5 standard errors: out of 4 one-sided tests, not of 10 two-sided ones."""
    rng = np.random.default_rng(0)
    design = SplitDesign([90] * 20, [10] * 20, np.arange(20) // 10)
    noise = rng.normal(0, 0.02, (5, 20))
    noise -= noise.mean(axis=1, keepdims=True)
    # The variance of a difference's mean is (1/20 + 1/9) times its variance over the splits.
    noise /= noise.std(axis=1, ddof=1, keepdims=True)
    error = np.sqrt((1 / 20 + 1 / 9) * np.var(noise[0] - noise[2], ddof=1))
    # P(t(19) > 2.7) = 0.0071: 4 × 0.0071 = 0.028 < 0.05, and 10 × 2 × 0.0071 = 0.14.
    behind = np.array([0.0, 0.1, 2.7 * error, 9.0, 12.0])
    return Comparison(SplitScores(50 - behind[:, None] + noise, design), list("abcde"), rope=0.01)


def test_the_set_of_the_possibly_best_names_its_method_and_where_the_verdicts_differ():
    found = words_of(differing(), parts="prose")
    assert "The data do not separate it from b (" in found
    assert "Possibly the best are a and b (2 of 5; by Hsu's multiple comparisons" in found
    assert "adjusted for 4 one-sided tests against the leader by Bonferroni's method" in found
    assert (
        "That set and the verdicts differ on c, as the verdicts come from two-sided p-values "
        "adjusted for 10 pairs by Bonferroni's method."
    ) in found
    # Without an adjustment c is separated: 2 × 0.0071 < 0.05, and nothing differs.
    unadjusted = words_of(differing().with_settings(p_adjust=None))
    assert "It is better than c (" in unadjusted
    assert "differ on" not in unadjusted
    # At a lower level it is in the set, and separated without an adjustment:
    # 2 × 0.0071 = 0.014 < 0.02 < 4 × 0.0071.
    other = words_of(differing().with_settings(p_adjust=None, alpha=0.02), parts="prose")
    assert "Possibly the best are a, b and c (3 of 5" in other
    assert "differ on c, as the verdicts come from two-sided p-values not adjusted for" in other
    assert "differ on" not in report(FOUR)


@pytest.mark.parametrize(
    ("method", "intervals", "pvalues"),
    [
        ("bonferroni", "simultaneous for 6 pairs by Bonferroni's method", "6 pairs by Bonferroni"),
        ("holm", "simultaneous for 6 pairs by Bonferroni's method", "6 pairs by Holm's method"),
        ("sidak", "simultaneous for 6 pairs by Šidák's method", "6 pairs by Šidák's method"),
        ("maxt", "simultaneous for 6 pairs by single-step max-t", "6 pairs by step-down max-t"),
        ("bh", "each by itself and not adjusted", "6 pairs to bound the false discovery rate"),
        (None, "each by itself and not adjusted", "p-values not adjusted for the number of pairs"),
    ],
)
def test_captions_say_what_is_adjusted_and_what_is_not(method, intervals, pvalues):
    comparison = FOUR.with_settings(p_adjust=method)
    leader, ranking, pairs, page = (
        " ".join(report(comparison, format, parts=part).replace("\u00a0", " ").split())
        for format, part in (("text", "leader"), ("text", "ranking"), ("text", "pairs"),
                             ("html", "pictures"))
    )  # fmt: skip
    for caption in (leader, pairs):
        assert f"95 % intervals, {intervals};" in caption
        assert pvalues in caption
    assert "posterior probabilities, not adjusted, that" in leader
    assert "posterior" not in pairs
    assert "95 % intervals, each by itself and not adjusted." in ranking
    assert pvalues in ranking  # of the letters
    assert intervals in page.replace("&#x27;", "'")
    assert "not adjusted for the number of pairs. With probability 0.95" in page
    assert "in absolute value" in page


def test_columns_are_chosen_by_the_names_of_the_tables_of_a_comparison():
    columns = {
        "leader": ["mean_diff", "p_val"],
        "ranking": ["mean", "label"],
        "pairs": ["p_unadjusted", "t_stat"],
    }
    chosen = {"parts": list(columns), "columns": columns}
    lines = report(FOUR, "markdown", **chosen).splitlines()
    headers = [line for line in lines if line.startswith(("| cand", "| mean", "| first"))]
    assert headers[:2] == ["| mean | candidate |", "| candidate | difference | p |"]
    assert headers[2:] == ["| first | second | unadj. p | t |"]
    words = words_of(FOUR, **chosen)
    for absent in ("posterior", "interval", "verdict", "letter", "may be the best", "standard err"):
        assert absent not in words
    assert report(FOUR, columns={}) == report(FOUR)
    bib = report(FOUR, "bibtex", **chosen)
    assert "corani2015" not in bib
    assert "hsu1981" not in bib
    # Every column of the DataFrames has a place.
    tables = {"leader": FOUR.against(), "ranking": FOUR.ranking(), "pairs": FOUR.frequentist()}
    for table, frame in tables.items():
        report(FOUR, parts=table, columns={table: frame.columns})


def test_the_table_of_all_pairs_has_every_pair_and_no_more_than_500():
    found = report(FOUR, "markdown", parts="pairs")
    rows = [line for line in found.splitlines() if line.startswith("| ")][2:]
    assert len(rows) == 6
    assert "All pairs" not in report(FOUR)
    # 6 × 0.0000143 = 0.0001 of rbf and 2_poly, by the published t of 4.57 with 99 degrees.
    assert "| rbf | 2\\_poly | 0.2548 | 0.1045 | 0.4051 | \\< 0.001 | first better |" in rows
    design = SplitDesign([90] * 10, [10] * 10)
    many = Comparison(SplitScores(np.random.default_rng(0).random((33, 10)), design))
    with pytest.raises(ValueError, match=r"`parts` can have 'pairs' .* most 500 .*; got 528 pairs"):
        report(many, parts="pairs")
    failing = many.scores.values.copy()
    failing[2:, 0] = np.nan  # one pair in the family, and 528 rows
    with pytest.raises(ValueError, match="got 528 pairs"):
        report(Comparison(SplitScores(failing, design)), parts="pairs")
    assert '<table data-table="pairs">' in report(FOUR, "html", parts=["ranking", "pairs"])
    # 45 rows are more than fit a page, 36 are not.
    for n, environment in ((9, "table"), (10, "longtable")):
        some = Comparison(SplitScores(many.scores.values[:n], design))
        latex = report(some, "latex", parts="pairs")
        assert f"\\begin{{{environment}}}" in latex
        assert (r"needs \onecolumn" in latex) == (environment == "longtable")


def test_means_of_the_metrics_have_their_standard_errors():
    metrics, table = {"accuracy": FOUR, "roc_auc": FOUR}, {"parts": "metrics", "digits": 3}
    text = words_of(metrics, **table)
    assert "rbf 0.940 ± 0.028 * 0.940 ± 0.028 *" in text
    assert "Mean accuracy and roc_auc of every candidate ± corrected standard error." in text
    assert "two-sided p-values adjusted for 6 pairs by Bonferroni's method within each" in text
    latex = report(metrics, "latex", **table)
    assert r"linear & $0.930 \pm 0.027$ & ? &" in latex
    assert r"rbf & $\mathbf{0.940 \pm 0.028}$ & {*} &" in latex
    siunitx = report(metrics, "latex", latex_tables="siunitx", **table)
    assert r"linear & {$0.930 \pm 0.027$} & ? &" in siunitx
    assert "Mean A, B, C and D of every" in words_of(dict.fromkeys("ABCD", FOUR), parts="metrics")
    assert "4 candidates by A, B, C and D" in report(dict.fromkeys("ABCD", FOUR), "html")
    families = words_of(by_two_metrics(), parts="metrics")
    assert "by accuracy, two-sided p-values adjusted for 6 pairs" in families
    assert "by f1, two-sided p-values adjusted for 3 pairs" in families


def test_one_metric_has_its_table_where_it_is_asked_for():
    found = report(FOUR, parts="metrics")
    assert re.search(r"rbf +0\.9400 ± 0\.0277  \*", found)
    assert "within each" not in found
    assert "Marks tell" not in report(FOUR)


def test_a_caption_of_several_metrics_tells_which():
    metrics = {"ROC AUC": FOUR, "F1 (macro)": FOUR}
    table = {"parts": "ranking", "format": "latex"}
    own = report(metrics, caption={"ranking": "All {x} by {metric}."}, **table)
    bare = report(metrics, caption={"ranking": "All models."}, **table)
    for metric in metrics:
        assert rf"\caption{{All \{{x\}} by {metric}.}}" in own
        assert rf"\caption{{{metric}: All models.}}" in bare
    assert "** All models." not in bare
    assert r"\caption{All models.}" in report(FOUR, caption={"ranking": "All models."}, **table)
    assert r"\caption{By F1. " in report({"F1": FOUR}, caption="By {metric}.", **table)


def test_no_heading_of_latex_stands_over_tables_alone():
    # Tables float, which would leave the headings one upon the other.
    metrics = by_two_metrics()
    assert r"\paragraph" not in report(metrics, "latex", parts=["metrics", "ranking"])
    assert report(metrics, "latex").count(r"\paragraph{") == 2
    assert "accuracy\n--------" in report(metrics, parts=["metrics", "ranking"])


@needs_latex
def test_tables_of_eight_classifiers_fit_two_columns(tmp_path):
    names = ["logistic regression", "LDA", "SVM (RBF)", "random forest", "gradient boosting",
             "k-nearest neighbours", "naive Bayes", "decision tree"]  # fmt: skip
    noise = np.random.default_rng(0).normal(0, 0.02, (8, 30))
    values = np.linspace(0.95, 0.8, 8)[:, None] + noise
    scores = SplitScores(values, SplitDesign([90] * 30, [10] * 30, np.arange(30) // 10))
    eight = Comparison(scores, names, metric="ROC AUC")
    # What the guide recommends.
    narrow = {
        "ranking": ["label", "mean", "std_err", "possibly_best", "letters"],
        "leader": ["mean_diff", "ci_low", "ci_high", "p_val"],
    }
    bodies = []
    for style in ("booktabs", "plain"):
        drawn = {"format": "latex", "latex_tables": style}
        column = report(eight, latex_width="column", columns=narrow, **drawn)
        page = report({"ROC AUC": eight, "accuracy": eight}, latex_width="page", **drawn)
        assert r"\begin{table*}" not in column
        assert r"\begin{table*}" in page
        bodies += [column, page]
    found = compiled(bodies, tmp_path, options="[twocolumn]")
    wide = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt", found)]
    assert max(wide, default=0) <= 5, found


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"columns": ["p_val"]}, TypeError, "`columns` must be a mapping of tables to names"),
        ({"columns": {"prose": []}}, ValueError, "`columns` must be one of 'ranking', 'leader'"),
        ({"columns": {"leader": "p_val"}}, TypeError, r"`columns\['leader'\]` must be names of"),
        ({"columns": {"leader": ["p"]}}, ValueError, r"'leader'\]` must be one of 'model_1'.*'p'"),
        ({"columns": {"ranking": ["p_val"]}}, ValueError, "must be one of 'rank', 'label', 'mean'"),
        ({"latex_width": 3}, ValueError, "`latex_width` must be one of 'column', 'page'; got 3"),
        ({"digits": -1}, ValueError, r"`digits` must be a whole number from 0 to 15; got -1"),
        ({"digits": 2.5}, ValueError, "`digits` must be a whole number"),
        ({"digits": True}, ValueError, "`digits` must be a whole number"),
        ({"caption": 3}, TypeError, "`caption` must be text; got 3"),
        ({"caption": {"table": "a"}}, ValueError, "`caption` must be one of 'metrics', 'ranking'"),
        ({"caption": {"ranking": 3}}, TypeError, r"`caption\['ranking'\]` must be text"),
        ({"label": "a b"}, ValueError, "`label` must be ASCII letters, digits and any of"),
        ({"label": "a}{"}, ValueError, "`label` must be ASCII"),
        ({"label": 1}, TypeError, "`label` must be text"),
        ({"parts": ["tables"]}, ValueError, "`parts` must be one of 'prose', .*; got 'tables'"),
        ({"parts": 3}, TypeError, "`parts` must be names of parts"),
        ({"parts": [["prose"]]}, ValueError, "`parts` must be one of"),
        ({"cite": "apa"}, ValueError, "`cite` must be one of None, 'bibtex'; got 'apa'"),
        ({"latex_tables": "x"}, ValueError, "`latex_tables` must be one of 'booktabs', 'siunitx'"),
    ],
)
def test_bad_options_are_refused_in_every_format(options, error, words):
    for format in ("text", "json", "bibtex"):
        with pytest.raises(error, match=words):
            report(FOUR, format, **options)


@pytest.mark.parametrize(
    ("metrics", "error", "words"),
    [
        ({}, ValueError, "must hold at least one metric"),
        ({1: FOUR}, TypeError, "must have names of metrics as keys; got 1"),
        ({"a": [1]}, TypeError, "or be a mapping of metrics to such; got list"),
        (
            {"a": FOUR, "b": FOUR.with_settings(labels=list("abcd"))},
            *(ValueError, "must be of the same candidates by every metric; .*'b'"),
        ),
    ],
)
def test_bad_mappings_of_metrics_are_refused(metrics, error, words):
    with pytest.raises(error, match=words):
        report(metrics)
