"""What a hand on a diagram does to the text, without a browser: small edits that give the model that is meant."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cutset
from cutset.api.translate.translation import options_of
from cutset.runtime.errors import RunError
from cutset.server.building import Building

STYLED = """{ A filter. }

@electrical

model Filter "of first order"
  parameter Rx (unit="Ohm") = 2 kOhm
  submodel (VStep) V(V=10 V, t0=100 ms)  # the source
  submodel (Resistor) R(R=1 kOhm { first }), R2(R=Rx) { the load }
  submodel (Capacitor) C(C=100 uF)
  submodel (Ground) g
  node n0, n1
  connect V at (n1, n0), { one } g at n0, n1 to R to C to n0  # the loop
  connect R2:A to C:A, R2:B to g
end
"""


class Hand:
    """A text under a hand."""

    def __init__(self, folder: Path, text: str):
        self.file = "m.mo"
        self.text = text
        (folder / self.file).write_text(text)
        self.building = Building(options_of((), in_editor=True))

    def ask(self, call: Callable[..., Any], **more: Any) -> Any:
        return call(
            file=self.file, text=self.text, name=None, submodel=more.pop("submodel", ""), unsaved={}, **more
        ).data

    def does(self, does: str, **given: Any) -> Any:
        found = self.ask(self.building.hand, does=does, given=given)
        lines = self.text.split("\n")
        starts = [sum(len(line) + 1 for line in lines[:k]) for k in range(len(lines))]
        edits = found["changes"].get(self.file, [])
        ends = [
            (starts[e["line"]] + e["character"], starts[e["end_line"]] + e["end_character"], e["text"]) for e in edits
        ]
        if not found["trouble"]:
            for first, last, text in sorted(ends, reverse=True):
                self.text = self.text[:first] + text + self.text[last:]
        return found

    def picture(self) -> str:
        return self.ask(self.building.picture)["svg"]

    def lines(self) -> list[str]:
        return [line.strip() for line in self.text.split("\n") if line.strip()]


@pytest.fixture
def hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Hand]:
    monkeypatch.chdir(tmp_path)
    return lambda text: Hand(tmp_path, text)


def test_a_circuit_is_built_from_nothing(hand) -> None:
    rc = hand('model RC ""\nend\n')
    for class_name in ("VConst", "Resistor", "Capacitor", "Ground"):
        rc.does("add", library="electrical", **{"class": class_name})
    assert rc.lines()[:2] == ["@electrical", 'model RC ""']
    assert 'data-path="ground"' in rc.picture()  # values are missing
    for one, other in ((":V", ""),) and (("V:A", "R:A"), ("R:B", "C:A"), ("C:B", "ground:A"), ("V:B", "ground:A")):
        assert other in rc.ask(rc.building.fitting, port=one)["ports"]
        rc.does("connect", one=one, other=other)
    for part, values in (("V", {"V": "10"}), ("R", {"R": "1 kOhm"}), ("C", {"C": "100 uF"})):
        assert rc.does("values", part=part, values=values)["trouble"] == {}
    assert rc.lines()[2:] == [
        "submodel (VConst) V(V=10)", "submodel (Resistor) R(R=1 kOhm)", "submodel (Capacitor) C(C=100 uF)",
        "submodel (Ground) ground", "connect V:A to R:A", "connect R:B to C:A", "connect C:B to ground",
        "connect V:B to ground", "end",
    ]  # fmt: skip
    run = cutset.loads(rc.text).simulate(stop=0.1)
    assert run["C.u"][-1] == pytest.approx(10 * (1 - 2.718281828459045**-1), rel=1e-5)


def test_a_submodel_goes_with_its_connections_only(hand) -> None:
    model = hand(STYLED)
    model.does("remove", parts=["R"], ports=[])
    expected = STYLED.replace("R(R=1 kOhm { first }), ", "").replace("n1 to R to C to n0", "C to n0")
    assert model.text == expected
    model.does("remove", parts=["R2", "g"], ports=[])
    expected = expected.replace("  submodel (Resistor) R2(R=Rx) { the load }\n", "").replace(
        "  submodel (Ground) g\n", ""
    )
    expected = expected.replace("{ one } g at n0, ", "{ one } ").replace("  connect R2:A to C:A, R2:B to g\n", "")
    assert model.text.replace("{ one } ", "") == expected.replace("{ one } ", "")


def test_a_line_is_disconnected(hand) -> None:
    model = hand(STYLED)
    model.does("remove", parts=[], ports=["V:A", "R:A"])
    assert "connect { one } g at n0, R to C to n0  # the loop" in model.text or "V:B to n0, { one } g" in model.text
    model.does("remove", parts=[], ports=["R2:A", "C:A", "R:B"])
    assert "  connect R2:B to g\n" in model.text
    assert "C to n0  # the loop" in model.text


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ({"R": "3 kOhm"}, "R(R=3 kOhm { first }), R2(R=Rx) { the load }"),
        ({"R": ""}, "R, R2(R=Rx) { the load }"),
        ({"R": "Rx", "ac": "0"}, None),
    ],
)
def test_values_are_written_where_they_belong(hand, values: dict[str, str], line: str | None) -> None:
    model = hand(STYLED)
    found = model.does("values", part="R", values=values)
    if line is None:
        assert set(found["trouble"]) == {"ac"} and model.text == STYLED
    else:
        assert model.lines()[5] == f"submodel (Resistor) {line}"


@pytest.mark.parametrize("value", ["2 A", "1) end { ", "1, x=2", "nothing", "1;2", "", "3 kOhm\nend"])
def test_a_value_is_checked_as_one_types(hand, value: str) -> None:
    model = hand(STYLED)
    found = model.does("values", part="V", values={"V": value, "t0": "1 s"})
    assert set(found["trouble"]) <= {"V", "t0"} and bool(found["trouble"]) == (value != "")


def test_a_value_becomes_the_default_again(hand) -> None:
    model = hand(STYLED)
    model.does("values", part="V", values={"t0": ""})
    assert "submodel (VStep) V(V=10 V)  # the source" in model.text
    model.does("values", part="V", values={"t0": "2 s", "V": ""})
    assert "submodel (VStep) V(t0=2 s)  # the source" in model.text


def test_a_place_is_a_comment_that_the_layout_respects(hand) -> None:
    model = hand(STYLED)
    model.does("move", part="R", place=[140, 300])
    assert "R(R=1 kOhm { first }) { at 140 300 }, R2(R=Rx)" in model.text
    model.does("move", part="R2", place=[240.4, -3])
    assert "R2(R=Rx)  { at 240 0 } { the load }" in model.text
    model.does("move", part="R", place=[10, 20])
    assert "R(R=1 kOhm { first }) { at 10 20 }, R2" in model.text
    for part in ("R", "R2"):
        model.does("move", part=part, place=None)
    assert model.text == STYLED


def test_a_selection_becomes_a_class(hand) -> None:
    model = hand(STYLED.replace("end\n", "  output y\n  y = R.R*C.C\nend\n"))
    before = cutset.loads(model.text).simulate(stop=0.5)
    model.does("wrap", parts=["R", "C"], named="Lag")
    after = cutset.loads(model.text).simulate(stop=0.5)
    assert "model class Lag" in model.text
    assert "  y = lag.R.R*lag.C.C\n" in model.text
    assert after["lag.C.u"][-1] == pytest.approx(before["C.u"][-1], rel=1e-6)
    with pytest.raises(RunError, match="uses 'Rx'"):
        model.does("wrap", parts=["R2"], named="Load")
    with pytest.raises(RunError, match="free name"):
        model.does("wrap", parts=["V"], named="Lag")


def test_only_fitting_cuts_are_offered(hand) -> None:
    model = hand("@electrical\n@rotational\n\nmodel M\n  submodel (DCMachine) m\n  submodel (Inertia) J(J=1)\n"
                 "  submodel (Ground) g\n  submodel (VConst) V(V=1)\n  connect V:B to g\nend\n")  # fmt: skip
    assert set(model.ask(model.building.fitting, port="m:flange")["ports"]) == {"J:A", "J:B"}
    assert set(model.ask(model.building.fitting, port="V:B")["ports"]) == {"m:A", "m:B", "V:A"}


def test_an_include_keeps_names_apart(hand) -> None:
    model = hand("@translational\n\nmodel M\nend\n")
    model.does("add", library="rotational", **{"class": "Inertia"})
    assert model.lines()[1] == "@rotational as rot" and "submodel (rot.Inertia) J\n" in model.text
    model.does("add", library="translational", **{"class": "Mass"})
    assert "submodel (Mass) mass\n" in model.text and model.text.count("@") == 2


def test_classes_are_found_by_other_words(hand) -> None:
    model = hand("model M\nend\n")
    for word, names in (("motor", {"DCMachine"}), ("drum", {"Rack", "IdealGearR2T"}), ("battery", {"VConst"})):
        groups = model.building.palette("m.mo", model.text, word, {}).data["groups"]
        assert names <= {each["name"] for group in groups for each in group["classes"]}


def test_only_the_own_folder_is_changed(hand) -> None:
    model = hand("@electrical\n\nmodel M\n  submodel (DCMachine) m\nend\n")
    with pytest.raises(RunError, match="not a class of this folder"):
        model.ask(model.building.hand, submodel="m", does="remove", given={"parts": ["R"], "ports": []})


def test_a_file_of_others_places_parts_and_nothing_else(hand) -> None:
    """Places are numbers; what else a comment contains is a comment."""
    for comment in (
        "{ at 1 2; alert(1) }",
        "{ at 99999 1 }",
        "{ at -5 1 }",
        "{ at 1e3 1 }",
        "{ at <b> 1 }",
        "{ at \u0661 1 }",
    ):
        model = hand(STYLED.replace("{ first }), ", f"{{ first }}) {comment}, "))
        assert model.picture() == hand(STYLED).picture()
    far = hand(STYLED.replace("{ first }), ", "{ first }) { at 9999 9999 }, "))
    assert 'width="1' in far.picture()


EVIL = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" data-cuts="A 0 10">{}</svg>'


@pytest.mark.parametrize(
    "shape",
    [
        "<script>wrong=1</script>", '<circle cx="1" cy="1" r="1" onload="wrong=1"/>', '<image href="http://a.b/c"/>',
        '<foreignObject><b xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>', '<use href="#a"/>',
        '<text x="1" y="1">&lt;script&gt;wrong=1&lt;/script&gt;</text>',
        '<rect width="1" height="1" style="fill:url(//a)"/>',
    ],
)  # fmt: skip
def test_a_picture_of_the_folder_runs_nothing(hand, tmp_path: Path, shape: str) -> None:
    (tmp_path / "Own.svg").write_text(EVIL.format(shape))
    model = hand('@electrical\n\nmodel class Own "<img src=x onerror=wrong=1>"\n  cut (Pin) A\nend\n\nmodel M\nend\n')
    (own, *_) = model.building.palette("m.mo", model.text, "", {}).data["groups"]
    (offered,) = own["classes"]
    tags = {tag for tag in re.findall(r"<(\w+)", offered["picture"])}
    assert offered["name"] == "Own" and tags <= {"svg", "g", "text"}
    assert not re.search(r"\bon\w+=|href|style=|<script", offered["picture"])


def test_names_from_files_are_escaped(hand) -> None:
    model = hand("@electrical\n\nmodel M\n  submodel (Resistor) '<b onclick=x>'(R=1)\nend\n")
    picture = model.picture()
    assert "<b" not in picture and "&lt;b onclick=x&gt;" in picture
    assert model.ask(model.building.part, part="'<b onclick=x>'")["class_name"] == "Resistor"
