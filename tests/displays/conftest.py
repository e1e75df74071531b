"""What every display's tests need: matplotlib without a screen."""

from importlib.util import find_spec

if find_spec("matplotlib"):
    import matplotlib

    matplotlib.use("Agg")
else:
    collect_ignore_glob = ["*.py"]
