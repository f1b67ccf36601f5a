"""Splits the text of a page into its fenced blocks. `running` and `prepare` process them.

    ```cutset rc.mo        a complete file; its name follows the language
    ```message             the message of `cutset check` for the model in the block before
    ```diff r3.lib a.mo    an edit of the first file, lines `-` and `+`; the first message for the second one follows
    ```console             lines `$ cutset ...`, and their output
    ```py pid.py           a file in Python, which is written; in C, TOML and text likewise
    ```python              lines `>>> ...`, and their output

Text, sh, modelica and other languages are only shown (`SHOWN` in `running`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_OPENING = re.compile(r"(`{3,})[ ]*(\S*)[ ]*(.*?)\s*")
UNNAMED = "model.mo"


@dataclass(frozen=True)
class Block:
    """A fence: `language` and `name` follow the marks, `line` is that of the marks (from 1), and lines[first:end] of
    the page are its text."""

    language: str
    name: str
    text: str
    line: int
    first: int
    end: int


def blocks_of(page: str) -> list[Block]:
    """All fenced blocks in order. A block without an end extends to the end of the page."""
    lines = page.splitlines()
    blocks = []
    k = 0
    while k < len(lines):
        opening = _OPENING.fullmatch(lines[k])
        if opening is None:
            k += 1
            continue
        marks, language, name = opening.groups()
        end = next((n for n in range(k + 1, len(lines)) if lines[n].rstrip() == marks), len(lines))
        text = "".join(line + "\n" for line in lines[k + 1 : end])
        name = name or (UNNAMED if language == "cutset" else "")
        blocks.append(Block(language, name, text, k + 1, k + 1, end))
        k = end + 1
    return blocks


def with_texts(page: str, texts: dict[int, str]) -> str:
    """The page with replaced texts in the blocks whose `line` is in `texts`."""
    lines = page.splitlines()
    for block in reversed(blocks_of(page)):
        if block.line in texts:
            lines[block.first : block.end] = texts[block.line].splitlines()
    return "".join(line + "\n" for line in lines)
