"""Models said otherwise: edits of the text that must change no number, and the smallest one that does."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from cutset.api.translate.translation import options_of
from cutset.api.verify.comparison import Difference
from cutset.api.verify.restated import wordings
from cutset.api.verify.restated.edits import Edit, Naming, naming_of
from cutset.api.verify.restated.smallest import smallest
from cutset.api.verify.restated.texts import Texts
from cutset.api.verify.restated.ways import Restated, Restating
from cutset.api.verify.subject import Point, subject_of
from cutset.api.verify.verification import verify
from cutset.compiler.options import pairs

# Chains, rings and parallel branches; constants and numbers; a loop, a choice, an event, an initial equation.
CIRCUIT = """@electrical
model Circuit "a filter with a counter"
  experiment (stop=2, rtol=1e-7)
  parameter R0 (unit="Ohm") = 100, k(2) = [1, 3]
  constant C0 (unit="F") = 1e-3, i0 (unit="A") = 0.1
  submodel (VConst) V(V=12)
  submodel (Resistor) R1(R=R0), R2(R=2*R0), R3(R=300)
  submodel (Capacitor) C(C=C0, u0=3)
  submodel (Ground) g
  local x (start=0.5), y, z(2), n (start=0)
  connect V to (R1 par R2 par reversed R3) to C to V:B, g to V:B
  der(x) = 2.5*y - 0.5*x
  y + 3*x = R1.i/i0
  for j = 1..2 do
    z(j) = k(j)*x
  endfor
  if R0 > 50 then
    connect g at C:B
  endif
  when x < 0.2 then
    new(n) = n + 1
    init(x) = x + new(n)
  endwhen
