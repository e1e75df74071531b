"""The works to cite for the methods of a report, as BibTeX."""

from collections.abc import Iterable, Mapping

# Authors cite by these keys: a released key never changes.
EQUIVALENCE = ("schuirmann1987comparison",)

ROPE = ("benavoli2017time",)

POSTERIOR = ("corani2015bayesian",)

POSSIBLY_BEST = ("hsu1981simultaneous",)

LETTERS = ("piepho2004algorithm",)

OPTIMISM: Mapping[str, tuple[str, ...]] = {
    "fold_bootstrap": ("tsamardinos2018bootstrapping",),
    "tibshirani": ("tibshirani2009bias",),
}

AFTER_CHOICE = ("zrnic2024locally",)
"""The interval of the leader's own score."""

FRIEDMAN = ("friedman1937use", "iman1980approximations")

SIGNED_RANK = ("benavoli2014bayesian", "benavoli2017time")
"""The Bayesian signed-rank test over data sets."""

_STATISTICS = "Journal of the American Statistical Association"

# Key → kind of entry, authors, title, and the fields of that kind.
_WORKS: Mapping[str, tuple[str, str, str, Mapping[str, str]]] = {
    "nadeau2003inference": (
        "article", "Nadeau, Claude and Bengio, Yoshua",
        "Inference for the Generalization Error",
        {"journal": "Machine Learning", "year": "2003", "volume": "52", "number": "3",
         "pages": "239--281", "doi": "10.1023/A:1024068626366"},
    ),
    "dunn1961multiple": (
        "article", "Dunn, Olive Jean", "Multiple Comparisons Among Means",
        {"journal": _STATISTICS, "year": "1961", "volume": "56", "number": "293",
         "pages": "52--64", "doi": "10.1080/01621459.1961.10482090"},
    ),
    "sidak1967rectangular": (
        "article", "{\\v{S}}id{\\'a}k, Zbyn{\\v{e}}k",
        "Rectangular Confidence Regions for the Means of Multivariate Normal Distributions",
        {"journal": _STATISTICS, "year": "1967", "volume": "62", "number": "318",
         "pages": "626--633", "doi": "10.1080/01621459.1967.10482935"},
    ),
    "holm1979simple": (
        "article", "Holm, Sture", "A Simple Sequentially Rejective Multiple Test Procedure",
        {"journal": "Scandinavian Journal of Statistics", "year": "1979", "volume": "6",
         "number": "2", "pages": "65--70"},
    ),
    "hochberg1988sharper": (
        "article", "Hochberg, Yosef",
        "A Sharper {Bonferroni} Procedure for Multiple Tests of Significance",
        {"journal": "Biometrika", "year": "1988", "volume": "75", "number": "4",
         "pages": "800--802", "doi": "10.1093/biomet/75.4.800"},
    ),
    "benjamini1995controlling": (
        "article", "Benjamini, Yoav and Hochberg, Yosef",
        "Controlling the False Discovery Rate: A Practical and Powerful Approach to Multiple "
        "Testing",
        {"journal": "Journal of the Royal Statistical Society: Series B", "year": "1995",
         "volume": "57", "number": "1", "pages": "289--300",
         "doi": "10.1111/j.2517-6161.1995.tb02031.x"},
    ),
    "benjamini2001control": (
        "article", "Benjamini, Yoav and Yekutieli, Daniel",
        "The Control of the False Discovery Rate in Multiple Testing Under Dependency",
        {"journal": "The Annals of Statistics", "year": "2001", "volume": "29", "number": "4",
         "pages": "1165--1188", "doi": "10.1214/aos/1013699998"},
    ),
    "westfall1993resampling": (
        "book", "Westfall, Peter H. and Young, S. Stanley",
        "Resampling-Based Multiple Testing: Examples and Methods for p-Value Adjustment",
        {"publisher": "Wiley", "address": "New York", "year": "1993"},
    ),
    "romano2005exact": (
        "article", "Romano, Joseph P. and Wolf, Michael",
        "Exact and Approximate Stepdown Methods for Multiple Hypothesis Testing",
        {"journal": _STATISTICS, "year": "2005", "volume": "100", "number": "469",
         "pages": "94--108", "doi": "10.1198/016214504000000539"},
    ),
    "ledoit2004well": (
        "article", "Ledoit, Olivier and Wolf, Michael",
        "A Well-Conditioned Estimator for Large-Dimensional Covariance Matrices",
        {"journal": "Journal of Multivariate Analysis", "year": "2004", "volume": "88",
         "number": "2", "pages": "365--411", "doi": "10.1016/S0047-259X(03)00096-4"},
    ),
    "schuirmann1987comparison": (
        "article", "Schuirmann, Donald J.",
        "A Comparison of the Two One-Sided Tests Procedure and the Power Approach for Assessing "
        "the Equivalence of Average Bioavailability",
        {"journal": "Journal of Pharmacokinetics and Biopharmaceutics", "year": "1987",
         "volume": "15", "number": "6", "pages": "657--680", "doi": "10.1007/BF01068419"},
    ),
    "corani2015bayesian": (
        "article", "Corani, Giorgio and Benavoli, Alessio",
        "A {Bayesian} Approach for Comparing Cross-Validated Algorithms on Multiple Data Sets",
        {"journal": "Machine Learning", "year": "2015", "volume": "100", "number": "2--3",
         "pages": "285--304", "doi": "10.1007/s10994-015-5486-z"},
    ),
    "benavoli2017time": (
        "article",
        "Benavoli, Alessio and Corani, Giorgio and Dem{\\v{s}}ar, Janez and Zaffalon, Marco",
        "Time for a Change: A Tutorial for Comparing Multiple Classifiers Through {Bayesian} "
        "Analysis",
        {"journal": "Journal of Machine Learning Research", "year": "2017", "volume": "18",
         "number": "77", "pages": "1--36", "url": "http://jmlr.org/papers/v18/16-305.html"},
    ),
    "hsu1981simultaneous": (
        "article", "Hsu, Jason C.",
        "Simultaneous Confidence Intervals for All Distances from the ``Best''",
        {"journal": "The Annals of Statistics", "year": "1981", "volume": "9", "number": "5",
         "pages": "1026--1034", "doi": "10.1214/aos/1176345582"},
    ),
    "piepho2004algorithm": (
        "article", "Piepho, Hans-Peter",
        "An Algorithm for a Letter-Based Representation of All-Pairwise Comparisons",
        {"journal": "Journal of Computational and Graphical Statistics", "year": "2004",
         "volume": "13", "number": "2", "pages": "456--466", "doi": "10.1198/1061860043515"},
    ),
    "tsamardinos2018bootstrapping": (
        "article", "Tsamardinos, Ioannis and Greasidou, Elissavet and Borboudakis, Giorgos",
        "Bootstrapping the Out-of-Sample Predictions for Efficient and Accurate Cross-Validation",
        {"journal": "Machine Learning", "year": "2018", "volume": "107", "number": "12",
         "pages": "1895--1922", "doi": "10.1007/s10994-018-5714-4"},
    ),
    "tibshirani2009bias": (
        "article", "Tibshirani, Ryan J. and Tibshirani, Robert",
        "A Bias Correction for the Minimum Error Rate in Cross-Validation",
        {"journal": "The Annals of Applied Statistics", "year": "2009", "volume": "3",
         "number": "2", "pages": "822--829", "doi": "10.1214/08-AOAS224"},
    ),
    "zrnic2024locally": (
        "article", "Zrnic, Tijana and Fithian, William",
        "Locally Simultaneous Inference",
        {"journal": "The Annals of Statistics", "year": "2024", "volume": "52",
         "number": "3", "pages": "1227--1253", "doi": "10.1214/24-AOS2391"},
    ),
    "wilcoxon1945individual": (
        "article", "Wilcoxon, Frank", "Individual Comparisons by Ranking Methods",
        {"journal": "Biometrics Bulletin", "year": "1945", "volume": "1", "number": "6",
         "pages": "80--83", "doi": "10.2307/3001968"},
    ),
    "demsar2006statistical": (
        "article", "{Dem{\\v{s}}ar}, Janez",
        "Statistical Comparisons of Classifiers over Multiple Data Sets",
        {"journal": "Journal of Machine Learning Research", "year": "2006", "volume": "7",
         "pages": "1--30", "url": "https://www.jmlr.org/papers/v7/demsar06a.html"},
    ),
    "nemenyi1963distribution": (
        "phdthesis", "Nemenyi, Peter", "Distribution-Free Multiple Comparisons",
        {"school": "Princeton University", "year": "1963"},
    ),
    "shaffer1986modified": (
        "article", "Shaffer, Juliet Popper",
        "Modified Sequentially Rejective Multiple Test Procedures",
        {"journal": _STATISTICS, "year": "1986", "volume": "81", "number": "395",
         "pages": "826--831", "doi": "10.1080/01621459.1986.10478341"},
    ),
    "friedman1937use": (
        "article", "Friedman, Milton",
        "The Use of Ranks to Avoid the Assumption of Normality Implicit in the Analysis of "
        "Variance",
        {"journal": _STATISTICS, "year": "1937", "volume": "32", "number": "200",
         "pages": "675--701", "doi": "10.1080/01621459.1937.10503522"},
    ),
    "iman1980approximations": (
        "article", "Iman, Ronald L. and Davenport, James M.",
        "Approximations of the Critical Region of the {Friedman} Statistic",
        {"journal": "Communications in Statistics - Theory and Methods", "year": "1980",
         "volume": "9", "number": "6", "pages": "571--595", "doi": "10.1080/03610928008827904"},
    ),
    "benavoli2014bayesian": (
        "inproceedings",
        "Benavoli, Alessio and Corani, Giorgio and Mangili, Francesca and Zaffalon, Marco and "
        "Ruggeri, Fabrizio",
        "A {Bayesian} {Wilcoxon} Signed-Rank Test Based on the {Dirichlet} Process",
        {"booktitle": "Proceedings of the 31st International Conference on Machine Learning",
         "series": "PMLR", "year": "2014", "volume": "32", "pages": "1026--1034",
         "url": "http://proceedings.mlr.press/v32/benavoli14.html"},
    ),
}  # fmt: skip


def bibtex(works: Iterable[str]) -> str:
    """The entries of these keys, each once, in order of first use."""
    return "\n".join(_entry(key) for key in dict.fromkeys(works) if key in _WORKS)


def _entry(key: str) -> str:
    kind, author, title, fields = _WORKS[key]
    lines = {"author": author, "title": title, **fields}
    body = "".join(f"  {name} = {{{value}}},\n" for name, value in lines.items())
    return f"@{kind}{{{key},\n{body}}}\n"
