"""Texts of the project with damage: bytes, tokens, names, numbers and lines lost, doubled, exchanged."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

from cutset.api.netlists import imported_netlist

ROOT = Path(__file__).parents[2]
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
STRANGERS = [
    "0",
    "1",
    "-1",
    "-",
    "=",
    "==",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "end",
    "der",
    "time",
    "'",
    "\n",
    "1e400",
    "1e-320",
    "10000",
    "..",
    ":",
    ",",
    ";",
    "x",
    "A",
    "zeros",
    "@",
    "if",
    "then",
    "else",
    "for",
    "do",
    "in",
    "endfor",
    '"',
    "#",
    "\x00",
    "\ufeff",
    "\u2212",
    "·",
    "$",
    "new",
    "init",
    "when",
    "0.5",
    ":=",
    "function",
    "endwhile",
    "delay(x,1)",
    "..",
    "external",
    "internal",
    "f(x)",
    "Mode.Free",
    "(Integer)",
    "^",
    "**",
    "/",
    "1e9",
    "size(x,1)",
    "time*time",
    "sqrt(-1)",
    "sin",
    "model",
    "class",
    ".*",
    "./",
    ".^",
    "1..2..n",
    "(2..end)",
    "end-1",
    "[k^2 for k = 1..3]",
    "km/h",
    " degC",
    "3000 rpm",
    "2 kN/m",
    "'a b'",
    "(x, y) = f(x)",
    "a.p.q = 3",
    "initial()",
    "terminal()",
    "change(n)",
    "{x}",
    "pi",
    'display="mm"',
]


class Text(NamedTuple):
    """A text and the folder in which it finds what it includes."""

    text: str
    folder: Path


@cache
def corpus() -> tuple[Text, ...]:
    """Every model of the project, those in its documents, in the pages of its errors and in the code of its tests.
    Libraries have an object behind them that uses all their classes, so that more than the parser sees them."""
    texts = [*_files(), *_netlists(), *_documents(), *_pages(), *_tests()]
    return tuple(Text(t.text + _user_of(t.text), t.folder) for t in texts)


def _files() -> Iterator[Text]:
    for folder in ("models", "stdlib", "tests"):
        for ending in ("mo", "lib", "inc"):
            for path in sorted((ROOT / folder).rglob(f"*.{ending}")):
                if "typing" not in path.parts:  # it holds links to the sources
                    yield Text(path.read_text(encoding="utf-8"), path.parent)


def _netlists() -> Iterator[Text]:
    """What is imported of the netlists of the tests."""
    for path in sorted((ROOT / "tests/spice/netlists").glob("*.cir")):
        yield Text(imported_netlist(path).text, path.parent)


def _documents() -> Iterator[Text]:
    for document in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for block in re.findall(r"(?ms)^```(?:cutset[^\n]*)?\n(.*?)^```", document.read_text(encoding="utf-8")):
            if re.search(r"(?m)^(model|cut|connect|function|type)\b", block):
                yield Text(block, ROOT / "models")


def _pages() -> Iterator[Text]:
    """A page has sections, each with a line like === model in front."""
    for path in sorted((ROOT / "compiler").rglob("pages/*.txt")):
        sections = re.split(r"(?m)^=== ", path.read_text(encoding="utf-8"))
        for section in sections:
            if section.startswith(("model\n", "fix\n")):
                yield Text(section.partition("\n")[2], ROOT / "models")


def _tests() -> Iterator[Text]:
    """Models that stand as texts in the tests."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = dedent(node.value)
                if re.search(r"(?m)^(model|function|type|cut class)\b.*\n", text):
                    yield Text(text, path.parent)


def _user_of(text: str) -> str:
    classes = re.findall(r"(?m)^model (?:class|type)\s*(?:\([^)]*\))?\s*(\w+)", text)
    if not classes or re.search(r"(?m)^ *model \w+\s*(\"|$)", text):
        return ""
    lines = [f"  submodel ({name}) u{k}" for k, name in enumerate(classes)]
    return "\n".join(["\nmodel Everything", *lines, "end\n"])


def damaged(rng: random.Random) -> tuple[bytes, Path]:
    """One text with one kind of damage, as it would stand in a file, and its folder."""
    chosen = rng.choice(corpus())
    damage = rng.choice((_bytes, _tokens, _tokens, _words, _words, _lines))
    return damage(chosen.text, rng), chosen.folder


def _bytes(text: str, rng: random.Random) -> bytes:
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(rng.randint(1, 6)):
        place = rng.randrange(len(data) + 1)
        length = rng.choice((0, 1, 1, 3))
        data[place : place + length] = rng.randbytes(rng.choice((0, 1, 1, 2)))
    return bytes(data)


def _tokens(text: str, rng: random.Random) -> bytes:
    """Tokens lost, doubled, exchanged or put in from elsewhere."""
    tokens = TOKEN.findall(text)
    for _ in range(rng.randint(1, 3)):
        k, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        action = rng.randrange(6)
        if action == 0:
            tokens[k] = ""
        elif action == 1:
            tokens.insert(k, tokens[other])
        elif action == 2:
            tokens[k], tokens[other] = tokens[other], tokens[k]
        elif action == 3:
            tokens[k] = tokens[other]
        elif action == 4:
            tokens[k] = rng.choice(TOKEN.findall(rng.choice(corpus()).text))
        else:
            tokens[k] = rng.choice(STRANGERS)
    return "".join(tokens).encode("utf-8", "surrogatepass")


def _words(text: str, rng: random.Random) -> bytes:
    """Still a text of the language, mostly: names for names, numbers for numbers."""
    for _ in range(rng.randint(1, 4)):
        kind = rng.choice((r"[A-Za-z]\w*", r"\b\d+(?:\.\d+)?"))
        found = list(re.finditer(kind, text))
        if found:
            place = rng.choice(found)
            other = rng.choice([*(f.group() for f in found), "0" if kind.endswith("?") else "time"])
            text = text[: place.start()] + other + text[place.end() :]
    return text.encode("utf-8", "surrogatepass")


def _lines(text: str, rng: random.Random) -> bytes:
    """Lines lost, doubled, moved, or from another text."""
    lines = text.split("\n")
    for _ in range(rng.randint(1, 4)):
        k, action = rng.randrange(len(lines)), rng.randrange(5)
        if action == 0 and len(lines) > 1:
            del lines[k]
        elif action == 1:
            lines.insert(rng.randrange(len(lines)), lines[k])
        elif action == 2:
            lines.insert(rng.randrange(len(lines)), lines.pop(k))
        elif action == 3:
            lines[k] = rng.choice(rng.choice(corpus()).text.split("\n"))
        else:
            some = lines[k : k + 6]
            rng.shuffle(some)
            lines[k : k + 6] = some
    return "\n".join(lines).encode("utf-8", "surrogatepass")
