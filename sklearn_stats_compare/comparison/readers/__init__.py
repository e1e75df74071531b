"""Readers of what `compare` takes. No package is imported to recognise its objects."""
