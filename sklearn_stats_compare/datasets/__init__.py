"""Models over several data sets: ranks, tests, posteriors and tables. May import comparison/."""
