"""Runs the blocks of a page, and reports where the outcome differs from the page.

Everything runs in this process, in one folder per page: a model is written there under its name, and the commands and
the Python lines that follow find it.
"""

from __future__ import annotations

import doctest
import io
import math
import os
import re
import shlex
import shutil
import sys
import traceback
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib import resources
from itertools import zip_longest
from pathlib import Path
from typing import Any

from cutset.api.command_line.command import main
from cutset.api.translate.cached_translation import translated
from cutset.api.translate.target_choice import choose_target
from cutset.compiler.diagnostics import Diagnostic, ModelError, Source, render
from cutset.compiler.options import Options
from cutset.compiler.pipeline import compile_model
from cutset.compiler.syntax.format import format_text
from cutset.compiler.syntax.parse import parse
from handbook.blocks import Block, blocks_of

# Shown, but not run.
SHOWN = frozenset({"text", "sh", "c", "py", "toml", "lua", "elisp", "modelica", "matlab", "julia"})
_LIBRARY = "(the standard library)"
_NUMBER = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?|-?\d+e[+-]?\d+")
_SECONDS = re.compile(r"[ ]+\d+\.\d\d m?s\b")
_TOLERANCE = 1e-3


@dataclass(frozen=True)
class Outcome:
    """A block with another outcome than the page shows; `text` is the correct text of the block, empty if the block
    itself is invalid."""

    block: Block
    complaint: str
    text: str = ""


def run_page(page: str, folder: Path, beside: Path | None = None) -> list[Outcome]:
    """Run all blocks of a page in `folder`; returns the outcomes that differ.

    The models of pages in the folder `beside` are available where the page says `<!-- after: one.md two.md -->`, and
    model files where it says `<!-- files: ../../models/one.mo -->`. Models may have code in other languages where it
    says `<!-- external code is allowed -->`.
    """
    outcomes: list[Outcome] = []
    for name in " ".join(re.findall(r"<!-- files: (.*?) -->", page)).split():
        assert beside is not None, "a page that shows files needs a place"
        shutil.copyfile(beside / name, folder / Path(name).name)
    for name in re.findall(r"[\w/.-]+\.md", " ".join(re.findall(r"<!-- after: (.*?) -->", page))):
        assert beside is not None, "a page that comes after others needs a place"
        for block in blocks_of((beside / name).read_text(encoding="utf-8")):
            if block.language == "cutset":
                (folder / block.name).write_text(block.text, encoding="utf-8")
    names: dict[str, Any] = {"__name__": "__page__"}
    options = Options(allow_external="<!-- external code is allowed -->" in page)
    blocks = blocks_of(page)
    with chdir(folder), fixed_width():
        for block, following in zip_longest(blocks, blocks[1:]):
            match block.language:
                case "cutset":
                    outcomes += _model(block, following, options)
                case "c" | "py" | "toml" | "text" if block.name:
                    Path(block.name).write_text(block.text, encoding="utf-8")
                case "diff":
                    outcomes += _edited(block, following)
                case "console":
                    outcomes += _compared(block, "".join(_console(block.text)))
                case "python":
                    outcomes += _compared(block, "".join(_python(block.text, names)))
                case "message":
                    pass  # compared with the model before it
                case language if language not in SHOWN and not language.startswith("{"):
                    outcomes.append(Outcome(block, f"'{language}' is no language of these pages"))
    return outcomes


def agrees(shown: str, found: str) -> bool:
    """True if the outcome agrees with the page. '...' in the page matches anything; times may differ, numbers with a
    point or an exponent by a thousandth, and spaces in their number."""
    shown, found = _plain(shown), _plain(found)
    pattern = "".join(_pattern(piece) for piece in re.split(rf"(\.\.\.|{_NUMBER.pattern})", shown))
    match = re.fullmatch(pattern, found, re.DOTALL)
    if match is None:
        return False
    wanted = [float(number) for number in re.findall(_NUMBER, shown.replace("...", " "))]
    return all(
        math.isclose(w, float(g), rel_tol=_TOLERANCE, abs_tol=1e-9) for w, g in zip(wanted, match.groups(), strict=True)
    )


def _plain(text: str) -> str:
    text = _SECONDS.sub(" # s", text)
    return "\n".join(re.sub(r"[ ]+", " ", line).rstrip() for line in text.strip("\n").splitlines())


def _pattern(piece: str) -> str:
    if piece == "...":
        return ".*?"
    return r"(-?[\d.]+(?:e[+-]?\d+)?)" if _NUMBER.fullmatch(piece) else re.escape(piece)


# --- models ----------------------------------------------------------------------------------


def _model(block: Block, following: Block | None, options: Options) -> Iterator[Outcome]:
    path = Path(block.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, encoding="utf-8")
    message = following if following is not None and following.language == "message" else None
    error = _error_of(path, block.text, options)
    if error is not None and message is None:
        yield Outcome(block, f"the model has errors:\n{error}")
    elif error is None and message is not None:
        yield Outcome(block, "the model has no errors, the message was not given")
    elif error is not None and message is not None and _steady(error) != _steady(message.text.rstrip("\n")):
        yield Outcome(message, f"another message is given:\n{error}", error + "\n")
    # A text that is not a model has no layout.
    if error is None and format_text(Source(block.name, block.text)) != block.text:
        yield Outcome(block, "the layout is not that of 'cutset fmt'", format_text(Source(block.name, block.text)))


