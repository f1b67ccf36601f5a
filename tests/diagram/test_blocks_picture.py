"""The picture of the incidence: the blocks and iteration variables that `inspect` counts, in block triangular form."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from pictures import MODELS, SVG

import cutset
from cutset.api.diagram.blocks import Matrix, matrix_of
from cutset.api.diagram.blocks_svg import blocks_svg
from cutset.api.translate.translation import observe_file, options_of
from cutset.compiler.sort.system import SolvedSystem

DRAWN = [MODELS / "rc.mo", MODELS / "four_bar.mo", MODELS / "r3" / "one_axis.mo", MODELS / "cauer_low_pass.mo"]


def matrix(path: Path) -> Matrix:
    found: list[SolvedSystem] = []

    def keep(_: str, result: object) -> None:
        if isinstance(result, SolvedSystem):
            found.append(result)

    observe_file(path, None, options_of([]), [keep])
    return matrix_of(found[0])


@pytest.mark.parametrize("path", DRAWN, ids=lambda path: path.stem)
def test_blocks_are_those_of_inspect(path: Path) -> None:
    model = cutset.load(path)
    facts = model.inspect()
    root = ElementTree.fromstring(model.diagram(blocks=True))
    drawn = sorted(
        (int(g.get("data-size", "")), int(g.get("data-torn", ""))) for g in root.iter(f"{SVG}g") if g.get("data-size")
    )
    counted = [(s["size"], s["torn"]) for kind in ("linear_systems", "nonlinear_systems") for s in facts[kind]]
    # What is solved at the start of a run has no iteration variables in its steps, but is drawn as solved together.
    expected = sorted(block for block in counted if block[0] > 1)
    shown = [block for block in drawn if block[0] > 1]
    assert [size for size, _ in shown] == [size for size, _ in expected]
    assert all(torn in (0, own) for (_, own), (_, torn) in zip(shown, expected, strict=True))
    assert len(matrix(path).blocks) == facts["blocks"]


@pytest.mark.parametrize("path", DRAWN, ids=lambda path: path.stem)
def test_form_is_block_triangular(path: Path) -> None:
    m = matrix(path)
    assert sum(block.size for block in m.blocks) == len(m.unknowns)
    for block in m.blocks:
        end = block.first + block.size
        for row in range(block.first, end):
            # Within a block only the columns of iteration variables reach above the diagonal.
            assert all(column <= row or end - block.torn <= column < end for column in m.entries[row]), row


def test_names_show_on_hover() -> None:
    text = cutset.load(MODELS / "four_bar.mo").diagram(blocks=True)
    titles = [title.text or "" for title in ElementTree.fromstring(text).iter(f"{SVG}title")]
    assert "@media (prefers-color-scheme:dark){.page{fill:#15191e}" in text
    assert any(title.startswith("unknown 1: x1, an iteration variable") for title in titles)
    assert any("four_bar.mo:" in title for title in titles)


def test_large_matrix_is_small_enough() -> None:
    count = 20_000
    large = Matrix(
        "M", ("0 = x",) * count, ("m.mo:1:1",) * count, ("x",) * count, tuple((k,) for k in range(count)), ()
    )
    assert len(blocks_svg(large)) < 5_000_000


def test_texts_are_escaped() -> None:
    text = blocks_svg(Matrix("<M>", ("0 = a < b",), ("<f>.mo:1:1",), ("<x>&",), ((0,),), ()))
    assert ElementTree.fromstring(text) is not None and "<x>" not in text
