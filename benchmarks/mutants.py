"""Print how many small mistakes in the package the tests notice, and which they do not.

python -m benchmarks.mutants [--number 150] [--seed 0] [--jobs 2] [--out mutants.json] [-- ...]

Draws mutants of the package at random, over all folders: an operator, a constant, two arguments or
a statement is changed inside a function. A first run of all tests notes which of them, and which
shared fixtures, reach a changed line. Then every mutant runs against those tests, the quick ones
first, until one fails. Works in copies of this folder; arguments after `--` go to pytest.
"""

import argparse
import ast
import contextlib
import gc
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import types
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

PACKAGE = "sklearn_stats_compare"
ENDLESS = 60  # seconds, beside ten times what a test took, after which a mutant is noticed
STATUSES = ("killed", "survives", "unreached")


@dataclass(frozen=True)
class Mutant:
    """A piece of a file, by lines and columns, and what stands in its place."""

    path: str
    kind: str
    line: int  # of the statement, which says whether a test reaches it
    start: tuple[int, int]
    end: tuple[int, int]
    old: str
    new: str

    def applied(self, text):
        """Return the file's text with the change; its lines stay where they are."""
        lines = text.encode().split(b"\n")
        (first, low), (last, high) = self.start, self.end
        new = self.new.encode() + b"\n" * (last - first)
        lines[first - 1 : last] = (lines[first - 1][:low] + new + lines[last - 1][high:]).split(
            b"\n"
        )
        return b"\n".join(lines).decode()


COMPARISONS = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
}  # fmt: skip
ARITHMETIC = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"), ast.Mod: ("%", "*"), ast.Pow: ("**", "*"), ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}  # fmt: skip
LOGIC = {ast.And: ("and", "or"), ast.Or: ("or", "and")}
# Every call fails with swapped arguments, or none does.
UNSWAPPED = {"isinstance", "issubclass", "getattr", "hasattr", "setattr", "max", "min"}


def mutants_of(path, text):
    """Every change that can be made inside the functions of a file."""
    lines = text.encode().split(b"\n")
    found = []

    def between(left, right, old, new, kind, line):
        """An operator, which no node has the place of."""
        first, low, last, high = (
            left.end_lineno, left.end_col_offset, right.lineno, right.col_offset,
        )  # fmt: skip
        if first != last:
            return
        piece = lines[first - 1][low:high].decode()
        if piece.count(old) == 1:
            replaced = piece.replace(old, new)
            found.append(Mutant(path, kind, line, (first, low), (last, high), piece, replaced))

    def whole(node, new, kind, line):
        start, end = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
        old = ast.get_source_segment(text, node)
        found.append(Mutant(path, kind, line, start, end, old, new))

    def expression(node, line):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for left, op, right in zip(sides, node.ops, sides[1:], strict=False):
                between(left, right, *COMPARISONS[type(op)], "comparison", line)
        elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
            if not any(
                isinstance(side, ast.JoinedStr)
                or (isinstance(side, ast.Constant) and isinstance(side.value, str))
                for side in (node.left, node.right)
            ):
                between(node.left, node.right, *ARITHMETIC[type(node.op)], "arithmetic", line)
        elif isinstance(node, ast.BoolOp):
            for left, right in zip(node.values, node.values[1:], strict=False):
                between(left, right, *LOGIC[type(node.op)], "logic", line)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
            whole(node, f"({ast.get_source_segment(text, node.operand)})", "sign", line)
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, bool):
                whole(node, str(not node.value), "constant", line)
            elif isinstance(node.value, int):
                whole(node, str(node.value + 1), "constant", line)
            elif isinstance(node.value, float):
                whole(node, repr(node.value * 1.1 or 0.1), "constant", line)
        elif isinstance(node, ast.Call) and len(node.args) > 1:
            if isinstance(node.func, ast.Name) and node.func.id in UNSWAPPED:
                return
            one, two = node.args[:2]
            if not isinstance(one, ast.Starred) and not isinstance(two, ast.Starred):
                pieces = [ast.get_source_segment(text, arg) for arg in (one, two)]
                if pieces[0] != pieces[1] and one.lineno == two.end_lineno:
                    start, end = (one.lineno, one.col_offset), (two.lineno, two.end_col_offset)
                    old = lines[start[0] - 1][start[1] : end[1]].decode()
                    new = f"{pieces[1]}, {pieces[0]}"
                    found.append(Mutant(path, "arguments", line, start, end, old, new))

    def walk(node, line):
        if isinstance(node, ast.JoinedStr | ast.arguments):
            return  # words, and what is read when the function is made
        if isinstance(node, ast.expr):
            expression(node, line)
        for child in ast.iter_child_nodes(node):
            statement(child, line) if isinstance(child, ast.stmt) else walk(child, line)

    def statement(node, line):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for child in node.body:
                statement(child, child.lineno)
            return
        if isinstance(node, ast.ClassDef | ast.Import | ast.ImportFrom):
            for child in getattr(node, "body", []):
                if isinstance(child, ast.FunctionDef | ast.ClassDef):
                    statement(child, 0)
            return
        if line == 0:
            return
        line = node.lineno
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return  # a docstring
        if isinstance(node, ast.Expr | ast.AugAssign | ast.Continue | ast.Break):
            whole(node, "pass", "statement", line)
        if isinstance(node, ast.Raise):
            whole(node, "pass", "statement", line)
            return  # the words of an error
        if isinstance(node, ast.If):
            whole(node.test, f"not ({ast.get_source_segment(text, node.test)})", "condition", line)
        if isinstance(node, ast.AnnAssign):
            walk(node.value, line) if node.value else None
            return
        walk(node, line)

    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            statement(node, 0)
    return found