def _edited(block: Block, following: Block | None) -> Iterator[Outcome]:
    """Lines `-` and `+` in the first of the files named; the first message for the second one follows."""
    name, _, checked = block.name.partition(" ")
    path = Path(name)
    text = path.read_text(encoding="utf-8")
    lines = block.text.splitlines(keepends=True)
    old, new = ("".join(line[1:] for line in lines if line[0] == mark) for mark in "-+")
    if old not in text:
        yield Outcome(block, f"{name} has no such lines")
        return
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    try:
        error = ""
        compile_model(Path(checked or name), None)
    except ModelError as wrong:
        error = render(wrong.diagnostics[0]) + "\n"
    finally:
        path.write_text(text, encoding="utf-8")
    if following is None or following.language != "message":
        yield Outcome(block, "an edit is followed by the message that it leads to")
    elif _steady(error.rstrip("\n")) != _steady(following.text.rstrip("\n")):
        yield Outcome(following, f"another message is given:\n{error}", error)


def _error_of(path: Path, text: str, options: Options) -> str | None:
    """The output of `cutset check` for each object of the file, without its last line; None if there are no errors. A
    file with classes only is only read."""
    found: list[Diagnostic] = []
    try:
        objects = [declared.name for declared in parse(Source(str(path), text)).classes if declared.is_object]
    except ModelError as error:
        found, objects = list(error.diagnostics), []
    for name in objects:
        try:
            # As the following commands do, which then find it in the cache: they take the last object.
            translated(path, None if name == objects[-1] else name, options).files(choose_target("auto"))
        except ModelError as error:
            found += error.diagnostics
    return "\n\n".join(dict.fromkeys(map(render, found))) if found else None


def _steady(message: str) -> str:
    """The message without line numbers of the standard library, which change when something is added there."""
    files = "|".join(path.name for path in Path(str(resources.files("cutset.stdlib"))).rglob("*.mo"))
    lines = re.sub(rf"\b({files}):\d+\)", r"\1:#)", message).splitlines()
    for k, line in enumerate(lines):
        if _LIBRARY in line:
            lines[k] = re.sub(r":\d+:", ":#:", line.strip())
            for n in range(k + 1, min(k + 4, len(lines))):
                lines[n] = re.sub(r"^ *\d* \|", " |", lines[n])
    return "\n".join(lines)


# --- commands --------------------------------------------------------------------------------


@contextmanager
def fixed_width(columns: int = 100) -> Iterator[None]:
    """Commands that ask for the width of the window get this one."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = str(columns)
    try:
        yield
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before


def _compared(block: Block, found: str) -> Iterator[Outcome]:
    """Compare command by command, so that correct outputs keep their text."""
    shown, real = _split(block), _split(Block(block.language, "", found, 0, 0, 0))
    if all(agrees(s, f) for s, f in zip(shown, real, strict=True)):
        return
    wrong = next(f for s, f in zip(shown, real, strict=True) if not agrees(s, f))
    kept = [s if agrees(s, f) else f for s, f in zip(shown, real, strict=True)]
    yield Outcome(block, f"it prints something else:\n{wrong}", "".join(kept))


def _split(block: Block) -> list[str]:
    """The text in pieces that start with a command."""
    mark = r"^(?=\$ )" if block.language == "console" else r"^(?=>>> )"
    return [piece for piece in re.split(mark, block.text, flags=re.MULTILINE) if piece]


def _console(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if line.startswith("$ "):
            yield f"{line}\n{_command(_words(line[2:]))}"


def _words(line: str) -> list[str]:
    """The words of the line as a shell splits it; a single word if the line contains other signs of a shell."""
    words = shlex.split(line, comments=True)
    signs = shlex.shlex(line, posix=True, punctuation_chars="();<>|&")
    signs.whitespace_split = True
    return words if list(signs) == words else ["what a shell refuses: a word with ( ) ; < > | & needs quotes"]


def _command(words: list[str]) -> str:
    """The output of a command, both its streams in one, as on a terminal."""
    if words[:1] != ["cutset"]:
        return f"only cutset can be run here, not {words[:1]}\n"
    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        main(words[1:])
    # Everything runs without a C compiler too, and the page need not mention it.
    text = re.sub(r"(?m)^note: no C compiler was found.*\n", "", printed.getvalue())
    return text


def _python(text: str, names: dict[str, Any]) -> Iterator[str]:
    for example in doctest.DocTestParser().get_examples(text):
        written = example.source.splitlines()
        shown = "".join(f"{'>>>' if k == 0 else '...'} {line}".rstrip() + "\n" for k, line in enumerate(written))
        yield shown + _executed(example.source, names)


def _executed(source: str, names: dict[str, Any]) -> str:
    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        try:
            exec(compile(source, "<page>", "single"), names)
        except Exception as error:
            print("Traceback (most recent call last):\n  ...", file=printed)
            print("".join(traceback.format_exception_only(error)), end="", file=printed)
    sys.stdout.flush()
    return printed.getvalue()
