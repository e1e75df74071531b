"""Named models: labels, tables, verdicts over the numbers of `stats`. Adds pandas."""
