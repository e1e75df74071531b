"""Arrays of existing predictions → responses that a scorer takes, or an error that says why not."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils.multiclass import type_of_target

from sklearn_stats_compare._messages import shown, shown_list
from sklearn_stats_compare.comparison import as_pandas, is_frame
from sklearn_stats_compare.predictions import CLASSES, ScorerReading

_TOLERANCE = 1e-3
"""Of sums of probabilities, which files round."""


class ArrayReader:
    """Reads predictions of models for one truth, as one metric needs them.

    Parameters
    ----------
    reading : ScorerReading
        What the metric needs.
    metric : str
        Its name, for messages.
    truth : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        The truth.
    classes : array-like, optional
        Order of the columns of probabilities. Default: the sorted classes of `truth`.
    """

    def __init__(
        self,
        reading: ScorerReading,
        metric: str,
        truth: NDArray[Any],
        classes: Any,
    ) -> None:
        self._methods, self._metric = reading.response_methods, metric
        self._shape = truth.shape
        self._labels = self._methods == ("predict",)
        of_classes = takes_classes(reading) if self._labels else True
        if self._methods and not self._labels and truth.ndim == 1:
            kind = type_of_target(truth)
            if kind not in ("binary", "multiclass"):
                raise ValueError(
                    f"`metric` {metric!r} needs classes as the truth; got a target of kind "
                    f"{kind!r}."
                )
        self.classes = self._given = None
        if of_classes and truth.ndim == 1:
            self._given = _checked_classes(truth, classes)
            self._order = np.argsort(self._given)
            self.classes = self._given[
                self._order
            ]  # sorted, as those of scikit-learn's classifiers
        elif classes is not None:
            raise ValueError(
                f"`classes` must be left out for {metric!r} and this truth, which have no classes."
            )

    def read(self, name: str, given: Any, n_repeats: int) -> list[dict[str, NDArray[Any]]]:
        """Responses of a model in each repeat, by name of the response, with the classes."""
        words = f"`predictions[{name!r}]`"
        return [self._response(words, part) for part in self._repeats(words, given, n_repeats)]

    def _repeats(self, words: str, given: Any, n_repeats: int) -> list[NDArray[Any]]:
        n = self._shape[0]
        if isinstance(given, list | tuple) and any(
            is_frame(item) or isinstance(item, pd.Series) for item in given
        ):
            parts = [self._array(words, item) for item in given]
            array = np.stack(parts) if len({part.shape for part in parts}) == 1 else np.empty(0)
        else:
            array = self._array(words, given)
        if n_repeats == 1 and array.shape[:1] == (n,) and array.shape[:2] != (1, n):
            array = array[None]
        if array.shape[:2] != (n_repeats, n):
            rule = f"({n}, …)" if n_repeats == 1 else f"({n_repeats}, {n}, …), repeats × samples"
            raise ValueError(f"{words} must have the shape {rule}; got {array.shape}.")
        missing = pd.isna(array)
        if missing.any():
            n_missing = int(missing.reshape(n_repeats, n, -1).any(axis=(0, 2)).sum())
            raise ValueError(
                f"{words} must have no missing values; got NaN for {n_missing} of {n} samples. "
                "Predict them too, or leave these samples out for every model."
            )
        return list(array)

    def _array(self, words: str, given: Any) -> NDArray[Any]:
        if is_frame(given):
            given = self._in_order(words, as_pandas(given))
        if isinstance(given, pd.DataFrame | pd.Series):
            given = given.to_numpy()
        if isinstance(given, np.ma.MaskedArray) and np.ma.getmaskarray(given).any():
            raise ValueError(f"{words} must have no missing values; got masked ones.")
        try:
            return np.asarray(given)
        except ValueError:  # rows of different lengths
            return np.empty(0)

    def _in_order(self, words: str, table: pd.DataFrame) -> pd.DataFrame:
        """Columns in the order of the classes that they are named after."""
        if self._given is None or isinstance(table.columns, pd.RangeIndex):
            return table
        known = {str(label): label for label in table.columns}
        wanted = [str(label) for label in self._given.tolist()]
        if sorted(known) != sorted(wanted):
            raise ValueError(
                f"{words} must have a column named after each class, {shown_list(wanted)}; got "
                f"{shown_list(known)}."
            )
        return table[[known[label] for label in wanted]]

    def _response(self, words: str, array: NDArray[Any]) -> dict[str, NDArray[Any]]:
        if self._labels:
            method, array = "predict", self._labelled(words, array)
        elif self.classes is None:  # several labels per sample
            self._check_shape(words, array, "a value of each label")
            method = "predict_proba" if "predict_proba" in self._methods else self._methods[0]
        else:
            method, array = self._scored(words, self._numeric(words, array))
        return {method: array} if self.classes is None else {method: array, CLASSES: self.classes}

    def _labelled(self, words: str, array: NDArray[Any]) -> NDArray[Any]:
        what = "the predicted class" if self.classes is not None else "the predicted value"
        self._check_shape(words, array, f"{what} of each sample")
        if self.classes is None:
            return self._numeric(words, array)
        known = set(self.classes.tolist())
        strange = [value for value in array.tolist() if value not in known]
        if strange:
            raise ValueError(
                f"{words} must be classes for {self._metric!r}, one of "
                f"{shown_list(map(repr, self.classes.tolist()))}; got {shown(strange[0])}. Turn "
                "probabilities and scores into classes with the threshold that the model uses."
            )
        return array.astype(self.classes.dtype) if array.dtype.kind == "O" else array

    def _scored(self, words: str, array: NDArray[Any]) -> tuple[str, NDArray[Any]]:
        """Name of the response that these scores or probabilities are, and the response."""
        assert self.classes is not None
        n_classes, methods = len(self.classes), self._methods
        if array.ndim == 1:
            if n_classes != 2:
                self._check_shape(words, array, "", n_classes)
            if array.dtype.kind in "biu" and set(array.tolist()) <= set(self.classes.tolist()):
                raise ValueError(
                    f"{words} must be scores or probabilities for {self._metric!r}; got only "
                    f"classes. Predict with method={methods[0]!r}."
                )
            if "decision_function" in methods:
                sign = 1.0 if self._order[0] == 0 else -1.0
                return "decision_function", sign * array.astype(np.float64)
            positive = array.astype(np.float64)
            array = np.column_stack([1 - positive, positive])
        self._check_shape(words, array, "", n_classes)
        array = array[:, self._order]
        problem = _not_probabilities(array)
        if "predict_proba" in methods and not problem:
            return "predict_proba", array
        if "decision_function" in methods and n_classes > 2:
            return "decision_function", array
        raise ValueError(
            f"{words} must be probabilities for {self._metric!r}, a column for each of the classes "
            f"{shown_list(map(repr, self.classes.tolist()))} or, with two classes, those of the "
            f"second; got {problem or 'probabilities, but it needs ' + methods[0]}."
        )

    def _numeric(self, words: str, array: NDArray[Any]) -> NDArray[Any]:
        if array.dtype.kind == "O":
            with suppress(TypeError, ValueError):
                array = array.astype(np.float64)
        if array.dtype.kind not in "biuf":
            raise ValueError(
                f"{words} must be numbers for {self._metric!r}; got {shown(array.ravel()[0])}."
            )
        return array

    def _check_shape(
        self, words: str, array: NDArray[Any], what: str, n_classes: int | None = None
    ) -> None:
        shape = self._shape if n_classes is None else (self._shape[0], n_classes)
        if array.shape != shape:
            what = what or f"a column for each of the {n_classes} classes"
            raise ValueError(
                f"{words} must have {what}, shape {shape}, for {self._metric!r}; got shape "
                f"{array.shape}."
            )


def takes_classes(reading: ScorerReading) -> bool:
    """Whether a score of `predict` compares classes: such functions refuse fractions."""
    try:
        reading.score(np.array([1, 2]), np.array([1.25, 1.75]))
    except (TypeError, ValueError):
        return True
    return False


def _checked_classes(truth: NDArray[Any], classes: Any) -> NDArray[Any]:
    found = np.unique(truth)
    if classes is None:
        return found
    given = list(classes) if isinstance(classes, Sequence | np.ndarray) else []
    if isinstance(classes, str) or len({*given}) < max(len(given), 2):
        raise ValueError(f"`classes` must be at least two different classes; got {shown(classes)}.")
    absent = [label for label in found.tolist() if label not in given]
    if absent:
        raise ValueError(
            f"`classes` must contain every class of `y`; got {shown(classes)}, without "
            f"{shown_list(map(repr, absent))}."
        )
    return np.asarray(given)


def _not_probabilities(array: NDArray[Any]) -> str:
    """Why rows are not probabilities; empty if they are."""
    outside = (array < 0) | (array > 1)
    if outside.any():
        return f"{float(array[outside][0])!r}"
    sums = array.sum(axis=1)
    worst = float(sums[np.abs(sums - 1).argmax()])
    return f"a row with the sum {worst!r}" if abs(worst - 1) > _TOLERANCE else ""