def drawn(number, seed):
    """Mutants that compile, at random over all lines that have any, one to a line."""
    by_line = {}
    for file in sorted(Path(PACKAGE).rglob("*.py")):
        for mutant in mutants_of(file.as_posix(), file.read_text()):
            by_line.setdefault((mutant.path, mutant.line), []).append(mutant)
    rng = random.Random(seed)
    chosen = []
    for line in rng.sample(sorted(by_line), len(by_line)):
        mutant = rng.choice(by_line[line])
        try:
            compile(mutant.applied(Path(mutant.path).read_text()), mutant.path, "exec")
        except SyntaxError:
            continue
        chosen.append(mutant)
        if len(chosen) == number:
            break
    return sorted(chosen, key=lambda m: (m.path, m.line))


# The first run: which tests reach which line, and how long they take.

REACHED = """
import os
_seen = set()

def reach(k):
    context = os.environ.get("REACHING_FIXTURE") or os.environ.get("PYTEST_CURRENT_TEST", "")
    if context and (k, context) not in _seen:
        _seen.add((k, context))
        with open(os.environ["REACHED"], "a") as file:
            file.write(f"{k}\\t{context}\\n")
"""


class Reaching(ast.NodeTransformer):
    """Puts a call before the statements that mutants change."""

    def __init__(self, numbers):
        self.numbers = numbers  # of mutants, by line

    def generic_visit(self, node):
        super().generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            found = getattr(node, name, None)
            if isinstance(found, list):
                setattr(node, name, [new for old in found for new in (*self.calls(old), old)])
        return node

    def calls(self, statement):
        for k in self.numbers.get(statement.lineno, ()):
            yield ast.parse(f"__import__('reached_lines').reach({k})").body[0]


def instrument(folder, mutants):
    """Have every changed line of a copy write down which test reaches it."""
    (folder / "reached_lines.py").write_text(REACHED)
    for path in {mutant.path for mutant in mutants}:
        numbers = {}
        for k, mutant in enumerate(mutants):
            if mutant.path == path:
                numbers.setdefault(mutant.line, []).append(k)
        tree = Reaching(numbers).visit(ast.parse((folder / path).read_text()))
        (folder / path).write_text(ast.unparse(ast.fix_missing_locations(tree)))


