"""The description on the package index: the README, with links that work outside the repository.

The README's own links are relative, so that they work in a clone and at every commit. A build
makes them absolute from `[project.urls]`, the only place that names the repository's owner.
hatch-fancy-pypi-readme would need the owner a second time, in the text that it substitutes.
"""

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface


class ReadmeForTheIndex(MetadataHookInterface):
    """Sets `readme`."""

    def update(self, metadata):
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute(text, metadata["urls"]),
        }


def absolute(text, urls):
    """The text with links to the site, for its pages, and else to the repository."""
    site, source = urls["Documentation"].rstrip("/"), urls["Source"].rstrip("/")

    def linked(found):
        image, words, path = found.groups()
        if path.startswith("docs/") and path.endswith(".rst"):
            return f"[{words}]({site}/en/stable/{path[5:-4]}.html)"
        return f"{image}[{words}]({source}/{'raw' if image else 'blob'}/HEAD/{path})"

    return re.sub(r"(!?)\[([^]]+)\]\((?!https?://|#)([^)]+)\)", linked, text)
