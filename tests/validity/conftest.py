"""Bands of simulated rates, and what simulations print while they run."""

import time

import pytest


@pytest.fixture
def contradicted():
    """Function that names the rates which contradict their band.

    A rate contradicts its band only if the rate ± 2 standard errors lies wholly outside.
    """

    def contradicted(found, bands):
        names = []
        for name, (low, high) in bands.items():
            rate, error = found[name]
            if rate + 2 * error < low or rate - 2 * error > high:
                names.append(name)
        return names

    return contradicted


@pytest.fixture
def show(capsys):
    """Function that prints what a simulation found, and the time since its test began."""
    start = time.perf_counter()

    def show(*lines):
        with capsys.disabled():
            print("", *lines, f"{time.perf_counter() - start:.0f} s", sep="\n")

    return show
