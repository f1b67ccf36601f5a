"""Edits texts at random, asks a session for everything an editor asks for, and compares the end with `cutset check`."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

from lsprotocol.types import Position, Range

from cutset.api.translate.editor_checks import EditorCheck
from cutset.api.translate.translation import check_file, options_of
from cutset.compiler.diagnostics import ModelError, render
from cutset.lsp import completion, hints, hover, layout, outline, rename, report, signature, tokens
from cutset.lsp.session import FileIndex, Session
from cutset.lsp.symbols import path_of

ROOT = Path(__file__).parents[2]
# What people type, paste and delete; some of it is in no model.
SCRAPS = (
    "(", ")", "[", "]", "{", "}", '"', "'", ".", ":", "=", ":=", ",", ";", "@", "#", "\n", "\r\n", " ", "\t", "der(",
    "model class X\n", "end\n", "when x > 0 then\n", "endwhen\n", "if a then ", "for k = 1..3 do\n", "endfor\n",
    "submodel (", "parameter p (unit=\"m\")", "connect ", " to ", "cut A (v / i)\n", "@electrical\n", "1e999", "0,5",
    "\u2028",
    "\U0001d11e", "\u00e9", "\x0b", "\x85", "/*", "*/", "//", "function f(x) result y\n", "time", "1..", "\ufeff",
    ".*", "./", ".^", "..2..", "end-1", "[k for k = 1..3]", " km/h", "3000 rpm", " degC", "'a b'", "(x, y) = f(x)\n",
    "a.p.q = 3", "initial()", "change(n)", "{x}", "a(:)", "a(1..end-1)", "elseif b then\n", "display=\"mm\"",
    "\"left\"", "(Text) ", "table(file)", "row(\"m.csv\", kind)", " == \"fast\"", "class (Base) C = D", "carried h",
    " +- 5 %",
)  # fmt: skip


def edited(text: str, generator: random.Random) -> str:
    """The text after one edit: a scrap inserted, a range removed, duplicated or moved, or a line removed."""
    at = generator.randint(0, len(text))
    to = min(len(text), at + generator.randint(1, 40))
    kind = generator.randrange(6)
    if kind <= 2:
        return text[:at] + generator.choice(SCRAPS) + text[at:]
    if kind == 3:
        return text[:at] + text[to:]
    if kind == 4:
        there = generator.randint(0, len(text))
        return text[:there] + text[at:to] + text[there:]
    lines = text.split("\n")
    del lines[generator.randrange(len(lines))]
    return "\n".join(lines)


def requests(session: Session, path: str, generator: random.Random) -> Iterator[Callable[[], object]]:
    """What an editor asks after an edit, at random positions."""
    lines = session.texts[path].split("\n")
    line = generator.randrange(len(lines))
    position = Position(line, generator.randint(0, len(lines[line]) + 3))
    whole = Range(Position(0, 0), Position(len(lines), 0))
    index = session.index(path)
    assert index is not None
    yield lambda: hover.hover(session, index, position)
    yield lambda: completion.completion(session, index, position)
    yield lambda: signature.signature_help(session, index, position)
    yield lambda: hover.definition(session, index, position)
    yield lambda: hover.type_definition(session, index, position)
    yield lambda: hover.highlights(session, index, position)
    yield lambda: outline.document_symbols(session, index)
    yield lambda: outline.folding_ranges(session, index)
    yield lambda: tokens.semantic_tokens(session, index)
    yield lambda: hints.inlay_hints(session, index, whole)
    if generator.random() < 0.2:
        yield lambda: layout.formatting(session, path)
    if generator.random() < 0.1:  # it reads the workspace
        yield lambda: renamed(session, index, position)


def renamed(session: Session, index: FileIndex, position: Position) -> object:
    """A rename, which may be refused."""
    try:
        return rename.rename(session, index, position, "another_name")
    except rename.CannotRename as error:
        return str(error)


def messages_of_check(path: Path, text: str) -> list[str]:
    """What `cutset check` prints for a file with this text."""
    path.write_text(text, encoding="utf-8", newline="")
    try:
        checked = check_file(path, None, options_of(()))
    except ModelError as error:
        return [render(each) for each in error.diagnostics]
    return [label.text for each in checked.objects for label in each.loose] + [
        remark for each in checked.objects for remark in each.remarks
    ]


class Quiet:
    """The progress of a check that nobody follows; it says everything that can be said early."""

    shows_errors = True

    def proceed(self) -> None:
        """Never too late."""

    def sound(self) -> None:
        """Nothing is shown."""

    def early(self, findings: report.Findings) -> None:
        """What comes early comes again at the end."""

    def rest(self) -> None:
        """Nothing comes."""


def messages_of_session(session: Session, path: str) -> list[str]:
    """The messages of the server for an open file, and their reports and actions."""
    found = EditorCheck(session)(path, session.unsaved(), Quiet())
    shown = report.reported(session, found)
    places = [each.range for each in shown[path]]
    for place in places:
        report.code_actions(session, path, place, [found])
    assert sum(map(len, shown.values())) == len(found.messages)
    return [render(each) if each.severity == "error" else each.message for each in found.messages]


def edit_at_random(path: Path, edits: int, seed: int, *, compare_every: int = 0) -> None:
    """Open the file, edit its text, which stays unsaved, and compare at the end and after each `compare_every` edits.
    Each few edits begin again from the valid text, so that most stages of the compiler are reached."""
    generator = random.Random(seed)
    session = Session(options_of((), in_editor=True).cache)
    name, original = str(path), path.read_text(encoding="utf-8")
    session.folders = [str(path.parent)]
    text = original
    for k in range(1, edits + 1):
        text = original if generator.random() < 0.15 else edited(text, generator)
        session.open(name, text)
        for request in requests(session, name, generator):
            request()
        if k == edits or (compare_every and not k % compare_every):
            expected = messages_of_check(path, session.texts[name])
            assert messages_of_session(session, name) == expected, f"seed {seed}, edit {k}"
    assert path_of(session.index(name).scan.source) == name
