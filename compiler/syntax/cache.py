"""Caches parsed files: text -> SyntaxTree without parsing again, if the same text was parsed before.

A record is named after the text and the version of the parser; damaged or unknown records are ignored and replaced. It
is a pickle, which in general can execute code: so the reader creates nodes of the tree and spans and no other objects,
and the caller provides a store that only the user can write.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache, partial
from hashlib import sha256
from io import BytesIO
from operator import attrgetter
from pathlib import Path
from typing import Any

from cutset.compiler.diagnostics import Source, Span
from cutset.compiler.syntax import tree, tree_expressions
from cutset.contract.cache import DiskCache

_NODES: dict[tuple[str, str], type] = {
    (node.__module__, node.__qualname__): node
    for node in (*vars(tree).values(), *vars(tree_expressions).values(), Span)
    if isinstance(node, type) and (is_dataclass(node) or node is Span)
}
# The first field of these is the source, which is not stored: the reader has it.
_WITH_SOURCE = (Span, tree.SyntaxTree)


def _parts_of(node: type) -> Callable[[Any], tuple[type, tuple[object, ...]]]:
    """Stores a node as the call that creates it: three times as fast as the state of a frozen dataclass."""
    all_names = Span._fields if node is Span else [field.name for field in fields(node)]
    names = all_names[node in _WITH_SOURCE :]
    parts = attrgetter(*names)
    return (lambda made: (node, parts(made))) if len(names) > 1 else (lambda made: (node, (parts(made),)))


_PARTS = {node: _parts_of(node) for node in _NODES.values()}


class TreeCache:
    """The trees of the latest text of each file in memory, with their first spans, and those of all texts on disk.
    `store` belongs to the user alone; None keeps nothing. `package` is a folder of files that come with this package,
    and the store of their trees, if they can be written there. An editor writes nothing, as each key would add a
    tree."""

    def __init__(
        self, store: DiskCache | None, package: tuple[str, DiskCache] | None = None, writes: bool = True
    ) -> None:
        self.store = store
        self._package = package
        self._writes = writes
        self._latest: dict[tuple[str, str], tree.SyntaxTree] = {}
        self._version = _version()

    def get(self, source: Source) -> tree.SyntaxTree | None:
        """The tree of the text, with spans in `source` or one that is equal to it; None if it is not stored."""
        latest = self._latest.get((source.name, source.library))
        if latest is not None and (latest.source.text, latest.source.shown) == (source.text, source.shown):
            return latest
        for store in self._stores(source):
            found = _read(store.get(self._name(source)), source)
            if found is not None:
                self._latest[source.name, source.library] = found
                return found
        return None

    def latest(self, path: str) -> tree.SyntaxTree | None:
        """The tree of the latest valid text of a file that was read."""
        return self._latest.get((path, ""))

    def put(self, source: Source, parsed: tree.SyntaxTree) -> None:
        """Store a tree, if possible: the disk may be full, or a sum too long for pickle."""
        self._latest[source.name, source.library] = parsed
        if not self._writes:
            return
        content = BytesIO()
        try:
            _Writer(content).dump(parsed)
        except (RecursionError, pickle.PicklingError):
            return
        any(store.put(self._name(source), content.getvalue()) for store in self._stores(source))

    def _stores(self, source: Source) -> list[DiskCache]:
        """The stores of the tree, the preferred one first."""
        in_package = self._package is not None and source.name.startswith(self._package[0])
        stores = [self._package[1]] if self._package is not None and in_package else []
        return stores if self.store is None else [*stores, self.store]

    def _name(self, source: Source) -> str:
        key = sha256(f"{self._version}\n{source.text}".encode("utf-8", "surrogatepass")).hexdigest()
        return f"{key[:32]}.tree"


def _read(content: bytes | None, source: Source) -> tree.SyntaxTree | None:
    """The tree in a record; None if there is none, or if it is damaged."""
    if content is None:
        return None
    try:
        found = _Reader(content, source).load()
    except Exception:
        return None
    return found if isinstance(found, tree.SyntaxTree) else None


class _Writer(pickle.Pickler):
    def __init__(self, file: Any):
        super().__init__(file, protocol=pickle.HIGHEST_PROTOCOL)
        self.dispatch_table = _PARTS


class _Reader(pickle.Unpickler):
    def __init__(self, data: bytes, source: Source):
        super().__init__(BytesIO(data))
        self._source = source

    def find_class(self, module: str, name: str) -> Callable[..., object]:
        node = _NODES[module, name]
        return partial(node, self._source) if node in _WITH_SOURCE else node


@cache
def _version() -> str:
    """The version on which the tree of a text depends: Python, and the contents of this folder and that of units."""
    content = sha256()
    folder = Path(__file__).parent
    for path in (*sorted(folder.glob("*.*")), *sorted(folder.with_name("units").glob("*.py"))):
        content.update(f"{path.name} {path.stat().st_size}\n".encode() + path.read_bytes())
    return f"{sys.version} {content.hexdigest()}"
