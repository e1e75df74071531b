"""Predictions of fitted estimators: recorded during scoring, stored, and turned into values.

Adds scikit-learn and pandas to stats/. The folders that fit estimators use it.
"""
