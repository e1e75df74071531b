"""Models over several data sets: ranks, tests, posteriors and tables. Adds nothing to comparison/."""
