"""Parts that the text places: they are there, nothing covers them, and their lines arrive."""

from __future__ import annotations

from pathlib import Path

import pytest
from pictures import check, drawn

from cutset.compiler.diagnostics import Source
from cutset.compiler.syntax.format import format_text

RC = (Path(__file__).parents[2] / "models" / "rc.mo").read_text()
LIFT = """@electrical
@rotational

model Lift
  submodel (VConst) V(V=24)
  submodel (Ground) g
  submodel (DCMachine) m
  submodel (IdealGear) gear(ratio=20) {gear}
  submodel (Inertia) J1(J=1), J2(J=1) {J2}
  connect V:A to m:A, V:B to m:B, V:B to g, m:flange to gear:A, gear:B to J1:A, J1:B to J2:A
end
"""


@pytest.mark.parametrize(
    ("name", "place"),
    [("R", (200, 180)), ("R", (60, 90)), ("C", (40, 300)), ("V", (400, 60)), ("g", (300, 300)), ("R", (0, 0))],
)
def test_a_part_of_a_circuit_is_where_it_was_put(tmp_path: Path, name: str, place: tuple[int, int]) -> None:
    line = next(line for line in RC.splitlines() if f") {name}" in line)
    text = RC.replace(line, f"{line}  {{ at {place[0]} {place[1]} }}")
    assert format_text(Source("rc.mo", text)) == text
    (tmp_path / "rc.mo").write_text(text)
    picture = drawn(tmp_path / "rc.mo")
    x, y, width, height = picture.boxes[name]
    left, top, *_ = picture.boxes[""]
    assert x - left + width / 2 == pytest.approx(max(place[0], 0), abs=60 if place == (0, 0) else 1)
    assert y - top + height / 2 == pytest.approx(max(place[1], 24), abs=60 if place == (0, 0) else 1)
    check(picture)


@pytest.mark.parametrize("places", [{"gear": "{ at 60 200 }"}, {"gear": "{ at 60 200 }", "J2": "{ at 300 40 }"}])
def test_a_drive_train_makes_room(tmp_path: Path, places: dict[str, str]) -> None:
    text = LIFT.replace("{gear}", places.get("gear", "")).replace("{J2}", places.get("J2", ""))
    (tmp_path / "lift.mo").write_text(text)
    check(drawn(tmp_path / "lift.mo"))
