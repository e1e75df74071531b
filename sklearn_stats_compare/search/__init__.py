"""Searches that keep and compare what they measure. Adds scikit-learn's searches to comparison/."""
