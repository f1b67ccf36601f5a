"""Looks up inherited names one by one: a chain of superclasses may be long, so no list of its names is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from cutset.compiler.diagnostics import Diagnostic, Span
from cutset.compiler.instantiate import messages
from cutset.compiler.syntax import tree


class Ancestors:
    """The direct and indirect superclasses of classes, computed on demand."""

    def __init__(self, ancestry: Callable[[tree.Class], list[tree.Class] | None]):
        self._ancestry = ancestry
        self._lines: dict[int, frozenset[int]] = {}

    def has(self, owner: tree.Class, other: tree.Class) -> bool:
        """True if `other` is the class itself or one of its superclasses."""
        return other is owner or id(other) in self.of(owner)

    def of(self, owner: tree.Class) -> frozenset[int]:
        """The superclasses, each by its id."""
        if id(owner) not in self._lines:
            self._lines[id(owner)] = frozenset(id(c) for c in self._ancestry(owner) or ())
        return self._lines[id(owner)]


class Inherited:
    """The variables and class parameters that a class inherits and may redefine, each once. `owners` gives the class
    that declared a name first."""

    def __init__(self, owner: tree.Class, owners: Mapping[str, tree.Class], ancestors: Ancestors):
        self._owner = owner
        self._owners = owners
        self._ancestors = ancestors
        self._done: set[str] = set()

    def __contains__(self, name: str) -> bool:
        first = self._owners.get(name)
        if first is None or first is self._owner or name in self._done:
            return False
        return self._ancestors.has(self._owner, first)

    def among(self, names: Iterable[str]) -> set[str]:
        """Those of the names that are inherited."""
        others = [name for name in names if name not in self._done and self._owners.get(name) is not self._owner]
        if not others:
            return set()  # no need to visit a long chain of superclasses
        above = self._ancestors.of(self._owner)
        return {name for name in others if id(self._owners.get(name)) in above}

    def discard(self, name: str) -> None:
        """Remove a name for which the class has given a new default."""
        self._done.add(name)


def declared_names(members: Iterable[tree.Member], parameters: Iterable[tree.ClassParameter]) -> Iterator[str]:
    """The variables and class parameters that the members of a class declare."""
    for member in members:
        if isinstance(member, tree.VariableDeclaration):
            yield from (item.name for item in member.items)
    yield from (parameter.name for parameter in parameters)


def captured(
    cuts: Mapping[str, tuple[tree.CutItem, tree.Class]],
    variables: Mapping[str, tuple[Span, tree.Class]],
    ancestors: Ancestors,
    name: str,
) -> Iterator[Diagnostic]:
    """A cut may contain variables of its own class and of superclasses; other variables of that name are declared
    twice. `cuts` and `variables` map to the class that declares them, `name` is that of the class that has them all."""
    first_named: dict[str, tuple[Span, tree.Class]] = {}
    for item, owner in cuts.values():
        for entry in item.entries:
            if not entry.name:
                continue
            known = variables.get(entry.name)
            span, first = known or first_named.setdefault(entry.name, (entry.span, owner))
            if not ancestors.has(owner, first):
                places = (span, entry.span) if ancestors.has(first, owner) else (entry.span, span)
                yield messages.declared_twice("variable", entry.name, *places, name)
