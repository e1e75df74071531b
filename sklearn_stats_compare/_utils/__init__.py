"""Checks of arguments, warnings, formatting. Imports NumPy only; every folder may import it."""
