"""Made the ledger and the pickle of 0.1.0 in `data_0_1`; run by its last commit, on the floors.

The reference is what that version printed of them. Later versions read both, or say why not.
"""

import json
import pickle
from pathlib import Path

from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from sklearn_stats_compare import Ledger, StatisticalGridSearchCV

HERE = Path(__file__).parent / "data_0_1"
X, y = load_iris(return_X_y=True)


def search(ledger=None):
    """A search whose pickle has no fitted model of scikit-learn, which may not load elsewhere."""
    return StatisticalGridSearchCV(
        LogisticRegression(max_iter=200),
        {"C": [0.001, 0.1, 10.0]},
        cv=StratifiedKFold(5, shuffle=True, random_state=0),
        refit=False,
        test="samples",
        return_predictions="values",
        ledger=ledger,
    )


if __name__ == "__main__":
    (HERE / "ledger.sqlite").unlink(missing_ok=True)
    fitted = search(Ledger(HERE / "ledger.sqlite")).fit(X, y)
    fitted.set_params(ledger=None)  # its path is of the machine that made it
    (HERE / "search.pickle").write_bytes(pickle.dumps(fitted, protocol=4))
    table = fitted.pairwise_frequentist_
    reference = {
        "scores": fitted.comparison_.scores.values.tolist(),
        "p_val": table["p_val"].tolist(),
        "verdict": table["verdict"].tolist(),
    }
    (HERE / "reference.json").write_text(json.dumps(reference, indent=1) + "\n")
