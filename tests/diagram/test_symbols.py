"""Symbols of classes: those of the libraries fit their classes, those of users are plain shapes or an error."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pictures import check, drawn

import cutset
from cutset.api.diagram.domains import DOMAINS
from cutset.api.diagram.symbols import symbol_of
from cutset.compiler.instantiate.names.library import load_library
from cutset.compiler.syntax.tree import CutDeclaration
from cutset.contract.names import rpartition
from cutset.stdlib import FOLDER

CIRCUIT = """
@electrical
model class Lamp "a lamp"
  cut (Pin) A (Va / i), B (Vb / -i)
  parameter P = 5
  Va - Vb = 3*i
end
model class (Lamp) Bulb
end
model M
  submodel (VConst) V(V=12)
  submodel (Bulb) lamp(P=60 W)
  submodel (Resistor) R(R=1 kOhm)
  submodel (Ground) g
  connect V:A at R:A, R:B at lamp:A, V:B at lamp:B, g at V:B
end
"""
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" data-cuts="A 0 10, B 40 10">'


def picture_with(tmp_path: Path, shapes: str, head: str = HEAD) -> str:
    path = tmp_path / "m.mo"
    path.write_text(CIRCUIT)
    (tmp_path / "Lamp.svg").write_text(f"{head}{shapes}</svg>")
    return drawn(path).text


def test_symbols_of_the_libraries_belong_to_classes() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in Path(FOLDER).rglob("*.mo")}
    found = sorted(Path(FOLDER).rglob("*.svg"))
    assert len(found) > 300
    for path in found:
        # Beside a file of the folder's name, or in it.
        near = [t for file, t in texts.items() if file.parent == path.parent or file.with_suffix("") == path.parent]
        assert any(re.search(rf"(?m)^model class (\([^)]*\) )?{path.stem}\b", text) for text in near), path


def test_symbols_have_their_cuts_on_their_border() -> None:
    for path in Path(FOLDER).rglob("*.svg"):
        root = ElementTree.parse(path).getroot()
        width, height = map(float, root.get("viewBox", "").split()[2:])
        for entry in root.get("data-cuts", "").split(","):
            _, x, y = entry.split()
            assert float(x) in (0, width) or float(y) in (0, height), (path.stem, entry)


def test_a_subclass_has_the_symbol_of_its_superclass(tmp_path: Path) -> None:
    text = picture_with(tmp_path, '<path d="M0 10H40"/><text x="20" y="9" fill="black">&lt;x</text>')
    assert '<path d="M0 10H40"/>' in text and ">&lt;x</text>" in text
    assert "A lamp" not in text


def test_values_are_written_as_in_the_model(tmp_path: Path) -> None:
    words = re.findall(r'<text class="label"[^>]*>([^<]*)<', picture_with(tmp_path, ""))
    assert {"P = 60 W", "R = 1 kOhm", "V = 12"} <= set(words)


def test_a_class_without_symbol_is_a_box(tmp_path: Path) -> None:
    path = tmp_path / "m.mo"
    path.write_text(CIRCUIT)
    picture = drawn(path)
    check(picture)
    assert picture.symbols == {"V", "R", "g"} and ">Bulb<" in picture.text


@pytest.mark.parametrize(
    "shapes",
    [
        "<script>alert(1)</script>",
        '<path d="M0 0" onclick="alert(1)"/>',
        '<path d="M0 0" style="fill:url(https://x.org/a)"/>',
        '<path d="M0 0" fill="url(#a)"/>',
        '<path d="M0 0&quot;/&gt;&lt;script"/>',
        '<image href="file:///etc/passwd"/>',
        '<use href="#a"/>',
        '<a href="javascript:alert(1)"><path d="M0 0"/></a>',
        "<foreignObject><p>x</p></foreignObject>",
        '<rect x="1e9" y="0" width="1" height="1"/>',
        '<rect x="0" y="0" width="1" height="1"><animate attributeName="x"/></rect>',
        '<text x="1" y="1">a very long text that covers the neighbors</text>',
        '<text x="1" y="1"><tspan>x</tspan></text>',
        "words between shapes",
        "<path/>" * 101,
        "<!-- " + "x" * 20_000 + " -->",
    ],
)
def test_only_plain_shapes_are_taken(shapes: str, tmp_path: Path) -> None:
    with pytest.raises(cutset.RunError, match=r"E605.*Lamp\.svg is not a symbol"):
        picture_with(tmp_path, shapes)


@pytest.mark.parametrize(
    "head",
    [
        '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + HEAD,
        '<?xml-stylesheet href="x"?>' + HEAD,
        HEAD.replace("0 0 40 20", "0 0 400 20"),
        HEAD.replace("0 0 40 20", "0 0 0 0"),
        HEAD.replace("0 0 40 20", "0 0 ٤٠ 20"),
        HEAD.replace("A 0 10", "A 0 ten"),
        HEAD.replace("<svg", '<svg onload="alert(1)"'),
        HEAD.replace("<svg", '<svg style="x"'),
        HEAD.replace("http://www.w3.org/2000/svg", "http://x.org"),
        "no SVG",
    ],
)
def test_only_plain_files_are_taken(head: str, tmp_path: Path) -> None:
    with pytest.raises(cutset.RunError, match=r"E605.*Lamp\.svg is not a symbol"):
        picture_with(tmp_path, "", head)


def test_a_symbol_may_be_a_line(tmp_path: Path) -> None:
    assert "M0 0H40" in picture_with(tmp_path, '<path d="M0 0H40"/>', HEAD.replace("0 0 40 20", "0 0 40 0"))


def test_a_link_does_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.svg").write_text(f"{HEAD}</svg>")
    (inside / "m.mo").write_text(CIRCUIT)
    (inside / "Lamp.svg").symlink_to(tmp_path / "secret.svg")
    with pytest.raises(cutset.RunError, match="outside of the folder"):
        drawn(inside / "m.mo")


def test_a_changed_symbol_is_read_again(tmp_path: Path) -> None:
    assert "M0 10H40" in picture_with(tmp_path, '<path d="M0 10H40"/>')
    assert "M0 11H40" in picture_with(tmp_path, '<path d="M0 11H40"/><path d="M0 12H40"/>')


def test_a_circuit_is_laid_out_as_a_circuit() -> None:
    """The source is left, the resistor lies, the capacitor stands behind it, the ground is below all."""
    picture = drawn(Path(__file__).parents[2] / "models" / "rc.mo")
    boxes = picture.boxes
    assert boxes["V"][0] < boxes["R"][0] < boxes["C"][0]
    assert boxes["R"][2] > boxes["R"][3] and boxes["C"][2] < boxes["C"][3]
    assert boxes["g"][1] >= max(boxes[part][1] + boxes[part][3] for part in "VRC")
    assert picture.cuts["V:A"][1] < picture.cuts["V:B"][1] and picture.cuts["C:A"][1] < picture.cuts["C:B"][1]


def test_arrows_of_signals_reach_their_cuts(tmp_path: Path) -> None:
    path = tmp_path / "m.mo"
    path.write_text(
        "@blocks\n@sources\nmodel M\n  submodel (Step) s\n  submodel (Gain) k(k=2)\n  submodel (Integrator) x\n"
        "  connect s:out to k:inp\n  x.u = k.y\nend\n"
    )
    picture = drawn(path)
    check(picture)
    heads = re.findall(r'class="head" d="M(\S+) ([^L]+)L', picture.text)
    assert {(float(x), float(y)) for x, y in heads} == {picture.cuts["k:inp"], picture.cuts["x:inp"]}


def test_domains_differ_in_color_and_in_width_or_arrows() -> None:
    assert len({domain.light for domain in DOMAINS}) == len({domain.dark for domain in DOMAINS}) == len(DOMAINS)


@pytest.mark.parametrize(
    ("units", "domain"),
    [
        ('V (unit="V") / i (unit="A")', "electrical"),
        ('phi (unit="rad") / tau (unit="N.m")', "rotational"),
        ('s (unit="m") / f (unit="kN")', "translational"),
        ('T (unit="K") / Q (unit="mW")', "thermal"),
        ('p (unit="Pa") / V (unit="m3/s")', "fluid"),
        ("e / f", "other"),
        ("u", "signal"),
    ],
)
def test_lines_have_the_domain_of_their_units(units: str, domain: str, tmp_path: Path) -> None:
    path = tmp_path / "m.mo"
    path.write_text(
        f"cut class C ({units})\nmodel class Part\n  cut (C) A ({'x / y' if '/' in units else 'x'})\nend\n"
        "model class Box\n  cut (C) A\n  submodel (Part) p\n  connect A at p:A\nend\n"
        "model M\n  submodel (Box) b\n  submodel (Part) q\n  connect b:A at q:A\nend\n"
    )
    assert {line.kind for line in drawn(path).lines} == {f"net {domain}"}


def test_all_components_of_the_libraries_have_a_symbol() -> None:
    """A component is a class with cuts from which no class of its library inherits; `Mbs...` are parts of others."""
    missing = []
    for name in ("rotational", "logic", "discrete", "noise", "trajectories", "mbs", "mbsabs", "electrical"):
        classes = {c.name: c for c in load_library(Path(FOLDER) / f"{name}.mo").classes.values()}
        above = {rpartition(reference.name)[2] for c in classes.values() for reference in c.supers}
        for component in classes.values():
            line = [component]
            for each in line:
                line += [classes[s] for r in each.supers if (s := rpartition(r.name)[2]) in classes]
            has_cuts = any(isinstance(member, CutDeclaration) for each in line for member in each.members)
            if has_cuts and component.name not in above and not component.name.startswith("Mbs"):
                symbol = symbol_of(tuple((each.name, each.span.source) for each in line))
                missing += [] if symbol else [f"{name}: {component.name}"]
    assert not missing
