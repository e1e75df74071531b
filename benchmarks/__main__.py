"""Run every benchmark, each in a process of its own, and write what they print and one table.

python -m benchmarks [file]
python -m benchmarks evidence [...]

The second form measures the tables of the documentation again: see `benchmarks.evidence`. In the
first, the simulations of error rates are left to `nox -s validity`, which asserts what they find.
`benchmarks.outputs` compares two states of the package, and `benchmarks.mutants` runs tests. Exits
with 1 where a benchmark passes a bound of its own.
"""

import subprocess
import sys
import time
from pathlib import Path

LEFT_OUT = {
    "calibration", "evidence", "hard_cells", "looks", "mutants", "nested", "outputs", "pareto",
    "probes", "samples",
}  # fmt: skip


def main(path):
    names = sorted(file.stem for file in Path(__file__).parent.glob("[!_]*.py"))
    lines = [f"{'benchmark':14}{'minutes':>9}  bounds"]
    met = True
    with open(path, "w") as file:
        for name in names:
            if name in LEFT_OUT:
                continue
            start = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-m", f"benchmarks.{name}"], stdout=subprocess.PIPE, text=True,
                check=False,
            )  # fmt: skip
            print(f"== {name}\n{done.stdout}", flush=True)
            file.write(f"== {name}\n{done.stdout}\n")
            minutes = (time.perf_counter() - start) / 60
            met &= done.returncode == 0
            lines.append(f"{name:14}{minutes:9.1f}  {'met' if done.returncode == 0 else 'NOT MET'}")
        summary = "\n".join(lines)
        print(summary)
        file.write(f"{summary}\n")
    return 0 if met else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["evidence"]:
        from benchmarks.evidence import main as evidence

        sys.exit(evidence(*sys.argv[2:]))
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "benchmark-results.txt"))
