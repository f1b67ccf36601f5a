"""Declarations and documentation of the standard library -> a page for each of its files."""

from __future__ import annotations


def library_pages() -> dict[str, str]:
    """Name below the folder of generated pages -> text."""
    return {"library/index.md": "# Standard library\n"}
