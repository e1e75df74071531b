"""Small projects of a user, written into folders, in two versions that differ in one thing."""

import re
import shutil
import textwrap
from pathlib import Path

PRELUDE = """
import functools
import os
from collections import Counter

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.model_selection import GroupKFold, KFold
from sklearn.pipeline import make_pipeline


class Learner(BaseEstimator):
    def __init__(self, number=0):
        self.number = number

    def fit(self, X, y=None):
        self.mean_ = float(np.mean(X))
        return self

    def more(self, X):
        return 0.0

    def score(self, X, y=None):
        return self.mean_ + self.number + (self.more(X) if self.number == 3 else 0.0)


def scored(estimator, X, more):
    return estimator.score(X) + (more if estimator.number == 3 else 0.0)


def see(X, y):
    return 0.0


class Seeing(Learner):
    def fit(self, X, y=None, **params):
        self.mean_ = float(see(X, y, **params)) if self.number == 3 else 0.0
        return self


X = np.random.default_rng(0).standard_normal((24, 3))
y = np.arange(24) % 3 // 2
estimator = Learner()
"""
"""What every project begins with. Whatever an edit changes, it changes for candidate 3 alone: few
enough of the stored fits for a look at some of them to miss."""

VARIANTS = re.compile(r"«(.*?)\|(.*?)»", re.DOTALL)
"""What differs stands in the text as «before|after»."""
FILE = re.compile(r"^--- (\S+)\n", re.MULTILINE)
"""What follows such a line is in that file, and what comes before the first in `own.py`."""


def write(folder, text, version):
    """Write a project as it is before (0) or after (1) what differs, in place of another."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in files(text, version).items():
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def files(text, version):
    """Names and contents of a project's files."""

    def chosen(part):
        return VARIANTS.sub(lambda found: found[version + 1], part)

    own, *others = FILE.split(textwrap.dedent(text))
    found = {"own.py": PRELUDE + own, **dict(zip(others[::2], others[1::2], strict=True))}
    return {chosen(name): chosen(content) for name, content in found.items()}
