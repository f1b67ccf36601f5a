"""Keeps the trees of texts that change with each key, in memory: latest text of a file -> SyntaxTree."""

from __future__ import annotations

from cutset.compiler.diagnostics import Source
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.cache import TreeCache


class LatestTrees(TreeCache):
    """The trees of the latest text of each file in memory; on the disk only those of saved files, as each key would add
    one."""

    def __init__(self, saved: TreeCache | None) -> None:
        super().__init__(saved.store if saved else None)
        self._saved = saved
        self._latest: dict[str, tree.SyntaxTree] = {}

    def get(self, source: Source) -> tree.SyntaxTree | None:
        """The tree of the text, if it is the latest or stored."""
        latest = self._latest.get(source.name)
        if latest is not None and latest.source.text == source.text and latest.source.shown == source.shown:
            return latest
        found = self._saved.get(source) if self._saved else None
        if found is not None:
            self._latest[source.name] = found
        return found

    def latest(self, path: str) -> tree.SyntaxTree | None:
        """The tree of the latest valid text of a file that was read."""
        return self._latest.get(path)

    def put(self, source: Source, parsed: tree.SyntaxTree) -> None:
        """Keep the tree."""
        self._latest[source.name] = parsed
