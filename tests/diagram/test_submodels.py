"""Pictures of submodels and connections: each part once, nothing overlaps, lines end at their cuts."""

from __future__ import annotations

import random
import re
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest
from pictures import MODELS, check, crossings, drawn

import cutset
from cutset.api.command_line.command import main

CASES = Path(__file__).parents[1] / "cases" / "models"
DRAWN = [
    MODELS / "rc.mo",
    MODELS / "r3" / "r3.mo",
    MODELS / "oods" / "double_pendulum.mo",
    MODELS / "paper" / "motor.mo",
    *sorted((MODELS / "pymbs").glob("*.mo")),
    CASES / "shafts.mo",
    CASES / "rectifier.mo",
    CASES / "difference_amplifier.mo",
]
MORE = [
    path
    for path in sorted(MODELS.rglob("*.mo"))
    if path not in DRAWN and re.search(r"(?m)^model (?!class)", path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("path", DRAWN, ids=lambda path: path.stem)
def test_picture(path: Path) -> None:
    picture = drawn(path)
    check(picture)
    assert len(picture.boxes) > 3
    assert 3 * crossings(picture) <= 2 * len(picture.lines)


@pytest.mark.parametrize("path", MORE, ids=lambda path: path.stem)
def test_pictures_of_the_other_models(path: Path) -> None:
    picture = drawn(path)
    check(picture)
    assert 3 * crossings(picture) <= 2 * len(picture.lines)


def test_every_submodel_is_there_once() -> None:
    model = cutset.load(MODELS / "r3" / "one_axis.mo")
    picture = drawn(MODELS / "r3" / "one_axis.mo")
    assert list(picture.boxes) and set(picture.boxes) == {component.name for component in model.components()}


def test_models_have_the_picture_of_the_command() -> None:
    path = MODELS / "rc.mo"
    assert cutset.load(path).diagram() == drawn(path).text


def test_every_connection_is_there_once() -> None:
    picture = drawn(MODELS / "rc.mo")
    assert sorted(sorted(line.ends) for line in picture.lines) == [
        ["C:A", "R:B"],
        ["C:B", "V:B", "g:A"],
        ["R:A", "V:A"],
    ]
    assert {line.title for line in picture.lines} >= {"n1: V:A, R:A", "R:B, C:A"}


def random_network(seed: int) -> str:
    """Parts with three and with five cuts, connected at random; some of them inside others."""
    chance = random.Random(seed)
    lines = [
        "cut class Pin (V / i)",
        "model class Leaf",
        "  cut (Pin) a (Va / ia), b (Vb / ib), c (Vc / ic)",
        "  Va = Vb",
        "  ia + ib + ic = 0",
        "end",
    ]
    for level, inner in (("Inner", "Leaf"), ("Outer", "Inner"), ("Net", "Outer")):
        head = f"model class {level}" if level != "Net" else "model Net"
        lines += [head] + ([f"  cut (Pin) {', '.join('abc')}"] if level != "Net" else [])
        count = chance.randint(2, 6)
        lines.append(f"  submodel ({inner}) " + ", ".join(f"p{k}" for k in range(count)))
        lines.append(f"  submodel (Leaf) {', '.join(f'q{k}' for k in range(count))}")
        lines.append(f"  node {', '.join(f'n{k}' for k in range(count))}")
        for part in (f"{letter}{k}" for letter in "pq" for k in range(count)):
            for cut in "abc":
                if chance.random() < 0.8:
                    lines.append(f"  connect {part}:{cut} at n{chance.randrange(count)}")
        if level != "Net":
            lines += [f"  connect {cut} at n{chance.randrange(count)}" for cut in "abc"]
        lines.append("end")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("seed", range(5))
def test_random_network(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "net.mo"
    path.write_text(random_network(seed))
    check(drawn(path))


def test_one_submodel(tmp_path: Path) -> None:
    picture = drawn(MODELS / "r3" / "r3.mo", submodel="m1")
    assert "m1" in picture.boxes and "m1.emf" in picture.boxes and "m2" not in picture.boxes
    check(picture)


def test_depth() -> None:
    picture = drawn(MODELS / "r3" / "r3.mo", depth=1)
    check(picture)
    assert all("." not in name for name in picture.boxes) and "18 parts inside" in picture.text


def test_equations_between_submodels_are_dashed_lines() -> None:
    picture = drawn(MODELS / "r3" / "r3.mo", depth=1)
    (line,) = [line for line in picture.lines if sorted(line.ends) == ["c1", "m1"]]
    assert line.kind == "net equations" and "c1.q = m1.rotor.q" in line.title.splitlines()


def test_equations_between_a_submodel_and_a_cut_of_the_model_are_dashed_lines(tmp_path: Path) -> None:
    path = tmp_path / "meter.mo"
    path.write_text(
        "@electrical\nmodel class Meter\n  cut out (y)\n  submodel (VStep) V(V=10)\n  submodel (Resistor) R(R=10)\n"
        "  submodel (Ground) g\n  connect V:A at R:A, V:B at g, R:B at g\n  y = 2*R.u\nend\n"
        "model M\n  submodel (Meter) meter\nend\n"
    )
    picture = drawn(path)
    (line,) = [line for line in picture.lines if line.kind == "net equations"]
    assert line.title == "meter.y = 2*meter.R.u" and line.ends == ["R"]


def test_texts_of_a_model_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / "m.mo"
    path.write_text(
        "model class Part \"</title><script>alert(1)</script> & 'more' \x07\"\n  main cut A (V / i)\n  V = 0\nend\n"
        'model M "<b>"\n  submodel (Part) p "& <i>", q\n  connect p at q:A\nend\n'
    )
    picture = drawn(path)
    assert "<script" not in picture.text and "\x07" not in picture.text
    assert any("</title><script>alert(1)</script> & 'more'" in title for title in picture.titles)


def test_same_text_every_time() -> None:
    path = MODELS / "oods" / "double_pendulum.mo"
    assert drawn(path).text == drawn(path).text


LADDER = """
@electrical
model Ladder
  submodel (VStep) V(V=1)
  submodel (Resistor) R({n})(R=10)
  submodel (Capacitor) C({n})(C=1e-6)
  submodel (Ground) g
  connect V:A at R(1):A, V:B at g, C(k) at (R(k):B, g) for k = 1..{n}
  connect R(k) to R(k + 1) for k = 1..{n}-1
end
"""
PARALLEL = """
@electrical
model Parallel
  submodel (VStep) V(V=1)
  submodel (Resistor) R({n})(R=10)
  submodel (Ground) g
  connect V:B at g, R(k) at (V:A, g) for k = 1..{n}
end
"""


@pytest.mark.parametrize("text", [LADDER, PARALLEL], ids=["ladder", "parallel"])
def test_a_hundred_parts_make_a_readable_picture(text: str, tmp_path: Path) -> None:
    """Long chains are folded into rows, tall columns are spread."""
    path = tmp_path / "m.mo"
    path.write_text(text.format(n=60))
    picture = drawn(path)
    check(picture)
    _, _, width, height = picture.boxes[""]
    assert 0.4 < width / height < 4 and max(width, height) < 2600


def test_dense_network(tmp_path: Path) -> None:
    """Lines between the same columns in both directions: some have to go around each other."""
    chance = random.Random(5)
    lines = ["model class Leaf", "  cut a (Va / ia), b (Vb / ib), c (Vc / ic)", "  Va = Vb", "end", "model Net"]
    lines += ["  submodel (Leaf) p(60)", f"  node {', '.join(f'n{k}' for k in range(31))}"]
    for part in range(60):
        for cut in "abc":
            lines.append(f"  connect p({part + 1}):{cut} at n{min(30, max(0, part // 2 + chance.randint(-5, 5)))}")
    path = tmp_path / "m.mo"
    path.write_text("\n".join([*lines, "end", ""]))
    check(drawn(path))


CHAIN = """
model class Part
  cut A (Va / i), B (Vb / -i)
  main path P <A - B>
  Va = Vb
end
model class Row
  submodel (Part) p({inner})
end
model M
  submodel (Row) r({outer})
end
"""


def test_deep_levels_of_a_large_model_are_hidden(tmp_path: Path) -> None:
    path = tmp_path / "m.mo"
    path.write_text(CHAIN.format(inner=200, outer=60))
    picture = drawn(path)
    assert len(picture.boxes) == 61 and "200 parts inside" in picture.text


def test_a_level_with_too_many_submodels_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "m.mo"
    path.write_text(CHAIN.format(inner=3_000, outer=1))
    assert len(drawn(path).boxes) == 2
    with pytest.raises(cutset.RunError, match=r"'r\(1\)' has 3000 submodels; a diagram shows at most 1000"):
        drawn(path, submodel="r(1)")


def test_a_model_that_cannot_be_solved_has_a_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.mo").write_text("@electrical\nmodel M\n  submodel (VConst) V(V=1), W(V=2)\n  connect V par W\nend\n")
    assert main(["check", "m.mo"]) == 1
    assert main(["diagram", "m.mo"]) == 0
    assert 'data-path="W"' in Path("m.svg").read_text()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--submodel", "bars"], "did you mean 'bar'?"),
        (["--depth", "0"], "the depth of a diagram must be at least 1, not 0"),
        (["-o", "x.png"], "its name must end in .svg or .pdf"),
        (["--blocks", "--unsolved"], "has no order of evaluation"),
    ],
)
def test_wrong_settings(options: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagram", str(MODELS / "oods" / "double_pendulum.mo"), *options]) == 2
    assert words in capsys.readouterr().err


def test_a_picture_as_pdf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package gets the picture that the command writes as SVG."""
    package = ModuleType("cairosvg")
    package.__spec__ = ModuleSpec("cairosvg", None)
    package.svg2pdf = lambda bytestring, write_to: Path(write_to).write_bytes(b"%PDF" + bytestring)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "cairosvg", package)
    target = tmp_path / "rc.pdf"
    assert main(["diagram", str(MODELS / "rc.mo"), "-o", str(target)]) == 0
    assert target.read_bytes() == b"%PDF" + drawn(MODELS / "rc.mo").text.encode()


def test_a_pdf_without_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cutset.runtime.optional_packages.find_spec", lambda name: None)
    assert main(["diagram", str(MODELS / "rc.mo"), "-o", str(tmp_path / "rc.pdf")]) != 0
    assert "pip install cairosvg; or write .svg" in capsys.readouterr().err
