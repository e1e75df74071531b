"""ByMetric: the comparisons of one cross-validation, a dict with a readable representation."""

from html import escape
from typing import Any

from sklearn_stats_compare._messages import shown, shown_list, visible


class ByMetric(dict[str, Any]):
    """A comparison for each metric, of one data set or over several, under scikit-learn's names.

    A single metric has the key "score", as in ``cross_validate``, and its own name works too.
    """

    def __missing__(self, key: Any) -> Any:
        """The only comparison, if `key` is its metric."""
        own = self.get("score")
        if own is not None and key == own.metric:
            return own
        names = [*self, *([own.metric] if own is not None and own.metric != "score" else [])]
        raise KeyError(f"no metric {shown(key)}; the keys are {shown_list(map(repr, names))}")

    def __repr__(self) -> str:
        return "\n\n".join(f"[{key!r}]\n{comparison!r}" for key, comparison in self.items())

    def _repr_html_(self) -> str:
        return "".join(
            f"<p><code>[{escape(visible(repr(key)))}]</code></p>{comparison._repr_html_()}"
            for key, comparison in self.items()
        )
