"""Answers what the page needs to build a model by hand: classes, pictures, fitting cuts, and edits of the text.

The edits are those of the language server; the page applies them in the editor, whose history takes them back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack

from cutset.api.diagram.draw import draw_submodels
from cutset.api.diagram.parts import signal_role
from cutset.api.diagram.svg import picture_of
from cutset.api.diagram.symbols import symbol_of
from cutset.api.show.classes import Declared, described, matching_classes
from cutset.api.translate.listeners import Enough, Results
from cutset.api.translate.translation import observe_file
from cutset.compiler.diagnostics import ModelError, Source, visible
from cutset.compiler.flatten.connect import fitting_ends
from cutset.compiler.instantiate.instance import End, Instance
from cutset.compiler.instantiate.names.library import Library, load_library
from cutset.compiler.instantiate.names.standard_libraries import include_of, sharing, standard_libraries
from cutset.compiler.observer import Listener
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.parse import parse
from cutset.compiler.syntax.read import is_robot_file
from cutset.contract.names import partition
from cutset.lsp.symbols import Lookup, path_of
from cutset.runtime.errors import RunError
from cutset.server.folder import by_place
from cutset.server.frames import Message
from cutset.server.navigation import SHIPPED, Navigation, span_of
from cutset.stdlib import FOLDER

T = TypeVar("T")

if TYPE_CHECKING:
    from lsprotocol.types import TextEdit

    from cutset.compiler.options import Options
    from cutset.lsp.session import FileIndex
    from cutset.server.hand_edits import HandEdits

# The libraries of multibody systems have the same classes: one of them is shown.
_FAMILY = "multibody/drives"


class Shown(TypedDict):
    """The diagram of a request: that of a `submodel` of the object `name` (None: the last one) of a file with a text;
    `unsaved` has the texts of other files in the editor."""

    file: str
    text: str
    name: str | None
    submodel: str
    unsaved: Mapping[str, str]


class Building(Navigation):
    """Each method answers the request of its name."""

    def __init__(self, options: Options):
        super().__init__(options)
        self._drawn: tuple[Shown, Instance] | None = None
        self._classes: dict[str, list[tuple[Declared, str]]] = {}

    def palette(self, file: str, text: str, words: str, unsaved: Mapping[str, str]) -> Message:
        """The `groups` of classes that can be placed, each with `library` (empty: the folder's own), and of each class
        its `name`, `documentation` and `picture`, which is empty for a class without symbol. Only those with each of
        the words in what describes them, as `cutset classes` finds them."""
        index = self._take(file, text, unsaved)
        included = {Path(source.name).stem for source in (index.lookup.library.names if index else ())}
        family = sharing(_FAMILY)
        shown = next((name for name in family if name in included), family[0])
        groups = {"": [] if index is None else list(_own(index))}
        for name in standard_libraries():
            if name not in family or name == shown:
                groups[name] = self._classes[name] = self._classes.get(name) or self._offered(name)
        found = matching_classes(words.split(), {name: tuple(d for d, _ in own) for name, own in groups.items()})
        pictures = {(name, d.name): picture for name, own in groups.items() for d, picture in own}
        listed = [
            {
                "library": name,
                "classes": [
                    {"name": d.name, "documentation": visible(d.documentation), "picture": pictures[name, d.name]}
                    for d in declared
                ],
            }
            for name, declared in found.items()
        ]
        return Message({"groups": listed})

    def _offered(self, library: str) -> list[tuple[Declared, str]]:
        """The own classes of a library that have a symbol; what others inherit only has none."""
        loaded = load_library(Path(FOLDER, f"{library}.mo"), (), self._options.cache)
        others = tuple(f"{SHIPPED}/{name}{end}" for name in {*standard_libraries()} - {library} for end in ("/", ".mo"))
        found = ((d, p) for d, p in _described(loaded, loaded.source) if p and not d.place.startswith(others))
        return [(declared, picture) for declared, picture in found if not declared.name.startswith("Mbs")]

    def picture(self, **shown: Unpack[Shown]) -> Message:
        """The diagram as SVG, and its `class_name`. Parameters need no values yet; ModelError for other errors."""

        def observe(listener: Listener) -> None:
            with suppress(Enough):
                listener("instantiate", self._root(shown))

        svg = draw_submodels(observe, shown["submodel"], 1)
        return Message({"svg": svg, "class_name": self._instance(shown).class_name})

    def fitting(self, port: str, **shown: Unpack[Shown]) -> Message:
        """The `ports` of the diagram to which one may be connected."""
        instance = self._instance(shown)
        ends = {_port(end, instance): end for end in _ends(instance)}
        cuts = {(each.path, cut.name): cut for each in instance.walk() for cut in each.cuts}

        def gives(end: End) -> bool:
            wanted = 1 if end.side == "outside" else -1
            return signal_role(end.name) == wanted and not cuts[end.instance, end.name].through

        own = ends.get(port)
        others = [end for end in ends.values() if own and not (gives(own) and gives(end))]
        found = {*fitting_ends(self._root(shown), own, others)} if own else set()
        return Message({"ports": [port for port, end in ends.items() if end in found]})

    def part(self, part: str, **shown: Unpack[Shown]) -> Message:
        """What the form of a part shows: its class and documentation, the place of its name, and its `parameters`, each
        with its `shape`, `unit`, `value` in the text (empty: the `default`) and `documentation`."""
        hand, index = self._hand(shown)
        *_, declared = _checked(lambda: hand.item(part))
        of_class = index.lookup.class_of(index.lookup.members(hand.owner).values[part], hand.owner)
        facts = described(index.lookup, of_class) if of_class else None
        given = {b.name: b.value.span.to((b.tolerance or b.value).span) for b in declared.bindings if not b.attribute}
        rows = []
        for each in facts.parameters if facts else ():
            name, _, shape = each.name.partition("(")
            words = {key: visible(getattr(each, key)) for key in ("unit", "default", "documentation")}
            value = given[name].text if name in given else ""
            rows.append({"name": name, "shape": shape and f"({shape}", "value": value} | words)
        at = index.lines.range_of(declared.span).start
        about = {"class_name": facts.name, "documentation": visible(facts.documentation)} if facts else {}
        place = {"file": self._own(index.path), "line": at.line, "character": at.character}
        return Message({"parameters": rows, **about, **place})

    def hand(self, does: str, given: Mapping[str, Any], **shown: Unpack[Shown]) -> Message:
        """The `changes` of files for what a hand does: 'add' a `class` of a `library`, 'connect' the ports `one` and
        `other`, 'remove' the `parts` and the connections of the `ports` to each other, give a `part` `values`, 'move' a
        `part` to `place` (None: where the layout puts it), or 'wrap' the `parts` as the class `named`. `part` is the
        name of what was added; `trouble` tells by parameter why its value is none. RunError E605 for what cannot be
        done."""
        hand, index = self._hand(shown)
        part, trouble = "", dict[str, str]()
        if does == "add":
            part, edits = self._added(hand, index, str(given["library"]), str(given["class"]))
        elif does == "values":
            values = {str(p): str(v).strip() for p, v in given["values"].items()}
            edits = _checked(lambda: hand.valued(str(given["part"]), values))
            trouble = self._trouble(shown, index, edits, str(given["part"]), values)
        else:
            edits = _checked(lambda: self._edits(hand, does, given))
        if not trouble:
            self._check_syntax(index, edits)
        changes = [{**span_of(each.range), "text": each.new_text} for each in edits]
        return Message({"changes": {self._own(index.path): changes}, "part": part, "trouble": trouble})

    def _edits(self, hand: HandEdits, does: str, given: Mapping[str, Any]) -> list[TextEdit]:
        shown = hand.instance
        ends = {_port(end, shown): end for end in _ends(shown)}
        if does == "connect":
            return hand.connected(ends[str(given["one"])], ends[str(given["other"])])
        if does == "move":
            place = given["place"]
            at = None if place is None else (min(max(int(place[0]), 0), 9999), min(max(int(place[1]), 0), 9999))
            return hand.placed(str(given["part"]), at)
        parts = [str(part) for part in given["parts"]]
        if does == "wrap":
            return hand.wrapped(parts, str(given["named"]))
        meeting = {ends[str(port)] for port in given["ports"]}
        return hand.removed(parts, meeting)

    def _added(self, hand: HandEdits, index: FileIndex, library: str, class_name: str) -> tuple[str, list[TextEdit]]:
        """The name of a submodel of a class, and the edits with the include that it needs. A prefix keeps names apart
        that the file has already."""
        names = index.lookup.library.names[index.scan.source]
        of_class: object = None
        if not library:
            of_class = names.declared.get(class_name)
        elif library in standard_libraries():
            loaded = load_library(Path(FOLDER, f"{library}.mo"), (), self._options.cache)
            of_class = loaded.names[loaded.source].declared.get(class_name)
        if not isinstance(of_class, tree.Class):
            raise RunError("E605", f"there is no class '{visible(class_name)}'", "choose one of the palette")
        key = path_of(of_class.span.source), of_class.span.line
        all_names = index.lookup.library.all_names.items()
        known = next((n for n, d in all_names if (path_of(d.span.source), d.span.line) == key), "")
        edits = []
        if not known:
            theirs, ours = loaded.names[loaded.source].declared, names.declared
            clash = any(
                n in theirs and path_of(d.span.source) != path_of(theirs[n].span.source) for n, d in ours.items()
            )
            prefix = next(p for p in (library[:3], library, f"{library}_") if p not in names.prefixes) if clash else ""
            known = f"{prefix}.{class_name}" if clash else class_name
            edits.append(hand.included(f"{include_of(library)} as {prefix}" if clash else include_of(library)))
        return hand.free_name(of_class), [*edits, *hand.added(known, of_class)]

    def _trouble(
        self, shown: Shown, index: FileIndex, edits: Sequence[TextEdit], part: str, values: Mapping[str, str]
    ) -> dict[str, str]:
        """Why values are none, by parameter: they are checked in the text as one types."""
        own, new = self._own(index.path), _applied(index, edits)
        try:
            parsed = parse(Source(index.path, new))
        except ModelError as error:
            return dict.fromkeys(values, visible(error.diagnostics[0].message))
        members = (m for c in parsed.classes for m in c.members if isinstance(m, tree.SubmodelDeclaration))
        bound = {b.name: b for m in members for item in m.items if item.name == part for b in item.bindings}
        spans = {name: b.span.to((b.tolerance or b.value).span) for name, b in bound.items()}
        values = {name: value for name, value in values.items() if value}
        for name, value in values.items():
            if name not in bound or bound[name].value.span.to(spans[name]).text != value:
                return {name: f"'{visible(value)}' is not one value"}
        unsaved = {**shown["unsaved"], own: new}
        try:
            self._root({**shown, "unsaved": unsaved, "text": unsaved.pop(shown["file"], shown["text"])})
        except ModelError as error:
            places = [(d.span, visible(d.message)) for d in error.diagnostics if d.span]
            return {
                name: words
                for name in values
                for span, words in reversed(places)
                if (spans[name].line, spans[name].column) <= (span.line, span.column)
                and (span.end_line, span.end_column) <= (spans[name].end_line, spans[name].end_column)
            }
        return {}

    # --- what is shown ---

    def _root(self, shown: Shown) -> Instance:
        """The object, kept until it changes: what a hand does follows its picture."""
        if self._drawn is None or self._drawn[0] != {**shown, "submodel": ""}:
            path, results = Path(shown["file"]), Results("instantiate")
            text = "" if is_robot_file(path) else shown["text"] or "\n"
            options = replace(self._options, text=text, unsaved=by_place(shown["unsaved"]), draft=True)
            observe_file(path, shown["name"], options, [results])
            self._drawn = {**shown, "submodel": ""}, results.of(Instance)
        return self._drawn[1]

    def _instance(self, shown: Shown) -> Instance:
        found = next((each for each in self._root(shown).walk() if each.path == shown["submodel"]), None)
        if found is None:
            raise RunError("E605", f"there is no submodel '{visible(shown['submodel'])}'", "open one of the diagram")
        return found

    def _hand(self, shown: Shown) -> tuple[HandEdits, FileIndex]:
        """The edits of the class that is shown, in its file. RunError E605 if it is none of the folder."""
        from cutset.server.hand_edits import HandEdits

        self._take(shown["file"], shown["text"], shown["unsaved"])
        instance = self._instance(shown)
        class_name, source = instance.line[0] if instance.line else (instance.class_name, instance.span.source)
        own = self._name(path_of(source))
        index = None if own is None or own.startswith(SHIPPED) else self._session.index(path_of(source))
        owner = next((c for c in index.contents.classes if c.name == class_name), None) if index else None
        if index is None or owner is None:
            raise RunError("E605", f"'{visible(class_name)}' is not a class of this folder, so it cannot be changed",
                           "inherit it, or copy it into a file of the folder")  # fmt: skip
        return HandEdits(index, owner, instance), index

    def _check_syntax(self, index: FileIndex, edits: Sequence[TextEdit]) -> None:
        """RunError E605 if a correct text would have errors: a hand never breaks one."""
        try:
            parse(Source(index.path, _applied(index, edits)))
        except ModelError as error:
            what = visible(error.diagnostics[0].message)
            raise RunError("E605", f"the text would have an error: {what}", "change the text instead") from error


def _checked(edits: Callable[[], T]) -> T:
    """What they are; RunError E605 if they cannot be made."""
    from cutset.server.hand_edits import CannotChange

    try:
        return edits()
    except CannotChange as error:
        raise RunError("E605", visible(str(error)), "change the text instead") from error
    except (KeyError, TypeError, ValueError) as error:
        raise RunError("E605", "the diagram has changed meanwhile", "try again") from error


def _described(library: Library, source: Source) -> Iterator[tuple[Declared, str]]:
    """The classes that a file offers to those that include it, with their pictures."""
    lookup = Lookup(library)
    for declared in library.names[source].declared.values():
        if isinstance(declared, tree.Class) and not declared.is_object:
            line = tuple((each.name, each.span.source) for each in reversed(lookup.line(declared)))
            try:
                symbol = symbol_of(line)
            except RunError:
                symbol = None
            yield described(lookup, declared), picture_of(symbol) if symbol else ""


def _own(index: FileIndex) -> Iterator[tuple[Declared, str]]:
    """The classes that a file sees and that are of no library."""
    for declared, picture in _described(index.lookup.library, index.scan.source):
        if not declared.place.startswith(SHIPPED):
            yield declared, picture


def _ends(shown: Instance) -> Iterator[End]:
    """The cuts of the instance, from inside, and of all its submodels."""
    for instance in shown.walk():
        for cut in instance.cuts:
            yield End(instance.path, cut.name, "inside" if instance is shown else "outside")


def _port(end: End, shown: Instance) -> str:
    """The name of a cut in the diagram, the attribute `data-cut`."""
    if end.instance == shown.path:
        return f"{shown.path}:{end.name}"
    begin = f"{shown.path}." if shown.path else ""
    first, _, rest = partition(end.instance.removeprefix(begin))
    return ":".join(filter(None, (f"{begin}{first}", rest, end.name)))


def _applied(index: FileIndex, edits: Sequence[TextEdit]) -> str:
    """The text with all edits, none of which overlap."""
    text, lines = index.scan.source.text, index.lines
    spans = [(lines.offset_at(e.range.start), lines.offset_at(e.range.end), e.new_text) for e in edits]
    for first, last, new in sorted(spans, key=lambda each: each[:2], reverse=True):
        text = text[:first] + new + text[last:]
    return text
