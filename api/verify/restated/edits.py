"""Applies edits to syntax trees: a tree, edits -> the tree with them. An edit must change no number of a model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from cutset.compiler.diagnostics import Span
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.tree import Change, Node, mapped
from cutset.contract.names import partition


@dataclass(frozen=True)
class Edit:
    """One change of a text, `what` in words: the node of type `kind` at `span`, or the file if this is the type, is
    replaced by `change(node)`. `names` are pairs of names at the top, the one before it first, which is empty for a
    submodel that contains all others; `scaled` are such pairs with the factor of the values of the new one. `given` and
    `initial` are the values of parameters and the start values that it writes into the text: a run of the text without
    it that gets them computes the same."""

    what: str
    kind: type
    span: Span
    change: Change
    names: tuple[tuple[str, str], ...] = ()
    given: tuple[tuple[str, float], ...] = ()
    initial: tuple[tuple[str, float], ...] = ()
    scaled: tuple[tuple[str, str, float], ...] = ()

    def __str__(self) -> str:
        return f"line {self.span.line} of {self.span.source.name}: {self.what}"


@dataclass(frozen=True)
class Naming:
    """What the variables of a model are called in another text: `renamed` are pairs of names at the top, the old one
    first; `around` is the submodel that contains them all. `scaled` variables have another name and a factor there."""

    renamed: tuple[tuple[str, str], ...] = ()
    around: str = ""
    scaled: tuple[tuple[str, str, float], ...] = ()

    def after(self, name: str) -> str:
        """The name there, of a variable or its derivatives."""
        inner, orders = _derived(name)
        renamed = _with_first(inner, self._new)
        return "der(" * orders + (f"{self.around}.{renamed}" if self.around else renamed) + ")" * orders

    def factor(self, name: str) -> float:
        """The value there, as a multiple of that of this variable."""
        inner, _ = _derived(name)
        return next((factor for old, _, factor in self.scaled if old == _first_of(inner)), 1.0)

    def before(self, name: str) -> str:
        """The name in the model as it is written."""
        inner, orders = _derived(name)
        inner = inner.removeprefix(f"{self.around}.") if self.around else inner
        return "der(" * orders + _with_first(inner, self._old) + ")" * orders

    @cached_property
    def _new(self) -> dict[str, str]:
        return dict(self.renamed) | {old: new for old, new, _ in self.scaled}

    @cached_property
    def _old(self) -> dict[str, str]:
        return {new: old for old, new in self.renamed} | {new: old for old, new, _ in self.scaled}


def _derived(name: str) -> tuple[str, int]:
    orders = 0
    while name.startswith("der(") and name.endswith(")"):
        name, orders = name[4:-1], orders + 1
    return name, orders


def _with_first(name: str, names: Mapping[str, str]) -> str:
    if not names:
        return name
    first = _first_of(name)
    return names.get(first, first) + name[len(first) :]


def _first_of(name: str) -> str:
    return partition(partition(name)[0], "(")[0]


def naming_of(edits: Sequence[Edit]) -> Naming:
    """What the edits make of names."""
    pairs = [pair for edit in edits for pair in edit.names]
    scaled = tuple(each for edit in edits for each in edit.scaled)
    return Naming(tuple((old, new) for old, new in pairs if old), "".join(new for old, new in pairs if not old), scaled)


def edited(contents: tree.SyntaxTree, edits: Iterable[Edit]) -> tree.SyntaxTree:
    """The tree with those of the edits that belong to its file, inner nodes first."""
    changes: dict[tuple[type, Span], list[Change]] = defaultdict(list)
    for edit in edits:
        if edit.span.source is contents.source:
            changes[edit.kind, edit.span].append(edit.change)
    of_file = changes.pop((tree.SyntaxTree, contents.classes[0].span), []) if contents.classes else []
    if changes:
        contents = mapped(contents, lambda node: _changed(node, changes))
    for change in of_file:
        contents = change(contents)
    return contents


def _changed(node: Node, changes: Mapping[tuple[type, Span], list[Change]]) -> Node:
    span = getattr(node, "span", None)
    for change in changes.get((type(node), span), ()) if span is not None else ():
        node = change(node)
    return node
