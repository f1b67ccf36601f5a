"""The tutorial arrives at the files of models/r3."""

from __future__ import annotations

from pathlib import Path

from handbook.blocks import blocks_of

ROOT = Path(__file__).parents[2]
STEPS = ("joint", "servo", "axis", "arm")


def test_the_files_of_the_steps_are_those_of_the_robot() -> None:
    pages = [(ROOT / "docs" / "tutorial" / f"{step}.md").read_text(encoding="utf-8") for step in STEPS]
    written = {block.name: block.text for page in pages for block in blocks_of(page) if block.language == "cutset"}
    models = ROOT / "models" / "r3"
    for name in ("multibody", "motor", "drives", "control", "one_axis", "arm", "r3", "inverse"):
        assert written[f"{name}.mo"] == (models / f"{name}.mo").read_text(encoding="utf-8"), name
