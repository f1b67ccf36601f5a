"""Writes what all diagrams share in SVG: the page, the style of texts, escaped texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

STYLE_OF_TEXT = "text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;fill:#1c2128}"
# What XML does not allow in a text.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def page(width: float, height: float, style: str, lines: Iterable[str]) -> str:
    """The picture of this size with a white background."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}">\n<style>{style}</style>\n'
        f'<rect class="page" width="{width:g}" height="{height:g}" fill="#ffffff"/>\n'
    )
    return head + "\n".join(lines) + "\n</svg>\n"


def escaped(words: str) -> str:
    """The text as XML, without the characters that XML does not allow."""
    return escape(_FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", words))


def quoted(words: str) -> str:
    """The text as the value of an attribute, with its quotes."""
    return quoteattr(_FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", words))
