"""Fit given models on data and compare them. Adds scikit-learn."""
