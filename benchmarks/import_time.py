"""What importing the package adds to scikit-learn's own import; a ratio of one run.

python -m benchmarks.import_time

Each import is timed inside a fresh interpreter, so that the interpreter's own start is in neither.
"""

import statistics
import subprocess
import sys

N_RUNS = 21
BOUND = 1.15
IMPORTS = {
    "sklearn.model_selection": "import sklearn.model_selection",
    "and sklearn_stats_compare": "import sklearn.model_selection, sklearn_stats_compare",
}


def seconds(statement):
    code = (
        f"import time; start = time.perf_counter(); {statement};print(time.perf_counter() - start)"
    )
    return float(
        subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True).stdout
    )


def main():
    times = {name: [] for name in IMPORTS}
    for run in range(N_RUNS + 1):
        for name, statement in IMPORTS.items():  # in turn: a slow moment of the machine hits both
            found = seconds(statement)
            if run:  # the first fills the file cache
                times[name].append(found)
    median = {name: statistics.median(values) for name, values in times.items()}
    plain, ours = median.values()
    print(f"Imports in fresh interpreters; medians of {N_RUNS} runs in turn")
    for name, value in median.items():
        print(f"{name:26}{value:8.3f} s")
    print(f"{'ratio':26}{ours / plain:8.3f}{'<':>5}{BOUND:5.2f}")
    met = ours / plain < BOUND
    print("within the bound" if met else "OUT OF BOUNDS")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
