"""Cuts that take one connection: any nesting of models hands a port on, and only where two elements meet at it is the
model refused."""

from __future__ import annotations

import random

import pytest

import cutset
from cutset.compiler.diagnostics import ModelError

PARTS = """@bondgraph
model class Level0
  submodel (Junction1) j
  submodel (I) m(I=1)
  cut A, B
  main path P <A - B>
  connect A at j:A, B at j:B, m to j:C
end
"""


def level(k: int) -> str:
    return (
        f"model class Level{k}\n  submodel (Level{k - 1}) inner\n  cut A, B\n  main path P <A - B>\n"
        "  connect A at inner:A, B at inner:B\nend\n"
    )


def graph(generator: random.Random, depth: int, crowd: int) -> str:
    """A source, a junction `depth` models deep and `crowd` resistors at its end, joined in random order, by a node or
    at the port."""
    middle = generator.choice(["node n", ""])
    end = "n" if middle else "o:B"
    joined = [f"r({k}) at {end}" for k in range(1, crowd + 1)] + (["o:B at n"] if middle else [])
    joined.append("s to o:A")
    generator.shuffle(joined)
    levels = "".join(level(k) for k in range(1, depth + 1))
    return (
        f"{PARTS}{levels}model M\n  submodel (SE) s(e0=1)\n  submodel (Level{depth}) o\n  submodel (R) "
        f"r({crowd})(R=1)\n  {middle}\n"
        f"  connect {', '.join(joined)}\nend\n"
    )


@pytest.mark.parametrize("seed", range(12))
def test_only_several_elements_at_a_single_cut_are_refused(seed, write_model):
    generator = random.Random(seed)
    depth, crowd = generator.randint(0, 4), generator.randint(1, 3)
    path = write_model(graph(generator, depth, crowd))
    if crowd == 1:
        run = cutset.load(path).simulate(1.0, points=2, rtol=1e-9, atol=1e-9)
        assert run["r(1).f"][-1] == pytest.approx(1 - 2.718281828459045**-1, rel=1e-7)  # an I behind an R
        return
    with pytest.raises(ModelError) as refused:
        cutset.load(path)
    (diagnostic,) = refused.value.diagnostics
    assert diagnostic.code == "E314" and "'o:B'" in diagnostic.message
    assert all(f"'r({k}):A'" in diagnostic.message for k in range(1, crowd + 1))


def test_a_port_of_the_object_itself_counts(write_model):
    text = (
        "@bondgraph\nmodel M\n  submodel (Junction1) j\n  submodel (R) r(R=1)\n  cut A\n  connect A at j:A, r to j:A\n"
        "end\n"
    )
    with pytest.raises(ModelError) as refused:
        cutset.load(write_model(text))
    assert [d.code for d in refused.value.diagnostics] == ["E314"]
