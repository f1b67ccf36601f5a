"""Decides which names each file sees, without a prefix and with one: files and their includes -> VisibleNames.

A file sees its own declarations and prefixes, those of the files that it includes, and what these pass on: a file in
the folder of the including file passes on all that it includes, a library only its parts, in a folder next to it.
What else a library includes, it includes for itself. Under a prefix a file sees what the file with the prefix sees. Own
declarations and prefixes hide those of included files. A file does not see declarations of files that include it: a
library means the same wherever it is used. Does not look into declarations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from cutset.compiler.diagnostics import Diagnostic, Label, Source, Span
from cutset.compiler.instantiate.names import class_messages
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.results import single_results
from cutset.contract.quick_dataclass import dataclass

Declaration = tree.Class | tree.Type | tree.CutClass | tree.Function


@dataclass(frozen=True)
class File:
    """A file that was read: its tree, and for each of its includes that was found the source of that file;
    `of_own_folder` are those that were found from its own folder."""

    contents: tree.SyntaxTree
    includes: list[tuple[tree.Include, Source]] = field(default_factory=list)
    of_own_folder: set[Source] = field(default_factory=set)


@dataclass(frozen=True)
class VisibleNames:
    """The names that a file sees: declarations by name, in the order of reading, and the files with prefixes. Classes,
    types and cut classes share their names; functions have their own."""

    declared: Mapping[str, Declaration]
    functions: Mapping[str, tree.Function]
    prefixes: Mapping[str, tuple[tree.Include, Source]]


def visible_names(
    files: Mapping[Source, File], diagnostics: list[Diagnostic], hidden: list[Label] | None = None
) -> dict[Source, VisibleNames]:
    """The names of each file. Reports duplicate declarations, and a prefix of two files; adds to `hidden` a remark on
    each declaration that hides another."""
    reader = _Reader(files, diagnostics)
    names = {source: reader.names(source) for source in files}
    reader.report()
    if hidden is not None:
        hidden += reader.hidden
    return names


def find_visible(names: Mapping[Source, VisibleNames], source: Source, words: Iterable[str]) -> VisibleNames | str:
    """The names under the prefixes `words`, written in `source`; or the first word that is not a prefix there."""
    for word in words:
        behind = names[source].prefixes.get(word)
        if behind is None:
            return word
        source = behind[1]
    return names[source]


def find_function(names: Mapping[Source, VisibleNames], parts: tuple[tree.Part, ...]) -> tree.Function | None:
    """The function of a name with its prefixes, at the place where it is written."""
    if any(part.arguments is not None for part in parts[:-1]):
        return None
    behind = find_visible(names, parts[0].span.source, [part.name for part in parts[:-1]])
    return None if isinstance(behind, str) else behind.functions.get(parts[-1].name)


def qualified(names: Mapping[Source, VisibleNames], root: Source) -> Iterator[tuple[str, Declaration]]:
    """All declarations that can be reached from a file, each once, under the shortest name that it has there."""
    waiting, seen, visited = [("", root)], {root}, set[int]()
    for prefix, source in waiting:
        for name, declared in names[source].declared.items():
            if id(declared) not in visited:
                visited.add(id(declared))
                yield prefix + name, declared
        for word, (_, behind) in names[source].prefixes.items():
            if behind not in seen:
                seen.add(behind)
                waiting.append((f"{prefix}{word}.", behind))


class _Reader:
    """Collects the names of files. A duplicate that several files see is reported once."""

    def __init__(self, files: Mapping[Source, File], diagnostics: list[Diagnostic]):
        self._files = files
        self._diagnostics = diagnostics
        self._reported: set[frozenset[Span]] = set()
        self._results: dict[int, dict[str, tree.Function]] = {}
        self.hidden: list[Label] = []
        self._copies: dict[tuple[Source, Source], Diagnostic] = {}  # pairs of files of one name
        self._brought: dict[Source, dict[Source, tree.Include | None]] = {}
        # Duplicates: the includes of the file that provide the two declarations, and the diagnostic of each name.
        self._twice: dict[tuple[tree.Include, tree.Include], list[tuple[str, Diagnostic]]] = {}

    def names(self, source: Source) -> VisibleNames:
        declared: dict[str, Any] = {}
        functions: dict[str, Any] = {}
        prefixes: dict[str, tuple[tree.Include, Source]] = {}
        brought = self._seen_from(source)
        for seen in brought:
            file = self._files[seen]
            self._take("class", file.contents.classes, declared, brought)
            self._take("type", file.contents.types, declared, brought)
            self._take("cut class", file.contents.cut_classes, declared, brought)
            self._take("function", file.contents.functions, functions, brought)
            for include, behind in file.includes:
                if include.prefix:
                    self._prefix(include, behind, prefixes, source)
        for function in [*functions.values()]:
            functions |= self._single_results(function)
        return VisibleNames(declared, functions, prefixes)

    def _single_results(self, function: tree.Function) -> dict[str, tree.Function]:
        """A function for each result, the same for all files."""
        if id(function) not in self._results:
            self._results[id(function)] = dict(single_results(function))
        return self._results[id(function)]

    def report(self) -> None:
        """Report duplicates: two included files that share several names are one error."""
        self._diagnostics += list(self._copies.values())[:1]  # a library of many files is one error
        for (first, other), visited in self._twice.items():
            if len(visited) > 1:
                included = first.name, other.name
                self._diagnostics.append(
                    class_messages.classes_twice([name for name, _ in visited], included, other.span, first.span)
                )
            else:
                self._diagnostics += [diagnostic for _, diagnostic in visited]

    def _are_copies(self, one: Source, two: Source) -> bool:
        """True for two files of one name that are both included: a library and a copy of it. Reports them once."""
        if Path(one.name).name != Path(two.name).name or one.name == two.name or (one.is_shipped and two.is_shipped):
            return False
        if (one, two) not in self._copies:
            includes = [pair for file in self._files.values() for pair in file.includes]
            spans = {behind: include.span for include, behind in reversed(includes)}
            if one not in spans or two not in spans:
                return False
            self._copies[one, two] = class_messages.copies(
                spans[one], spans[two], one.shown or one.name, two.shown or two.name
            )
        return True

    def _hides(self, item: Any, other: Any) -> bool:
        """True if the file of `item` includes that of `other`, which does not include it in turn."""
        one, two = item.span.source, other.span.source
        return two in self._seen_from(one) and one not in self._seen_from(two)

    def _seen_from(self, source: Source) -> dict[Source, tree.Include | None]:
        """The file, the files that it includes without a prefix, and what these pass on, the nearest first, each with
        the include of the file itself through which it is seen."""
        if source in self._brought:
            return self._brought[source]
        waiting: list[Source] = [source]
        brought: dict[Source, tree.Include | None] = {source: None}
        own = {source}  # those that pass on all that they include
        for current in waiting:
            for include, behind in self._files[current].includes:
                if include.prefix or behind in brought:
                    continue
                is_of_own_folder = behind in self._files[current].of_own_folder
                if current in own or (is_of_own_folder and "/" in include.name):
                    if current in own and is_of_own_folder and not behind.is_shipped:
                        own.add(behind)
                    brought[behind] = brought[current] or include
                    waiting.append(behind)
        self._brought[source] = brought
        return brought

    def _take(
        self,
        what: str,
        declarations: Iterable[Any],
        known: dict[str, Any],
        brought: Mapping[Source, tree.Include | None],
    ) -> None:
        for item in declarations:
            first = known.setdefault(item.name, item)
            if first is item or (places := frozenset((item.span, first.span))) in self._reported:
                continue
            self._reported.add(places)
            if self._are_copies(first.span.source, item.span.source):
                continue
            if self._hides(first, item):
                self.hidden.append(Label(first.span, f"the {what} '{item.name}' hides that of {item.span}"))
                continue
            twice = class_messages.class_twice(what, item.name, item.span, first.span)
            one, other = brought[first.span.source], brought[item.span.source]
            if one is None or other is None or one is other:
                self._diagnostics.append(twice)
            else:
                pair = (one, other) if one.span.line <= other.span.line else (other, one)
                self._twice.setdefault(pair, []).append((item.name, twice))

    def _prefix(
        self, include: tree.Include, behind: Source, known: dict[str, tuple[tree.Include, Source]], own: Source
    ) -> None:
        first, source = known.setdefault(include.prefix, (include, behind))
        places = frozenset((include.span, first.span))
        hides = first.span.source is own and include.span.source is not own
        if source is not behind and not hides and places not in self._reported:
            self._reported.add(places)
            self._diagnostics.append(class_messages.prefix_twice(include.prefix, include.span, first.span))