end
"""


def _texts(path):
    return Texts(path, "Circuit", options_of(()))


def test_each_kind_of_edits_keeps_the_meaning(write_model):
    path = write_model(CIRCUIT)
    texts, options = _texts(path), options_of(())
    written = subject_of(path, None, options, {}).model.simulate(0.0, target="python")
    of_kind = texts.wordings(1) | {"in another unit": texts.scaled(["x", "y", "z", "n"])}
    assert len(of_kind) == 8 and all(of_kind.values())
    for kind, edits in of_kind.items():
        other = subject_of(path, "Circuit", replace(options, unsaved=pairs(texts.unsaved(edits))), {}).model
        found, naming = other.simulate(0.0, target="python"), naming_of(edits)
        columns = {name: naming.after(name) for name in written.names()}
        assert all(column in found for column in columns.values()), kind
        assert all(abs(written[n][0] - found[c][0] / naming.factor(n)) < 1e-9 for n, c in columns.items()), kind


def test_a_point_is_the_same_in_another_unit(write_model):
    path, point = write_model(CIRCUIT), Point({"x": 0.9, "C.u": 1.0}, {})
    texts = _texts(path)
    edits = texts.scaled(["x"])
    other = subject_of(path, "Circuit", replace(options_of(()), unsaved=pairs(texts.unsaved(edits))), {})
    found = replace(other, naming=naming_of(edits)).at(point)
    assert found["x_scaled"][0] == pytest.approx(900.0) and found["z(2)"][0] == pytest.approx(2.7)


def test_edits_write_what_they_say(write_model):
    path = write_model(CIRCUIT)
    texts = _texts(path)
    of_kind = texts.wordings(1)

    def text(kind, word):
        (edit,) = [each for each in of_kind[kind] if word in each.what]
        return texts.unsaved([edit])[path.resolve()]

    assert "R1.i/i0 = y + 3*x" in text("sides exchanged", "R1.i")
    scaled = texts.unsaved(texts.scaled(["x", "n"]))[path.resolve()]
    assert "new(n_scaled) = (n_scaled/1000 + 1)*1000" in scaled
    assert "init(x_scaled) = (x_scaled/1000 + new(n_scaled)/1000)*1000" in scaled
    turned = "connect V:B to reversed C to reversed (R1 par R2 par reversed R3) to reversed V, g to V:B"
    assert turned in text("connections turned round", "to C to")
    assert 'parameter C0 (unit="F") = 0.001' in text("constants as parameters", "C0")
    assert "submodel (Circuit_wrapped) wrapped(R0=R0, k=k, x_start=x_start" in text("wrapped into a class", "wrap")


def test_given_values_are_written_into_the_text(write_model):
    path = write_model(CIRCUIT)
    texts = _texts(path)
    edits = texts.given({"R0": 100.0, "R3.R": 300.0, "C.u0": 3.0}, ["x"], lambda name, value: -value)
    given = {pair for edit in edits for pair in (*edit.given, *edit.initial)}
    assert given == {("R0", -100.0), ("R3.R", -300.0), ("C.u0", -3.0), ("x", -0.5)}
    text = texts.unsaved(edits)[path.resolve()]
    assert "R3(R=-300)" in text and "C(C=C0, u0=-3)" in text and "x (start=-0.5)" in text


def test_names_lead_back():
    naming = Naming((("x", "x_renamed"), ("a", "a_renamed")), "wrapped")
    for name, other in (
        ("x", "wrapped.x_renamed"),
        ("der(a.x(2))", "der(wrapped.a_renamed.x(2))"),
        ("b.x", "wrapped.b.x"),
    ):
        assert naming.after(name) == other and naming.before(other) == name
    scaled = Naming(scaled=(("x", "x_scaled", 1000.0),))
    assert scaled.before("der(x_scaled(2))") == "der(x(2))" and scaled.factor("der(x(2))") == 1000.0


@pytest.mark.parametrize("guilty", [{3}, {2, 17}])
def test_the_smallest_set_is_found(guilty):
    edits = [Edit(str(k), object, None, lambda node: node) for k in range(20)]
    found = smallest(edits, lambda some: guilty <= {int(edit.what) for edit in some})
    assert {int(edit.what) for edit in found} == guilty


def test_a_number_that_depends_on_the_text_names_the_edit(write_model, monkeypatch):
    def wrongly(equation):
        # As if the compiler lost a sign where a sum is on the right side.
        is_sum = getattr(equation.left, "operator", "") == "+"
        right = replace(equation.left, operator="-") if is_sum else equation.left
        return replace(equation, left=equation.right, right=right)

    monkeypatch.setattr(wordings, "_exchanged", wrongly)
    found = verify(write_model(CIRCUIT), stop=0.0, points=0)
    (row,) = [row for row in found.rows if not row.passed]
    assert row.way == "said otherwise" and row.wrong
    assert (
        len(row.edits) == 1
        and "line 13" in row.edits[0]
        and "exchange the sides of 'y + 3*x = R1.i/i0'" in row.edits[0]
    )


@pytest.mark.parametrize("guilty", ["", "p3", "p11"])
def test_values_that_stop_a_model_hide_no_others(guilty, monkeypatch):
    """A few values are given at a time, those that can be compared; the smallest that differs is named."""
    edits = [Edit(f"p{k}", object, None, lambda node: node, given=((f"p{k}", 2.0 if k < 12 else -1.0),))
             for k in range(18)]  # fmt: skip
    stopping, compared = {"p2", "p5", "p14"}, []

    def given(self, texts, way, some, steps):
        names = {edit.what for edit in some}
        if names & stopping:
            return Restated(way)
        compared.append(names)
        return Restated(way, in_runs=Difference("x", "", 2.0 if guilty in names else 0.0, 0.0, 0.0))

    monkeypatch.setattr(Restating, "_given", given)
    monkeypatch.setattr(Restating, "_texts", None)
    model = SimpleNamespace(parameters={f"p{k}": 1.0 for k in range(18)})
    found = Restating(None, None, None, None, SimpleNamespace(model=model), str)._in_groups(edits)
    assert [edit.what for edit in found.edits] == ([guilty] if guilty else []) and found.is_wrong == bool(guilty)
    if not guilty:
        assert set.union(*compared) == {edit.what for edit in edits} - stopping and len(compared) < 10
