"""Reads the pages that explain error codes, which are stored next to the messages. Prints nothing.

A page is a text file named after its code, in the folder `pages` of the part that writes the message: the title in the
first line, then the explanation, then sections that begin with a line "=== name".

=======  ===================================================================
model    the text of example.mo, which causes the message
command  the command to run, if it is not ``cutset check example.mo``
python   or the Python code to run
message  the resulting message
fix      how to correct the model or the call
=======  ===================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

_CODE = re.compile(r"[Ee]?(\d{3})")


@dataclass(frozen=True)
class Page:
    """One page; `path` is its file. A page without an example has an empty `message`; otherwise either `command` or
    `python` is given."""

    code: str
    title: str
    meaning: str
    model: str
    command: str
    python: str
    message: str
    fix: str
    path: Path


def read_pages() -> dict[str, Page]:
    """All pages by code, in order."""
    found = {page.code: page for page in _pages()}
    return dict(sorted(found.items()))


def find_code(text: str, pages: Mapping[str, Page]) -> str:
    """The code for `asked` (E205, e205 or 205); empty if no page has this number."""
    match = _CODE.fullmatch(text.strip())
    code = f"E{match[1]}" if match else ""
    return code if code in pages else ""


def nearest_code(text: str, pages: Mapping[str, Page]) -> str:
    """The code nearest to the number in `asked`; the first code if it contains no digits."""
    digits = "".join(re.findall(r"\d", text)) or "0"
    return min(pages, key=lambda code: abs(int(code[1:]) - int(digits)))


def _pages() -> Iterator[Page]:
    for package in ("cutset.compiler", "cutset.runtime"):
        for path in Path(str(resources.files(package))).glob("**/pages/E*.txt"):
            yield _read(path)


def _read(path: Path) -> Page:
    head, *parts = re.split(r"^=== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    title, _, meaning = head.partition("\n")
    sections = {name: body.strip("\n") for name, _, body in (part.partition("\n") for part in parts)}
    texts = {name: sections.get(name, "") for name in ("model", "command", "python", "message", "fix")}
    if "message" in sections and not texts["python"]:
        texts["command"] = texts["command"] or "cutset check example.mo"
    return Page(path.stem, title, meaning.strip("\n"), **texts, path=path)
