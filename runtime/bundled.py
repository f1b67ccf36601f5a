"""Finds what browsers run: the workbench, the widget of notebooks, the page of animations, and three.js.

`make workbench` makes the folder runtime/bundle from workbench/, whole: do not edit or merge its files."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable


def bundle() -> Traversable:
    """The folder."""
    return files("cutset.runtime") / "bundle"


def bundled(name: str) -> str:
    """The text of a file of the bundle."""
    return (bundle() / name).read_text(encoding="utf-8")
