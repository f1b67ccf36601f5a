"""Generates a page for each file of the standard library, and a list of all classes, from their documentation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType

from cutset.compiler.diagnostics import Source, Span
from cutset.compiler.instantiate.names.standard_libraries import enumerated, sharing
from cutset.compiler.syntax import parse as parser
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.grammar import lexer
from cutset.compiler.syntax.lexemes import COMMENTS
from cutset.compiler.syntax.print import print_expression
from handbook.codes import in_markdown

_INDEX = """# Standard library

`@name` includes a library. These pages are made from its text.
"""
# The kinds of variables that are visible to users of a class.
_OPEN = ("terminal", "input", "output")


# Represents the entry of a class that a cut lacks.
_NOTHING = tree.CutEntry(Span(Source("", ""), 1, 1, 1, 1), "")


@cache
def library_pages() -> Mapping[str, str]:
    """File name below the folder of generated pages -> text, made once in a process."""
    folder = Path(str(resources.files("cutset.stdlib")))
    libraries = {
        path.relative_to(folder).with_suffix("").as_posix(): _read(path) for path in sorted(folder.rglob("*.mo"))
    }
    pages = {}
    for name, file in libraries.items():
        seen = _seen_from(name, libraries)
        homes = {c.name: (home, c) for home in reversed(seen) for c in libraries[home].classes}
        kinds = {c.name: c for home in reversed(seen) for c in libraries[home].cut_classes}
        pages[f"library/{name}.md"] = "\n".join(_page(name, file, homes, kinds))
    pages["library/index.md"] = "\n".join(_index(libraries))
    return MappingProxyType(pages)


Homes = dict[str, tuple[str, tree.Class]]


def _read(path: Path) -> tree.SyntaxTree:
    return parser.parse(Source(str(path), path.read_text(encoding="utf-8")))


def _seen_from(name: str, libraries: dict[str, tree.SyntaxTree]) -> list[str]:
    """A library and those that it includes without a prefix, the nearest first."""
    seen = [name]
    for library in seen:  # grows
        included = (i.name for i in libraries[library].includes if not i.prefix)
        seen += [i for i in dict.fromkeys(included) if i in libraries and i not in seen]
    return seen


def _index(libraries: dict[str, tree.SyntaxTree]) -> Iterator[str]:
    yield _INDEX
    for name, file in libraries.items():
        yield f"## {name}\n"
        yield "| name | |\n| --- | --- |"
        for declared in _declarations(file):
            yield f"| [{declared.name}]({name}.md#{declared.name.lower()}) | {_cell(declared.documentation)} |"
        yield ""
    yield "```{toctree}\n:hidden:\n"
    yield from libraries
    yield "```\n"


def _page(name: str, file: tree.SyntaxTree, homes: Homes, kinds: dict[str, tree.CutClass]) -> Iterator[str]:
    # A part of several libraries lies in a folder that is none of them.
    wholes = [f"[{whole}](../{whole}.md)" for whole in sharing(name) or [name.partition("/")[0]]]
    included = (
        f"`@{name}` includes this library." if "/" not in name else f'Part of {enumerated(wholes, "and")}: `@"{name}"`.'
    )
    yield f"# {name}\n\n{included}\n"
    comments = _comments(file)
    level = "##"
    for position, declared in enumerate(_declarations(file)):
        for is_heading, text in comments.get(position, ()):
            level = "###" if is_heading else level
            yield f"{'## ' if is_heading else ''}{in_markdown(_capital(text))}\n"
        yield f"{level} {declared.name}\n"
        if isinstance(declared, tree.Class):
            yield from _symbol(declared, name, homes)
        if declared.documentation:
            yield f"{in_markdown(_capital(declared.documentation))}\n"
        if isinstance(declared, tree.Class):
            yield from _class(declared, name, homes, kinds)
        yield "```{code-block} cutset"
        yield from file.source.text.splitlines()[declared.span.line - 1 : _last_line(declared, file)]
        yield "```\n"


def _declarations(file: tree.SyntaxTree) -> list[tree.Declaration]:
    """All declarations of a file, in the order of the text."""
    everything: list[tree.Declaration] = [*file.classes, *file.functions, *file.types, *file.cut_classes]
    return sorted(everything, key=lambda declared: declared.span.line)


def _comments(file: tree.SyntaxTree) -> dict[int, list[tuple[bool, str]]]:
    """The comments between classes, by the number of the following class: paragraphs, and headings for `{ --- so ---
    }`."""
    inside = [range(declared.span.line, _last_line(declared, file) + 1) for declared in _declarations(file)]
    found: dict[int, list[tuple[bool, str]]] = {}
    for lexeme in lexer().read(file.source, with_comments=True):
        line = lexeme.span.line
        if lexeme.type not in COMMENTS or any(line in lines for lines in inside):
            continue
        following = next((k for k, lines in enumerate(inside) if lines.start > line), len(inside))
        text = lexeme.text.strip("{}# \t\n")
        is_heading = text.startswith("---")
        paragraphs = [" ".join(part.split()) for part in text.strip("- ").split("\n\n")]
        found.setdefault(following, []).extend((is_heading, paragraph) for paragraph in paragraphs)
    return found


def _last_line(declared: tree.Declaration, file: tree.SyntaxTree) -> int:
    """The number of its last line. In the standard layout the `end` of a class is in the first column; other
    declarations end with their parentheses."""
    lines = file.source.text.splitlines()
    after = range(declared.span.line, len(lines) + 1)
    if isinstance(declared, tree.Class) or (isinstance(declared, tree.Function) and not declared.external):
        return next((k for k in after if lines[k - 1].split("#")[0].rstrip() == "end"), len(lines))
    texts = ("\n".join(lines[declared.span.line - 1 : k]) for k in after)
    return next((k for k, text in zip(after, texts, strict=False) if text.count("(") == text.count(")")), len(lines))


def _class(declared: tree.Class, page: str, homes: Homes, kinds: dict[str, tree.CutClass]) -> Iterator[str]:
    if declared.supers:
        up = "../" * page.count("/")
        links = (f"[{s.name}]({up}{homes[s.name][0]}.md#{s.name.lower()})" for s in declared.supers if s.name in homes)
        yield f"Inherits from {' and '.join(links)}.\n"
    line = [*_ancestors(declared, homes), declared]
    yield from _variables("parameter", ("parameter",), line, declared, with_default=True)
    yield from _variables("variable", _OPEN, line, declared, with_default=False)
    yield from _cuts(line, declared, kinds)


def _symbol(declared: tree.Class, page: str, homes: Homes) -> Iterator[str]:
    """The symbol that diagrams show for a class, its own or that of a superclass, in the colors of the page."""
    folder = Path(str(resources.files("cutset.stdlib")))
    line = [(page, declared.name), *((homes[c.name][0], c.name) for c in reversed(_ancestors(declared, homes)))]
    files = (folder / near / f"{name}.svg" for home, name in line for near in (home, home.rpartition("/")[0]))
    if (found := next((file for file in files if file.is_file()), None)) is not None:
        text = found.read_text(encoding="utf-8").replace("black", "currentColor")
        text = text.replace('"white"', '"var(--color-background-primary)"')
        width, height = (1.5 * float(side) for side in re.findall(r'viewBox="0 0 (\S+) (\S+)"', text)[0])
        sized = text.replace("viewBox", f'width="{width:g}" height="{height:g}" viewBox')
        yield f"```{{raw}} html\n{sized.rstrip()}\n```\n"


def _ancestors(declared: tree.Class, homes: Homes) -> list[tree.Class]:
    """All superclasses, the most distant first, each once."""
    line: list[tree.Class] = []
    waiting = [homes[s.name][1] for s in declared.supers if s.name in homes]
    while waiting:
        above = waiting.pop(0)
        if above not in line:
            line.insert(0, above)
            waiting += [homes[s.name][1] for s in above.supers if s.name in homes]
    return line


def _variables(
    heading: str, kinds: tuple[str, ...], line: list[tree.Class], declared: tree.Class, with_default: bool
) -> Iterator[str]:
    rows: dict[str, list[str]] = {}
    for owner in line:
        for member in owner.members:
            if isinstance(member, tree.VariableDeclaration) and member.kind in kinds:
                for item in member.items:
                    rows[item.name] = _row(item, owner, declared, rows.get(item.name), with_default)
    if rows:
        head = [heading, "unit", *(["default"] if with_default else []), ""]
        yield from _table(head, rows.values())


def _row(
    item: tree.VariableItem, owner: tree.Class, declared: tree.Class, inherited: list[str] | None, with_default: bool
) -> list[str]:
    """The row of a parameter; one that a subclass redeclares keeps the facts that it does not repeat."""
    dimensions = f"({', '.join(map(print_expression, item.dimensions))})" if item.dimensions else ""
    documentation = _cell(item.documentation) + ("" if owner is declared else f" (from {owner.name})")
    default = f"`{print_expression(item.value)}`" if item.value is not None else ""
    row = [f"`{item.name}{dimensions}`", _unit(item.attributes), *([default] if with_default else []), documentation]
    if inherited is None:
        return row
    return [own or before for own, before in zip(row[:-1], inherited[:-1], strict=True)] + [
        documentation if item.documentation else inherited[-1]
    ]


def _unit(attributes: tuple[tree.Attribute, ...]) -> str:
    return next((a.value.value for a in attributes if a.name == "unit" and isinstance(a.value, tree.Text)), "")


def _cuts(line: list[tree.Class], declared: tree.Class, classes: dict[str, tree.CutClass]) -> Iterator[str]:
    rows = []
    for owner in line:
        origin = "" if owner is declared else f" (from {owner.name})"
        for member in owner.members:
            if not isinstance(member, tree.CutDeclaration | tree.PathDeclaration):
                continue
            main = ", main" if member.main else ""
            if isinstance(member, tree.PathDeclaration):
                rows.append(
                    [f"path `{member.name}`{main}", "", "", f"`<{' - '.join(map(_point, member.cuts))}>`{origin}"]
                )
                continue
            named = classes.get(member.class_reference.name) if member.class_reference else None
            for cut in member.items:
                parts = "" if cut.parts is None else f"`[{', '.join(map(_point, cut.parts))}]` "
                about = (f"{named.name} " if named else "") + parts + _cell(cut.documentation) + origin
                across = _entries(cut.across, named.across if named else ())
                rows.append(
                    [f"`{cut.name}`{main}", across, _entries(cut.through, named.through if named else ()), about]
                )
    if rows:
        yield from _table(["cut", "across", "through", ""], rows)


def _entries(entries: tuple[tree.CutEntry, ...] | None, of_class: tuple[tree.CutEntry, ...]) -> str:
    """The variables of a cut, with missing facts from its class."""

    def word(entry: tree.CutEntry, general: tree.CutEntry) -> str:
        sizes = entry.dimensions or (general.dimensions if entry.name else ())
        dimensions = f"({', '.join(map(print_expression, sizes))})" if sizes else ""
        unit = (_unit(entry.attributes) or _unit(general.attributes)) if entry.name else ""
        return f"`{'-' if entry.sign < 0 else ''}{entry.name or '.'}{dimensions}`{f' in {unit}' if unit else ''}"

    return ", ".join(
        word(entry, general)
        for entry, general in zip_longest(entries or (), of_class, fillvalue=_NOTHING)
        if entry is not _NOTHING
    )


def _point(point: tree.PointReference) -> str:
    return ":".join(part.name for part in point.parts)


def _table(head: list[str], rows: Iterable[list[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def _cell(text: str) -> str:
    return in_markdown(" ".join(text.split()))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
