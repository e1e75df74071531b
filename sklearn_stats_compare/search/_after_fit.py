"""AfterFit: methods that a search has after `fit` only."""

from collections.abc import Callable
from types import MethodType
from typing import Any

from sklearn.utils.validation import check_is_fitted


class AfterFit:
    """A method that does not exist before `fit`: hasattr is False, a call raises NotFittedError."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self._method = method
        self.__doc__ = method.__doc__
        self.__name__ = method.__name__

    def __get__(self, search: Any, owner: type | None = None) -> Any:
        if search is None:  # on the class, where documentation and completers look
            return self._method
        # NotFittedError is an AttributeError too, hence the False of hasattr.
        check_is_fitted(search, "cv_results_")
        return MethodType(self._method, search)
