"""Computes what a hand on a diagram changes in the text: small edits of the class that is shown.

Comments and the layout of all other statements stay as they are.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from lsprotocol.types import TextEdit

from cutset.compiler.diagnostics import Span
from cutset.compiler.flatten.connect import connection_sets
from cutset.compiler.instantiate.instance import End, Instance, Join
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.parse import as_name
from cutset.compiler.syntax.statements import Statement
from cutset.contract.names import split
from cutset.lsp.facts import quantity
from cutset.lsp.remedies import included
from cutset.lsp.session import FileIndex
from cutset.lsp.submodel_items import Item, submodel_items
from cutset.lsp.symbols import path_of

# What may follow a statement in its line and is removed with it.
_REST = re.compile(r"[ \t]*(\{[^{}\n]*\}[ \t]*)*(#[^\n]*)?(\n|$)")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


class CannotChange(Exception):
    """Why a hand cannot change the text, as a sentence."""


class HandEdits:
    """The edits of the text of `owner`, which is the class of `instance` in the diagram."""

    def __init__(self, index: FileIndex, owner: tree.Class, instance: Instance):
        self._index, self.owner, self.instance = index, owner, instance
        self._lines = index.lines
        self._text = index.scan.source.text
        self._begin = f"{instance.path}." if instance.path else ""

    # --- submodels ---

    def added(self, class_name: str, declared: tree.Class) -> list[TextEdit]:
        """A submodel of a class, after the others."""
        line = f"submodel ({class_name}) {self.free_name(declared)}"
        return [self._line_after(self._last(tree.SubmodelDeclaration) or self._last(*_DECLARING), line)]

    def free_name(self, declared: tree.Class) -> str:
        """A name for a submodel that nothing in the class has: its quantity, as R of a resistor, or the last word of
        the name of its class, with a number if it is taken."""
        lookup = self._index.lookup
        of_class = lookup.members(declared).values.values()
        needed = [s.name for s in of_class if s.kind == "parameter" and not quantity(s, lookup, declared).value]
        if needed and len(needed[0]) == 1 and needed[0].isupper():
            return self._free(needed[0])
        words = [word for word in _WORDS.findall(declared.name) if len(word) > 1]
        return self._free((words[-1] if words else declared.name).lower())

    def _free(self, name: str) -> str:
        members = self._index.lookup.members(self.owner)
        taken = {*members.values, *members.points, *members.classes}
        numbered = (name if k == 1 else f"{name}{k}" for k in itertools.count(1))
        return next(each for each in numbered if each not in taken and as_name(each) == each)

    def item(self, name: str) -> tuple[Statement, list[Item], int, tree.SubmodelItem]:
        """The declaration of a submodel, its items, and which of them it is. CannotChange if the class inherits it."""
        declared = (
            item
            for member in self.owner.members
            if isinstance(member, tree.SubmodelDeclaration)
            for item in member.items
        )
        wanted = next((item for item in declared if item.name == name), None)
        for statement, items in submodel_items(self._index.scan) if wanted else ():
            for k, item in enumerate(items):
                if wanted is not None and item.first.span == wanted.span:
                    return statement, items, k, wanted
        raise CannotChange(f"'{name}' is not declared in '{self.owner.name}' itself")

    def valued(self, name: str, values: Mapping[str, str]) -> list[TextEdit]:
        """Values of parameters of a submodel, without spaces around them; an empty one is the default again."""
        _, items, k, declared = self.item(name)
        bound = declared.bindings
        given = {b.name: b for b in bound if not b.attribute}
        ends = [(self._start(b.span), self._end((b.tolerance or b.value).span)) for b in bound]
        gone = [k for k, b in enumerate(bound) if b.name in given and values.get(b.name, "x") == ""]
        new = ", ".join(f"{name}={value}" for name, value in values.items() if value and name not in given)
        edits = []
        for name, value in values.items():
            if value and name in given:
                first, last = (
                    self._start(given[name].value.span),
                    self._end((given[name].tolerance or given[name].value).span),
                )
                edits.append(self._edit(first, last, value))
        after = self._after_name(items[k], declared)
        if not bound:
            return [self._edit(after, after, f"({new})")] if new else []
        if len(gone) < len(bound):
            edits += self._without(ends, gone)
            return [*edits, self._edit(ends[-1][1], ends[-1][1], f", {new}")] if new else edits
        close = self._text.index(")", ends[-1][1]) + 1
        return [self._edit(ends[0][0], ends[-1][1], new) if new else self._edit(after, close, "")]

    def placed(self, name: str, place: tuple[int, int] | None) -> list[TextEdit]:
        """The comment with the place of a submodel in the diagram; without one the layout finds it."""
        _, items, k, _ = self.item(name)
        end = self._end(items[k].span)
        old = items[k].comment
        first, last = (end, end) if old is None else (self._end_of_code(old.span), self._end(old.span))
        gap = "  " if k == len(items) - 1 else " "  # as fmt has it
        return [self._edit(first, last, "" if place is None else f"{gap}{{ at {place[0]} {place[1]} }}")]

    def removed(self, names: Sequence[str], ends: Collection[End] = ()) -> list[TextEdit]:
        """Nothing of these submodels, nor of their connections, nor of those between the ends, which may be joined by
        nodes."""
        nodes = {e for j in self.instance.joins for e in (j.first, j.second) if e.side == "node"}
        meeting = {*ends} | {
            e for s in connection_sets([*self.instance.joins]) if {*ends} & {*s.ends} for e in s.ends if e in nodes
        }

        def is_gone(join: Join) -> bool:
            return bool(self._touched(join) & {*names}) or {join.first, join.second} <= meeting

        return self._undeclared(names) + self.disconnected(is_gone)

    def included(self, include: str) -> TextEdit:
        """A further include."""
        first, last, text = included(self._index.scan, self._lines, include)
        return self._edit(first, last, text)

    def _undeclared(self, names: Sequence[str]) -> list[TextEdit]:
        edits: list[TextEdit] = []
        found: dict[tuple[int, int], tuple[Statement, list[Item], list[int]]] = {}
        for name in names:
            statement, items, k, _ = self.item(name)
            key = statement.start.span.line, statement.start.span.column
            found.setdefault(key, (statement, items, []))[2].append(k)
        for statement, items, gone in found.values():
            if len(gone) == len(items):
                edits.append(self._without_statement(statement, items[-1].comment))
            else:
                ends = [(self._start(i.span), self._end(i.comment.span if i.comment else i.span)) for i in items]
                edits += self._without(ends, sorted(gone))
        return edits

    # --- connections ---

    def connected(self, one: End, other: End) -> list[TextEdit]:
        """A further connect statement, after the others."""
        line = f"connect {self.point(one)} to {self.point(other)}"
        return [self._line_after(self._last(tree.Connect) or self._last(*_DECLARING), line)]

    def disconnected(self, is_gone: Callable[[Join], bool]) -> list[TextEdit]:
        """The connect statements without some joins. A chain is divided; of other connections the rest is written in
        pairs. CannotChange for those of a loop, which stand for several."""
        joins: dict[tuple[int, ...], list[Join]] = {}
        for join in self.instance.joins:
            if path_of(join.span.source) == self._index.path:
                joins.setdefault(_key(join.span), []).append(join)
        edits: list[TextEdit] = []
        for member in tree.with_inner(self.owner.members):
            if not isinstance(member, tree.Connect):
                continue
            texts = [self._rest(each, joins.get(_key(each.span), []), is_gone, member) for each in member.connections]
            statement = self._index.scan.statement_at(member.span.line, member.span.column)
            if all(text == "" for text in texts) and statement is not None:
                edits.append(self._without_statement(statement, None))
                continue
            ends = [(self._start(each.span), self._end(each.span)) for each in member.connections]
            edits += [self._edit(*ends[k], text) for k, text in enumerate(texts) if text]
            edits += self._without(ends, [k for k, text in enumerate(texts) if text == ""])
        return edits

    def _rest(
        self,
        connection: tree.Link | tree.Placement | tree.Repeated,
        joins: Sequence[Join],
        is_gone: Callable[[Join], bool],
        within: tree.Connect,
    ) -> str | None:
        """What remains of a connection; None if it stays as it is."""
        gone = [is_gone(join) for join in joins]
        if not any(gone):
            return None
        if isinstance(connection, tree.Repeated) or within not in self.owner.members:
            raise CannotChange(f"the connection in line {connection.span.line} is one of a loop: change it in the text")
        links = connection.links if isinstance(connection, tree.Chain) else ()
        if len(joins) == len(links) - 1 and all(isinstance(link, tree.PointReference) for link in links):
            pieces, words = [[links[0].span.text]], [link.span.text for link in links[1:]]
            for word, is_cut in zip(words, gone, strict=True):
                if is_cut:
                    pieces.append([])
                pieces[-1].append(word)
            return ", ".join(" to ".join(piece) for piece in pieces if len(piece) > 1)
        kept = [join for join, is_cut in zip(joins, gone, strict=True) if not is_cut]
        return ", ".join(f"{self.point(join.first)} to {self.point(join.second)}" for join in kept)

    def point(self, end: End) -> str:
        """An end as a connect statement names it: a submodel with one cut, which is its main cut, by its name."""
        if end.side != "outside":
            return end.name
        names = split(end.instance.removeprefix(self._begin))
        child = next(child for child in self.instance.walk() if child.path == end.instance)
        of = self._index.lookup.library.all_names.get(child.class_name)
        cut = self._index.lookup.members(of).points.get(end.name) if isinstance(of, tree.Class) else None
        is_main = cut is not None and isinstance(cut.declaration, tree.CutDeclaration) and cut.declaration.main
        return ":".join(names if is_main and len(child.cuts) == 1 else [*names, end.name])

    def _part(self, end: End) -> str:
        """The submodel of the class that an end belongs to; empty for a node or a cut of the class."""
        return split(end.instance.removeprefix(self._begin))[0].partition("(")[0] if end.side == "outside" else ""

    def _touched(self, join: Join) -> set[str]:
        return {self._part(join.first), self._part(join.second)} - {""}

    # --- classes ---

    def wrapped(self, names: Sequence[str], class_name: str) -> list[TextEdit]:
        """The submodels as a class before this one, and a submodel of it instead. Where they are connected with others
        it has a cut. CannotChange if they use names of this class."""
        name = as_name(class_name)
        if not name or name in self._index.lookup.library.all_names:
            raise CannotChange(f"'{class_name}' is not a free name for a class: there is one, or it is no name")
        found = [self.item(each) for each in names]
        members = self._index.lookup.members(self.owner)
        for statement, _, _, declared in found:
            of_class = statement.lexemes[2].text
            used = [of_class] if of_class in members.classes else []
            used += [
                r.parts[0].name for r in tree.references(*_expressions(declared)) if r.parts[0].name in members.values
            ]
            if outside := [each for each in used if each not in names]:
                raise CannotChange(
                    f"'{declared.name}' uses '{outside[0]}' of '{self.owner.name}': give it a value first"
                )
        own = self._free(name[0].lower() + name[1:])
        cuts, inside, around = self._boundary({*names}, own)
        lines = [f"model class {name}", *cuts]
        for statement, items, k, _ in found:
            header = self._text[self._start(statement.start.span) : self._start(items[0].first.span)].rstrip()
            lines.append(f"{header} {self._text[self._start(items[k].span) : self._end(items[k].span)]}")
        lines += [f"connect {each}" for each in inside]
        at = self._lines.offset_of(self._index.scan.extent_of(self.owner).line, 1)
        gone = {
            _key(statement.start.span) for statement, items, _, _ in found if {i.first.text for i in items} <= {*names}
        }
        anchor = self._last(*_DECLARING, but=gone)
        joined = [f"submodel ({name}) {own}", *([f"connect {', '.join(around)}"] if around else [])]
        return [
            self._edit(at, at, "\n  ".join(lines) + "\nend\n\n"), *self._undeclared(names), *self._prefixed(names, own),
            *self.disconnected(lambda join: bool(self._touched(join) & {*names})),
            self._line_after(anchor, "\n  ".join(joined)),
        ]  # fmt: skip

    def _boundary(self, names: set[str], own: str) -> tuple[list[str], list[str], list[str]]:
        """The cuts of a class of these submodels, the connections in it, and those around its submodel `own`."""
        kinds = {(each.path, cut.name): cut.cut_class for each in self.instance.walk() for cut in each.cuts}
        all_names = self._index.lookup.library.all_names.items()
        cuts, inside, around = dict[str, str](), list[str](), dict[str, None]()
        for joined in connection_sets([*self.instance.joins]):
            ends = [end for end in joined.ends if self._part(end) in names]
            others = [end for end in joined.ends if end not in ends and end.side != "node"]
            points = [self.point(end) for end in ends]
            if ends and others:
                free = (k for k in (ends[0].name, points[0].replace(":", "_")) if k not in cuts and k not in names)
                cut, kind = next(free, f"c{len(cuts)}"), kinds[ends[0].instance, ends[0].name]
                of_class = next((n for n, d in all_names if kind and _key(d.span) == _key(kind.span)), "")
                cuts[cut] = f"cut ({of_class}) {cut}" if of_class else f"cut {cut}"
                points.insert(0, cut)
                for one, other in ((j.first, j.second) for j in joined.joins):
                    if (one in ends) != (other in ends):
                        around[f"{own}:{cut} to {self.point(other if one in ends else one)}"] = None
            inside += [f"{points[0]} to {point}" for point in points[1:]]
        return [*cuts.values()], inside, [*around]

    def _prefixed(self, names: Sequence[str], own: str) -> Iterator[TextEdit]:
        """The uses of submodels in equations, within the submodel `own`."""
        found = [self.item(name) for name in names]
        spans = {declared.span for *_, declared in found}
        moved = [(self._start(items[k].span), self._end(items[k].span)) for _, items, k, _ in found]
        for each in self._index.occurrences:
            statement = self._index.scan.statement_at(each.span.line, each.span.column)
            kind = statement.start.type if statement else ""
            if each.symbol.span not in spans or each.span in spans or kind == "CONNECT":
                continue
            if kind in ("CUT", "PATH", "MAIN"):
                raise CannotChange(f"'{each.symbol.name}' belongs to a cut or path of '{self.owner.name}'")
            if not any(first <= self._start(each.span) < last for first, last in moved):
                yield self._edit(self._start(each.span), self._start(each.span), f"{own}.")

    # --- text ---

    def _last(self, *kinds: type, but: Collection[tuple[int, ...]] = ()) -> Span | None:
        """The end of the last member of these kinds that is no part of a block."""
        found = [member.span for member in self.owner.members if isinstance(member, kinds)]
        found = [span for span in found if (span.line, span.column) not in {key[:2] for key in but}]
        statement = self._index.scan.statement_at(found[-1].line, found[-1].column) if found else None
        return statement.lexemes[-1].span if statement else None

    def _line_after(self, place: Span | None, line: str) -> TextEdit:
        """A line after that of a statement; without one after the header of the class."""
        extent = self._index.scan.extent_of(self.owner)
        if place is None:
            header = self._index.scan.statement_at(extent.line, extent.column)
            place = header.lexemes[-1].span if header else extent
        at = self._text.find("\n", self._end(place))
        for comment in self._index.scan.comments:
            if self._start(comment.span) < at < self._end(comment.span):
                at = self._text.find("\n", self._end(comment.span))
        end = self._end(extent) - len("end")
        if 0 <= at < end:
            return self._edit(at, at, f"\n  {line}")
        return self._edit(end, end, f"\n  {line}\n")  # the class is one line

    def _without_statement(self, statement: Statement, comment: object) -> TextEdit:
        """Nothing of a statement: its lines, with a comment at their end, unless they have others."""
        first, last = self._start(statement.start.span), self._end(statement.lexemes[-1].span)
        begin = self._text.rfind("\n", 0, first) + 1
        rest = _REST.match(self._text, last)
        if rest and not self._text[begin:first].strip():
            return self._edit(begin, rest.end(), "")
        after = re.compile(r"[ \t]*;?").match(self._text, last)
        return self._edit(first, after.end() if after else last, "")

    def _without(self, ends: Sequence[tuple[int, int]], gone: Sequence[int]) -> Iterator[TextEdit]:
        """Items of a list, given by the offsets of their ends, removed with their commas; one at least stays."""
        kept = [k for k in range(len(ends)) if k not in gone]
        for k in gone:
            if k < kept[-1]:
                yield self._edit(ends[k][0], ends[k + 1][0], "")
        if kept and kept[-1] < len(ends) - 1:
            yield self._edit(ends[kept[-1]][1], ends[-1][1], "")

    def _after_name(self, item: Item, declared: tree.SubmodelItem) -> int:
        """The offset after the name of an item and its dimensions."""
        if not declared.dimensions:
            return self._end(declared.span)
        return self._text.index(")", self._end(declared.dimensions[-1].span)) + 1

    def _end_of_code(self, comment: Span) -> int:
        """The offset after what is before a comment, without spaces."""
        return len(self._text[: self._start(comment)].rstrip(" \t"))

    def _start(self, span: Span) -> int:
        return self._lines.offset_of(span.line, span.column)

    def _end(self, span: Span) -> int:
        return self._lines.offset_of(span.end_line, span.end_column)

    def _edit(self, first: int, last: int, text: str) -> TextEdit:
        return TextEdit(self._lines.range_between(first, last), text)


_DECLARING = (
    tree.VariableDeclaration,
    tree.SubmodelDeclaration,
    tree.CutDeclaration,
    tree.PathDeclaration,
    tree.NodeDeclaration,
)


def _expressions(item: tree.SubmodelItem) -> list[tree.Expression]:
    conditions = [] if item.condition is None else [item.condition]
    return [*item.dimensions, *(binding.value for binding in item.bindings), *conditions]


def _key(span: Span) -> tuple[int, ...]:
    return span.line, span.column, span.end_line, span.end_column