class Noting:
    """A plugin of the first run: durations, and fixtures, which all their users reach."""

    def __init__(self):
        self.seconds = Counter()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef, request):
        outer = os.environ.get("REACHING_FIXTURE", "")
        if fixturedef.scope != "function":
            os.environ["REACHING_FIXTURE"] = f"fixture {fixturedef.argname}"
        try:
            return (yield)
        finally:
            os.environ["REACHING_FIXTURE"] = outer

    def pytest_runtest_logreport(self, report):
        self.seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self, session):
        if "PYTEST_XDIST_WORKER" not in os.environ:
            Path(os.environ["SECONDS"]).write_text(json.dumps(self.seconds))


def pytest_configure(config):
    """As a plugin of the first run, in each of its processes."""
    if "REACHED" in os.environ:
        config.pluginmanager.register(Noting())


def first_run(mutants, work, jobs, arguments):
    """Write down what reaches each mutant, and the seconds of each test."""
    instrument(copied(work / "first"), mutants)
    places = {"REACHED": str(work / "reached"), "SECONDS": str(work / "seconds.json")}
    command = ["-m", "pytest", "-q", "-n", str(jobs), "-p", "benchmarks.mutants", *arguments]
    done = started(work / "first", command, work / "first.log", **places).wait()
    print((work / "first.log").read_text().strip().splitlines()[-1], f"(exit code {done})")


# The other runs: the tests are collected once, and a process is forked for each mutant.


class Serving:
    """A plugin that runs, for each mutant, the tests that reach it, until one fails."""

    def __init__(self, plan):
        self.todo = plan["todo"]
        self.out, self.seconds = plan["out"], json.loads(Path(plan["seconds"]).read_text())
        self.reached = {}
        for line in Path(plan["reached"]).read_text().splitlines():
            k, _, context = line.partition("\t")
            self.reached.setdefault(k, set()).add(context)

    def pytest_runtestloop(self, session):
        gc.unfreeze()  # pytest freezes what it has collected, and `get_objects` would miss it
        gc.collect()
        for k, values in self.todo:
            mutant = Mutant(**values)
            contexts = self.reached.get(str(k), set())
            tests = {re.sub(r" \(\w+\)$", "", context) for context in contexts}
            items = [
                item
                for item in session.items
                if item.nodeid in tests
                or any(f"fixture {name}" in contexts for name in getattr(item, "fixturenames", ()))
            ]
            items.sort(key=lambda item: self.seconds.get(item.nodeid, 0.0))
            text = Path(mutant.path).read_text()
            Path(mutant.path).write_text(mutant.applied(text))  # for processes that tests start
            try:
                result = self.fork(session, mutant, text, items) if items else {}
            finally:
                Path(mutant.path).write_text(text)
            with open(self.out, "a") as file:
                file.write(json.dumps({"k": k, "tests": len(items), **result}) + "\n")
        return True

    def fork(self, session, mutant, text, items):
        """Status, the test that failed, and the seconds."""
        note = Path(tempfile.mkdtemp()) / "note"
        start = time.monotonic()
        child = os.fork()
        if child == 0:
            os.setsid()
            status = 1
            try:
                change_loaded_code(mutant, text)
                status = self.run(session, items, note)
            finally:  # whatever a mutant raises, also where it should end the process
                os._exit(status)
        _, code = os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # what its tests left running
        by = note.read_text() if note.exists() else ""
        shutil.rmtree(note.parent)
        status = "killed" if code else "survives"
        return {"status": status, "by": by, "seconds": round(time.monotonic() - start, 1)}

    def run(self, session, items, note):
        """Whether a test failed; its name is in the note."""
        watching = Watching()
        session.config.pluginmanager.register(watching)
        signal.signal(signal.SIGALRM, lambda *_: os._exit(1))  # a mutant without an end
        for item, following in zip(items, [*items[1:], None], strict=True):
            note.write_text(item.nodeid)
            signal.alarm(int(ENDLESS + 10 * self.seconds.get(item.nodeid, 0)))
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if watching.failed:
                return 1
        note.unlink()
        return 0


class Watching:
    """A plugin that knows whether a test has failed."""

    failed = False

    def pytest_runtest_logreport(self, report):
        self.failed |= report.failed


