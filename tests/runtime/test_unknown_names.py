"""Names that are unknown: what the hint proposes."""

from __future__ import annotations

from pathlib import Path

import pytest

import cutset
from cutset.runtime.description import Description
from cutset.runtime.errors import RunError, UnknownName, unknown_name

KNOWN = ["R.R", "R.Va", "R.u", "C.C", "C.u", "L.i", "arm.j1.q", "T(1)", "T(2)"]
NODES = {"n1": ("R.Va", "C.Va"), "arm.n": ()}
NO_VARIABLES = "is a node, and a node has no variables; name those of a component at it"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("r.r", "did you mean 'R.R'?"),
        ("L", "did you mean 'L.i'?"),
        ("C", "name 'C.C' or 'C.u', or all of them: 'C.*'"),
        ("arm", "did you mean 'arm.j1.q'?"),
        ("u", "did you mean 'C.u' or 'R.u'?"),
        ("j1.q", "did you mean 'arm.j1.q'?"),
        ("arm.j1.f", "'arm.j1' has 'arm.j1.q'"),
        ("motor.R", "did you mean 'R.R'?"),
        ("C.voltage", "'C' has 'C.C' and 'C.u'"),
        ("n1", f"'n1' {NO_VARIABLES}: 'R.Va' or 'C.Va'"),
        ("n1.V", f"'n1' {NO_VARIABLES}: 'R.Va' or 'C.Va'"),
        ("arm.n", f"'arm.n' {NO_VARIABLES}"),
        ("T", "name its elements: T(1) to T(2), or all of them: 'T(*)'"),
        ("zzz", "'cutset inspect FILE --variables' lists the names of a model"),
    ],
)
def test_hint(name: str, hint: str) -> None:
    assert unknown_name("variable", name, KNOWN, NODES)[1] == hint


def test_many_names_are_counted() -> None:
    _, hint = unknown_name("parameter", "x", [f"a{k}.x" for k in range(9)])
    assert hint == "did you mean 'a0.x', 'a1.x', 'a2.x', 'a3.x' or 5 more?"


def test_nodes_of_a_model() -> None:
    model = cutset.load(Path(__file__).parents[2] / "models" / "rc.mo")
    run = model.simulate(0.0)
    assert run.description.nodes == {"n0": ("V.Vb", "g.V", "C.Vb"), "n1": ("V.Va", "R.Va")}
    assert Description.from_json(run.description.to_json()) == run.description
    with pytest.raises(UnknownName, match="no variable 'n1'") as raised:
        run.select("n1")
    assert raised.value.hint.endswith("at it: 'V.Va' or 'R.Va'")
    for ask in (model.variables, model.why, lambda name: model.sweep({"R.R": [1.0]}, [name])):
        with pytest.raises(RunError) as raised:
            ask("n1")
        assert raised.value.hint.endswith("at it: 'V.Va' or 'R.Va'")
