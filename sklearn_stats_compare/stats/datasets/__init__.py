"""Tests of several models over several data sets. A row of a table is one data set."""