def change_loaded_code(mutant, text):
    """Give functions that are in memory the changed code; other modules are read from the file."""
    path = str(Path(mutant.path).resolve())

    def codes(code):
        yield code
        for const in code.co_consts:
            if isinstance(const, types.CodeType):
                yield from codes(const)

    whole = compile(mutant.applied(text), path, "exec", dont_inherit=True)
    changed = {(code.co_qualname, code.co_firstlineno): code for code in codes(whole)}
    for found in gc.get_objects():
        if isinstance(found, types.FunctionType) and found.__code__.co_filename == path:
            new = changed.get((found.__code__.co_qualname, found.__code__.co_firstlineno))
            if new is not None:
                found.__code__ = new


def copied(folder):
    """A copy of this folder's files, without what git or Python keep there."""
    shutil.rmtree(folder, ignore_errors=True)
    ignored = shutil.ignore_patterns(".git", "__pycache__", "_build", ".nox", ".hypothesis")
    return shutil.copytree(".", folder, ignore=ignored)


def started(folder, arguments, log, **environment):
    """A Python in a copy, whose threads of OpenMP would not survive a fork."""
    return subprocess.Popen(
        [sys.executable, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=open(log, "w"),
        stderr=subprocess.STDOUT,
        env={**os.environ, "PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1", **environment},
    )  # fmt: skip


def serve(path):
    """Run in a process of its own, in a copy of the folder."""
    plan = json.loads(Path(path).read_text())
    return pytest.main(["-q", "-p", "no:cacheprovider", *plan["arguments"]], [Serving(plan)])


def other_runs(mutants, numbers, work, jobs, arguments):
    """The result of each mutant."""
    todo = [(k, asdict(mutants[k])) for k in numbers]
    random.Random(0).shuffle(todo)
    servers, outs = [], [work / f"results{job}" for job in range(jobs)]
    for job, out in enumerate(outs):
        out.write_text("")
        plan = work / f"plan{job}.json"
        plan.write_text(json.dumps({
            "todo": todo[job::jobs], "out": str(out), "reached": str(work / "reached"),
            "seconds": str(work / "seconds.json"), "arguments": arguments,
        }))  # fmt: skip
        script = f"from benchmarks.mutants import serve; raise SystemExit(serve({str(plan)!r}))"
        servers.append(started(copied(work / f"job{job}"), ["-c", script], work / f"log{job}"))
    for server in servers:
        server.wait()
    found = [json.loads(line) for out in outs for line in out.read_text().splitlines()]
    return [
        {"status": "unreached", **result, **asdict(mutants[result["k"]])}
        for result in sorted(found, key=lambda result: result["k"])
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--number", type=int, default=150)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--work", help="folder of an earlier run, whose first run is taken")
    parser.add_argument("--only", help="numbers of mutants, joined by commas")
    parser.add_argument("--out", default="mutants.json")
    parser.add_argument("arguments", nargs="*", help="of pytest")
    options = parser.parse_args()
    mutants = drawn(options.number, options.seed)
    work = Path(options.work or tempfile.mkdtemp()).resolve()
    if not (work / "seconds.json").exists():
        work.mkdir(parents=True, exist_ok=True)
        first_run(mutants, work, options.jobs, options.arguments)
    numbers = range(len(mutants)) if options.only is None else map(int, options.only.split(","))
    results = other_runs(mutants, numbers, work, options.jobs, options.arguments)
    Path(options.out).write_text(json.dumps(results, indent=1))
    for result in results:
        if result["status"] != "killed":
            old, new = (" ".join(result[name].split())[:45] for name in ("old", "new"))
            print(
                f"{result['k']:4} {result['status']:9} {result['path']}:{result['line']}  ", end=""
            )
            print(f"{old} → {new}")
    print(f"{'':12}" + "".join(f"{status:>12}" for status in STATUSES))
    for kind in ("all", *sorted({result["kind"] for result in results})):
        counts = Counter(r["status"] for r in results if kind in ("all", r["kind"]))
        print(f"{kind:12}" + "".join(f"{counts[status]:12}" for status in STATUSES))


if __name__ == "__main__":
    main()
