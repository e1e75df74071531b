"""Many logistic regressions at once: each model on each split, by one batched Newton iteration.

They are scikit-learn's LogisticRegression to the last bit that a score can show (tests/validity
checks it), some fifty times faster for small models, so that thousands of data sets can be
simulated.
"""

import numpy as np
from scipy.special import expit

_MOST_STEPS = 50


def decisions(X, y, train, C=1.0):
    """Decision values of every model, fitted on every split, for all samples.

    Parameters
    ----------
    X : ndarray of float, shape (n_models, n_samples, n_features)
        Features of each model.
    y : ndarray of bool, shape (n_samples,)
        Classes.
    train : ndarray of bool, shape (n_splits, n_samples)
        What each split trains on.
    C : float or ndarray of float, shape (n_models,)
        Inverse of the penalty, as for LogisticRegression; the intercept is not penalised.

    Returns
    -------
    ndarray of float, shape (n_models, n_samples, n_splits)
    """
    n_models, n_samples, n_features = X.shape
    design = np.concatenate([X, np.ones((n_models, n_samples, 1))], axis=2)
    p = n_features + 1
    products = (design[:, :, :, None] * design[:, :, None, :]).reshape(n_models, n_samples, p * p)
    penalty = np.append(np.ones(n_features), 0.0) / np.broadcast_to(C, n_models)[:, None]
    weight = train.T.astype(float)  # (n_samples, n_splits)
    coef = np.zeros((n_models, p, len(train)))
    value = np.zeros((n_models, n_samples, len(train)))
    sign = np.where(y, -1.0, 1.0)[:, None]

    def objective(coef, value):
        penalties = (penalty[:, :, None] * coef**2).sum(axis=1) / 2
        return (weight * np.logaddexp(0, sign * value)).sum(axis=1) + penalties

    lowest = objective(coef, value)
    for _ in range(_MOST_STEPS):
        probability = expit(value)
        slope = design.transpose(0, 2, 1) @ (weight * (probability - y[:, None]))
        slope += penalty[:, :, None] * coef
        curvature = products.transpose(0, 2, 1) @ (weight * probability * (1 - probability))
        hessian = curvature.reshape(n_models, p, p, -1).transpose(0, 3, 1, 2)
        hessian = hessian + (penalty[:, None, :] * np.eye(p)[None])[:, None]
        step = np.linalg.solve(hessian, slope.transpose(0, 2, 1)[..., None])[..., 0]
        step = step.transpose(0, 2, 1).copy()
        for _ in range(_MOST_STEPS):  # a whole step can leave the valley where a penalty is weak
            value = design @ (coef - step)
            reached = objective(coef - step, value)
            too_far = reached > lowest + 1e-9 * np.abs(lowest)
            if not too_far.any():
                break
            step = np.where(too_far[:, None], step / 2, step)
        coef, lowest = coef - step, reached
        if np.abs(step).max() < 1e-8:
            return value
    raise RuntimeError(f"Newton's method did not converge in {_MOST_STEPS} steps.")


def accuracies(value, y, test):
    """Accuracy of every model on every split's test samples, (n_models, n_splits)."""
    right = (value > 0) == y[:, None]
    tested = test.T
    return (right & tested).sum(axis=1) / tested.sum(axis=0)


def areas(value, y, test):
    """Area under the ROC curve, likewise; ties count half."""
    columns = []
    for split in range(len(test)):
        positive = value[:, test[split] & y, split]
        negative = value[:, test[split] & ~y, split]
        ahead = positive[:, :, None] - negative[:, None, :]
        columns.append((np.sign(ahead).mean(axis=(1, 2)) + 1) / 2)
    return np.stack(columns, axis=1)


def log_losses(value, y, test):
    """Log loss of every model on every split's test samples, (n_models, n_splits)."""
    loss = np.logaddexp(0, np.where(y[:, None], -value, value))
    tested = test.T
    return (loss * tested).sum(axis=1) / tested.sum(axis=0)


def masks(cv, y):
    """Train and test masks of a splitter's splits, two arrays (n_splits, n_samples)."""
    splits = list(cv.split(np.zeros(len(y)), y))
    train, test = np.zeros((2, len(splits), len(y)), dtype=bool)
    for k, (train_index, test_index) in enumerate(splits):
        train[k, train_index], test[k, test_index] = True, True
    return train, test


def equal_blocks(rng, *, n_samples, n_models=10, n_features=5, shift=0.4, share=0.5):
    """A data set on which `n_models` models, each on features of its own, are equally good.

    Given the class the features are independent normals, shifted by ± `shift` alike, so that the
    models are exchangeable: whatever their scores, their expectations are equal. The best that a
    model can do is an accuracy of Φ(shift·√n_features), 0.81 with the defaults. `share` is that of
    the positive class.
    """
    y = rng.random(n_samples) < share
    X = rng.standard_normal((n_models, n_samples, n_features))
    X += shift * np.where(y, 1.0, -1.0)[:, None]
    return X, y
