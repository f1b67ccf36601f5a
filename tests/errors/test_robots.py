"""One mistake in a robot of 2500 equations: the first message names it, in the words of who builds robots."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from handbook.blocks import Block, blocks_of
from robot_variants import BROKEN, LEGAL, LIBRARY, PAPER, ROBOT, Variant
from work_counts import calls_of

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.pipeline import compile_model

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
# test_docs_pages makes these mistakes: docs/use/mistakes.md has their messages.
ON_PAGE = {
    "chain_cut", "body_connected_twice", "joint_reversed", "massless_load", "shaft_without_gear", "pin_at_a_frame",
    "output_at_ground", "control_law_forgotten", "sign_error",
}  # fmt: skip


@pytest.mark.parametrize("variant", [v for v in BROKEN if v.name not in ON_PAGE], ids=lambda v: v.name)
def test_mistake_is_named(variant: Variant, tmp_path, monkeypatch, agrees):
    variant.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelError) as caught:
        compile_model(Path(ROBOT), None)
    agrees(str(caught.value).replace(str(ROOT), "ROOT") + "\n", HERE / "robots" / f"{variant.name}.txt")
    first = caught.value.diagnostics[0]
    assert variant.culprit in first.message
    spans = [s for s in (first.span, *(label.span for label in first.labels)) if s is not None]
    assert any(variant.place in span.source.line(span.line) for span in spans)


@pytest.mark.parametrize("variant", [v for v in BROKEN if v.name in ON_PAGE], ids=lambda v: v.name)
def test_mistake_of_the_page_is_named(variant: Variant, tmp_path):
    text = (variant.write(tmp_path).parent / variant.file).read_text(encoding="utf-8")
    blocks = blocks_of((ROOT / "docs/use/mistakes.md").read_text(encoding="utf-8"))
    messages = [m.text for edit, m in pairwise(blocks) if edit.language == "diff" and _edited(edit) == text]
    assert len(messages) == 1 and variant.culprit in messages[0].partition("\n")[0] and variant.place in messages[0]


def _edited(edit: Block) -> str:
    """The text after an edit of the page, which removes lines with '-' and adds those with '+'."""
    old, new = ("".join(line[1:] for line in edit.text.splitlines(keepends=True) if line[0] == mark) for mark in "-+")
    return (PAPER / edit.name.split()[0]).read_text(encoding="utf-8").replace(old, new, 1)


@pytest.mark.parametrize(("variant", "states"), LEGAL, ids=lambda v: getattr(v, "name", ""))
def test_legal(variant: Variant, states: int, tmp_path):
    assert len(compile_model(variant.write(tmp_path), None).info.states) == states


def test_two_mistakes_are_both_told(tmp_path, monkeypatch):
    """Of one stage; what a later stage would find is told when that one is right."""
    named = {v.name: v for v in BROKEN}
    for names in (
        ("class_misspelled", "parameter_misspelled", "cut_misspelled", "two_nodes_for_three"),
        ("chain_cut", "gear_without_joint"),
        ("gear_without_joint", "resistor_left_out"),
        ("output_at_ground", "chain_cut"),
    ):
        path = named[names[0]].write(tmp_path)
        for other in (named[name] for name in names[1:]):
            file = path.parent / other.file
            file.write_text(file.read_text().replace(other.old, other.new, 1))
        with pytest.raises(ModelError) as caught:
            compile_model(path, None)
        said = [d.message for d in caught.value.diagnostics]
        assert all(any(named[name].culprit in message for message in said) for name in names), said


def test_the_message_needs_no_more_than_a_right_model_does(tmp_path):
    """The mistake that needs the most: 2.5 million calls, of which reading the libraries is a fifth."""
    path = next(v for v in BROKEN if v.name == "control_law_forgotten").write(tmp_path)

    def compiled() -> None:
        with pytest.raises(ModelError):
            compile_model(path, None)

    assert calls_of(compiled) < 4e6


def test_every_file_is_a_variant():
    assert {p.stem for p in (HERE / "robots").glob("*.txt")} == {v.name for v in BROKEN} - ON_PAGE
    assert {v.file for v in BROKEN} == {ROBOT, LIBRARY}
