"""Bond graphs: the strokes of causality fulfill the rules of each element; half arrows and lines are drawn."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from pictures import MODELS

import cutset
from cutset.api.command_line.command import main
from cutset.api.diagram.bonds import bond_graph
from cutset.api.diagram.parts import OWN, Part, parts_of
from cutset.api.translate.listeners import Results
from cutset.api.translate.translation import observe_file, options_of
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.instantiate.instance import Instance
from cutset.compiler.sort.system import SolvedSystem

LEAVES = "RCI"


def graph(path: Path) -> tuple[Part, int]:
    """The bond graph of a model, and the number of its states."""
    results = Results("solve")
    observe_file(path, None, options_of([]), [results])
    root, solved = results.of(Instance), results.of(SolvedSystem)
    made = bond_graph(parts_of(root), root, results.of(FlatModel), solved)
    return made, len(solved.sorted_system.states)


def efforts(model: Part) -> dict[int, list[tuple[int, int]]]:
    """For each part of a model the bonds at it: of how many elements the effort acts on it, and on the other end."""
    found: dict[int, list[tuple[int, int]]] = {}
    for net in model.nets:
        assert net.bond is not None
        for k, port in enumerate(net.ports):
            found.setdefault(port.part, []).append((net.bond.strokes[k], net.bond.strokes[1 - k]))
    return found


def random_graph(chance: random.Random) -> str:
    """A tree of bonds: sources, stores, transformers, gyrators, junctions of both kinds."""
    kind = chance.choice(["SE(e0=1)", "SF(f0=1)"])
    lines = [f"submodel ({kind.partition('(')[0]}) s({kind.partition('(')[2]}"]
    count, waiting = 0, ["s:A"]
    while waiting:
        at, count = waiting.pop(chance.randrange(len(waiting))), count + 1
        what = chance.choice(["1", "0", "TF", "GY", "leaf", "leaf"] if count < 12 else ["leaf"])
        if what == "1":
            lines += [f"submodel (Junction1) j{count}", f"connect {at} at j{count}:A"]
            waiting += [f"j{count}:B", f"j{count}:C"]
        elif what in ("TF", "GY"):
            value = chance.choice(["m=2", "m=1"] if what == "TF" else ["r=3", "r=1"])
            lines += [f"submodel ({what}) t{count}({value})", f"connect {at} at t{count}:A"]
            waiting.append(f"t{count}:B")
        else:
            # With 1 an effort is the alias of a flow.
            leaf, value = chance.choice(LEAVES), chance.choice([1, 2])
            lines += [f"submodel ({leaf}) x{count}({leaf}={value})", f"connect {at} at x{count}"]
            waiting += [at] if what == "0" else []
    return "\n".join(["@bondgraph", "model M", *lines, "end", ""])


def wrong(model: Part, states: int) -> Iterator[str]:
    """The elements whose rule the strokes break."""
    dependent = 0
    for number, bonds in efforts(model).items():
        part = model.parts[number]
        kind = part.name.partition(":")[0]
        inwards, outwards = sum(a for a, _ in bonds), sum(b for _, b in bonds)
        allowed = {"SE": inwards == 0, "SF": outwards == 0, "TF": inwards == outwards, "GY": inwards != outwards,
                   "0": inwards == 1, "1": outwards == 1}  # fmt: skip
        if inwards + outwards != len(bonds) or not allowed.get(kind, True):
            yield f"{part.path}: {bonds}"
        dependent += (kind == "C" and inwards) + (kind == "I" and outwards)
    stores = sum(part.name.startswith(("C:", "I:")) for part in model.parts)
    if stores - dependent != states:
        yield f"{stores} stores, {dependent} of them dependent, {states} states"


def test_strokes_of_random_graphs_fulfill_the_rules(tmp_path: Path) -> None:
    """The rules of Karnopp, Margolis and Rosenberg; as many stores are independent as there are states."""
    drawn = 0
    for seed in range(16):
        path = tmp_path / f"m{seed}.mo"
        path.write_text(random_graph(random.Random(seed)))
        try:
            model, states = graph(path)
        except ModelError:
            continue
        assert not list(wrong(model, states)), path.read_text()
        drawn += 1
    assert drawn > 6


def models_within(model: Part) -> Iterator[Part]:
    yield model
    for part in model.parts:
        if part.parts:
            yield from models_within(part)


@pytest.mark.parametrize("figures", ["4", "5 to 8"])
def test_figures_of_the_paper(figures: str, tmp_path: Path) -> None:
    """At each junction one bond gives each varying flow (1) or effort (0), and sources give what they should."""
    path = MODELS / "double_pendulum.mo"
    if figures != "4":
        path = tmp_path / "figures.mo"
        page = (MODELS.parent / "docs" / "papers.md").read_text(encoding="utf-8")
        path.write_text(page.partition("```cutset figures.mo\n")[2].partition("```")[0])
    model, _ = graph(path)
    checked = 0
    for level in models_within(model):
        for number, bonds in ((k, bonds) for k, bonds in efforts(level).items() if k != OWN):
            kind = level.parts[number].name.partition(":")[0]
            inwards, outwards = sum(a for a, _ in bonds), sum(b for _, b in bonds)
            size = max(a + b for a, b in bonds)
            rules = {"0": inwards == size, "1": outwards == size, "MSEN": inwards == 0, "MSFN": outwards == 0}
            assert rules.get(kind, True), f"{level.parts[number].path}: {bonds}"
            checked += kind in rules
    assert checked > 2


def test_command_and_picture(tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "m.mo"
    path.write_text(
        "@bondgraph\nmodel Half\n  submodel (MSEN) u(n=2)\n  submodel (IN) i(n=2, I=[1, 0; 0, 2])\n"
        "  submodel (SE) e(e0=1)\n  submodel (R) r(R=1)\n  connect u to i, e to r\nend\n"
    )
    assert main(["diagram", "m.mo", "--bonds"]) == 0
    text = (tmp_path / "m.svg").read_text()
    assert text == cutset.load(path).diagram(bonds=True) and 'class="symbol"' not in text
    assert text.count('class="half"') == text.count('class="stroke"') == 2
    assert text.count('class="several"') == text.count('class="between"') == text.count('class="single"') == 1
    (bond, _) = graph(path)[0].nets
    assert [graph(path)[0].parts[port.part].name for port in bond.ports if port.part != OWN] == ["MSEN: u", "IN: i"]
