"""Tests on one test set."""
