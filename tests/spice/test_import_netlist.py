"""Netlists become texts of models: names, values, classes, notes and errors, and what a run of them gives."""

from __future__ import annotations

import json
import random
import shutil
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from oracles.netlists import FOLDER, compared

import cutset
from cutset.api.command_line.command import main
from cutset.api.netlists import imported_netlist
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.spice.convert import import_text

MACRO = """an "amplifier" } {
V1 in+ 0 AC 2 SIN(0 1 1k)
.param gain=10k
R1 in+ m {1k*2}
R2 m 3 20K
X1 0 m 3 amp a0={gain/2}
.subckt amp inp inn out PARAMS: a0=1MEG
E1 x 0 inp inn {a0}
R1 x y 1k
C1 y 0 15.9u IC=0.5
E2 out 0 y 0 1
.ends amp
D1 3 0 D1
D2 0 3 D1
.model D1 D(IS=1e-14 N=1.1 XYZ=3)
.tran 10u 2m
.step param gain 1k 10k 1k
.print tran v(3) i(V1)
.noise v(3) V1 dec 10 1 1k
"""


@pytest.fixture
def text_of(tmp_path):
    """text_of(netlist) -> what is imported of a netlist without its title."""

    def imported(lines: str, title: str = "title"):
        path = tmp_path / "net.cir"
        path.write_text(f"{title}\n{lines}\n")
        return imported_netlist(path)

    return imported


def values_of(lines: str, text_of, name: str, **options) -> np.ndarray:
    """A variable of a run of the netlist."""
    return cutset.loads(text_of(lines).text).simulate(target="python", **options)[name]


def test_noise_that_is_not_translated_is_said(text_of):
    lines = "Q1 c b 0 q\nQ2 c b 0 z\nR1 c 0 1k\nR2 b 0 1k\n"
    found = text_of(lines + ".model q npn (kf=1e-15 af=1)\n.model z npn (kf=0.0 af=1)")
    assert [each.partition(": ")[2] for each in found.losses] == ["KF of the model q"]


def test_the_text_is_one_to_own(tmp_path):
    path = tmp_path / "amp 1.cir"
    path.write_text(MACRO)
    found = imported_netlist(path, file="amp.mo")
    lines = [line.strip() for line in found.text.splitlines()]
    for expected in (
        "point: simulate --steady. }",
        'model class amp "subcircuit amp; at (inp, inn, out)"',
        "parameter a0 = 1e6",
        "submodel (VCV) E1(k=a0)",
        "submodel (Capacitor) C1(C=15.9 uF, u0=0.5 V)",
        "E2 at (y, gnd, out, gnd)",
        "model class (SpiceDiode) D1",
        "parameter IS = 10 fA, N = 1.1",
        "model amp_1",
        "parameter gain = 10e3",
        "submodel (Resistor) R1(R=2000 Ohm), R2(R=20 kOhm)",
        "node 'in+', gnd, m, n3",
        "submodel (amp) X1(a0=gain/2)",
        "submodel (VSine) V1(V=1 V, f=1 kHz, ac=2 V)",
        "experiment (stop=2 ms, interval=10 us)",
    ):
        assert expected in lines, expected
    assert [each.partition(": ")[2] for each in found.losses] == ["XYZ of the model D1"]
    assert list(found.remarks) == [
        ".tran 10u 2m: cutset simulate amp.mo --steady",
        ".step param gain 1k 10k 1k: cutset sweep amp.mo --vary gain=1000:10000:10 --outputs 'max(NAME)'",
        ".print tran v(3) i(V1): cutset simulate amp.mo --steady --outputs R2.Vb,V1.i",
        ".noise v(3) V1 dec 10 1 1k: cutset linearize amp.mo --steady --outputs R2.Vb --noise 1:1000",
    ]
    model = cutset.loads(found.text).small_signal()
    assert model.inputs == ("ac",)
    assert model.simulate(stop=1e-3, target="python")["R2.Vb"].min() < -0.5
    assert abs(model.simulate(0.0, target="python").linearize("R2.Vb").response(1.0)[0, 0, 0]) == pytest.approx(20, 0.1)


@pytest.mark.parametrize(
    ("written", "expected"),
    [("10k", "10 kOhm"), ("4.7", "4.7 Ohm"), ("1MEG", "1 MOhm"), ("2.2u", "2.2 uOhm"), ("3MIL", "76.2 uOhm"),
     (".5", "0.5 Ohm"), ("10kOhm", "10 kOhm"), ("1e-3m", "1 uOhm"), ("5Volts", "5 Ohm"), ("+7p", "7 pOhm"),
     ("{2k/4}", "500 Ohm"), ("'3-1'", "2 Ohm"), ("1e-14", "10 fOhm"), ("2e40", "2e40"), ("0.02", "20 mOhm")],
)  # fmt: skip
def test_values(written, expected, text_of):
    assert f"R1(R={expected})" in text_of(f"R1 a 0 {written}\nV1 a 0 1").text


def test_formulas(text_of):
    """Each at 2 V, beside its value in Python."""
    formulas = {
        "2*V(a)^2-1": 7, "-2**2": -4, "V(a)>1 ? 3 : 4": 3, "V(a)>=2 && V(a)<3": 1, "!(V(a)>1) || 0": 0,
        "LIMIT(V(a), 5, 3)": 3, "PWR(-V(a), 3)": 8, "PWRS(-V(a), 3)": -8, "IF(V(a)==2, 10, 20)": 10,
        "TABLE(V(a), 0, 0, 1, 10, 3, 30)": 20, "max(V(a), V(b,a))-min(1, 2)": 2, "ln(exp(1))+log10(100)": 3,
        "u(V(a))+uramp(-3)+int(-2.7)+sgn(-4)": -2, "I(R0)*1k": 2, "2e-3*V(a)*1k/-4": -1, "twice(V(a))+k": 9,
        "cos(pi)+kelvin": -274.15, "nint(2.6)+square(3)": 12,
    }  # fmt: skip
    lines = ["V1 a 0 2", "R0 a 0 1k", "V2 b 0 5", "R2 b 0 1k", "R3 a b 1k", ".func twice(x) {2*x}", ".param k=5"]
    for n, formula in enumerate(formulas):
        lines += [f"B{n} n{n} 0 V={formula}", f"RB{n} n{n} 0 1k"]
    run = cutset.loads(text_of("\n".join(lines)).text).simulate(0.0, target="python")
    assert {formula: float(run[f"B{n}.u"][0]) for n, formula in enumerate(formulas)} == pytest.approx(formulas)


def test_controlled_sources(text_of):
    netlist = """V1 a 0 2
R1 a 0 1k
E1 e 0 POLY(2) a 0 b 0 1 2 3 4 5 6
RE e 0 1k
E2 b 0 VALUE = {V(a)*1.5}
RB b 0 1k
E3 t 0 TABLE {V(a)} = (0,0) (4,8)
RT t 0 1k
G1 0 g a 0 1m
RG g 0 2k
F1 0 f V1 3
RF f 0 1k
H1 h 0 V1 500
RH h 0 1k
G2 0 p POLY(1) a 0 2m
RP p 0 1k"""
    run = cutset.loads(text_of(netlist).text).simulate(0.0, target="python")
    found = [run[f"{name}.u"][0] for name in ("RE", "RB", "RT", "RG", "RF", "RH", "RP")]
    a, b = 2, 3
    expected = [1 + 2 * a + 3 * b + 4 * a * a + 5 * a * b + 6 * b * b, 3, 4, 4, -6, -1, 4]
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_start_values_and_initial_equations(text_of):
    """tau = 1 ms; the node y has no capacitor of its own."""
    netlist = """C1 a b 1u
R1 a 0 1k
R2 b 0 1
X1 y cell
.subckt cell p
C1 p 0 2u
R1 p 0 500
.ends
.ic v(a)=4 v(b)=1 v(y)=3
.tran 10u 1m uic"""
    made = text_of(netlist)
    assert made.remarks == (".tran 10u 1m uic: cutset simulate net.mo",)
    run = cutset.loads(made.text).simulate(target="python", rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(run["C1.u"], 3 * np.exp(-run.time / 1.001e-3), atol=1e-6)
    np.testing.assert_allclose(run["X1.V_p"], 3 * np.exp(-run.time / 1e-3), atol=1e-6)


def test_functions_of_time(text_of):
    netlist = """V1 a 0 PULSE(1 3 1m 0 1m 2m 6m)
R1 a 0 1
I1 0 b PWL(0 0 2m 4 4m 4)
R2 b 0 1
V3 c 0 SIN(1 2 100 1m 50 30)
R3 c 0 1
V4 d 0 EXP(1 3 1m 1m 4m 2m)
R4 d 0 1
.tran 0.5m 8m"""
    run = cutset.loads(text_of(netlist).text).simulate(target="python", times=[0.0011, 0.003, 0.005])
    t = run.time
    rise = np.clip((t % 6e-3 - 1e-3) / 0.5e-3, 0, 1) - np.clip((t % 6e-3 - 3.5e-3) / 1e-3, 0, 1)
    np.testing.assert_allclose(run["R1.u"], 1 + 2 * rise, atol=1e-9)
    np.testing.assert_allclose(run["R2.u"], np.interp(t, [0, 2e-3, 4e-3], [0, 4, 4]), atol=1e-9)
    late = np.maximum(t - 1e-3, 0)
    wave = np.exp(-50 * late) * np.sin(2 * np.pi * 100 * late + np.pi / 6)
    np.testing.assert_allclose(run["R3.u"], 1 + 2 * wave, atol=1e-9)
    grown = np.where(t > 1e-3, 1 - np.exp(-(t - 1e-3) / 1e-3), 0) - np.where(
        t > 4e-3, 1 - np.exp(-(t - 4e-3) / 2e-3), 0
    )
    np.testing.assert_allclose(run["R4.u"], 1 + 2 * grown, atol=1e-9)


def test_words_of_a_source_in_any_order(text_of):
    """AC and DC stand before or after the function, whose arguments may be names of parameters."""
    for words in (
        "DC 3 AC 2 SIN(1 va 1k)",
        "SIN(1 va 1k) AC 2 0 DC 3",
        "ac=2 SIN 1 va 1k",
        "AC two SIN(1 va 1k)",
        "sin ( 1, {va}, 1k ) AC 2",
    ):
        found = text_of(f"V1 a 0 {words}\nR1 a 0 1k\n.param va=5 two=2")
        lines = [line.strip() for line in found.text.splitlines()]
        start = "submodel (VSine) V1(V0=1 V, V=va*V, f=1 kHz, ac="
        assert {f"{start}2 V)", f"{start}two*V)"} & {*lines}, words
        assert all("the value at rest" in each for each in found.losses), found.losses
    assert text_of("V1 a 0 SIN(0 1 1k) Rser=1\nR1 a 0 1k").losses[0].endswith(": rser of V1")


def test_temperature_and_parameters_of_all_subcircuits(text_of):
    """A resistor of 1 kOhm with 1e-3/K at 77 degrees, and one whose value is the global parameter."""
    netlist = """.param r=2k
V1 a 0 1
X1 a cell
.subckt cell p
R1 p 0 1k TC1=1m
R2 p 0 {r*3}
R3 p 0 {1k+temper}
.ends
.temp 77"""
    run = cutset.loads(text_of(netlist).text).simulate(0.0, target="python")
    assert [1 / run[f"X1.R{k}.i"][0] for k in (1, 2, 3)] == pytest.approx([1050, 6000, 1077])


@pytest.mark.parametrize(
    ("lines", "code", "said"),
    [
        ("R1 a 0", "E160", "R1: it has no value"),
        ("V1 a 0 1\nR1 a 0 {1+}", "E160", "an expression lacks '('"),
        ("R1 a 0 1e999", "E160", "the number '1e999' is too large"),
        ("R1 a 0 1\nR1 a 0 2", "E160", "'R1' is given twice"),
        ("X1 a 0 amp\n.subckt amp a b c\nR1 a b 1\n.ends", "E160", "it has 2 nodes, and 'amp' has 3 pins"),
        (".subckt amp a b\nR1 a b 1", "E160", "the subcircuit 'amp' has no end"),
        ("R1 a 0 {((1", "E160", "{ stands alone"),
        ("R1 a 0 {" + "(" * 60 + "1}", "E160", "more than 40 levels"),
        ("B1 a 0 V=f(1)\n.func f(x) {f(x)+f(x)}", "E160", "call each other without end"),
        ("* nothing", "E160", "no elements"),
        ("D1 a 0 DX", "E161", "no model 'DX'"),
        ("R1 a 0 {rx}\n.param ry=1", "E161", "no parameter 'rx'"),
        ("F1 a 0 V7 2\nR1 a 0 1", "E161", "'V7'"),
        ("B1 a 0 V=V(q)\nR1 a 0 1", "E161", "no node 'q'"),
        ("K1 L1 L9 0.5\nL1 a 0 1m", "E161", "no inductor 'l9'"),
        ("U1 a 0 b 0 UX", "E162", "element 'U1'"),
        ("M1 a b 0 0 MX\n.model MX NMOS(LEVEL=8)", "E162", "the level of the model 'mx'"),
        ("D1 a 0 DX\n.model DX NPN(BF=3)", "E162", "the type NPN"),
        ("B1 a 0 V=frob(1, 2)", "E162", "the function 'frob' of 2"),
        ("E1 a 0 LAPLACE {V(b)} = {1/(1+s)}\nR1 a b 1", "E162", "the transfer function of 'E1'"),
        (".include ../other.cir", "E163", "is outside the folder"),
        (".include /etc/passwd", "E163", "is outside the folder"),
        (".include missing.cir", "E163", "there is no file"),
        (".include net.cir", "E163", "more than 100 files"),
        (".lib models.lib TT", "E163", "the section 'TT'"),
    ],
)  # fmt: skip
def test_errors_name_the_line(lines, code, said, text_of, tmp_path):
    with pytest.raises(ModelError) as caught:
        text_of(lines)
    first = caught.value.diagnostics[0]
    assert first.code == code and said in first.message and first.hint
    assert first.span is not None and first.span.source.name.startswith(str(tmp_path))


def test_included_models_below_the_folder(text_of, tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "d.lib").write_text("* a model\n.model DX D(IS=1n\n+ N=2)\n")
    assert "IS = 1 nA, N = 2" in text_of('.include "parts/d.lib"\nD1 a 0 DX\nV1 a 0 0.5').text


def test_switches_by_the_voltages_at_which_they_are_on_and_off(text_of):
    """One that is closed above, one that is closed below: 1 Ohm or 1 MOhm beside 1 Ohm, at 0 V and 5 V."""
    netlist = """V1 a 0 PWL(0 0 1m 0 1.1m 5 2m 5)
VS s 0 2
S1 s b a 0 UP
S2 s c a 0 DOWN
R1 b 0 1
R2 c 0 1
.model UP VSWITCH(VON=3 VOFF=1 RON=1 ROFF=1MEG)
.model DOWN VSWITCH(VON=1 VOFF=3)
.tran 0.1m 2m"""
    found = text_of(netlist)
    assert len(found.losses) == 2
    run = cutset.loads(found.text).simulate(target="python")
    np.testing.assert_allclose([run["R1.u"][[0, -1]], run["R2.u"][[0, -1]]], [[2e-6, 1], [1, 2e-6]], rtol=1e-4)


@pytest.mark.parametrize("k", [0.5, 1])
def test_coupled_windings(k, text_of):
    """2 V at 1 mH; 4 mH and 9 mH without a current have k*2 and k*3 times as much, reversed as their nodes."""
    netlist = f"""V1 a 0 2
L1 a 0 1m
L2 b 0 4m
L3 0 c 9m
K1 L1 L2 {k}
K2 L1 L3 {k}
K3 L2 L3 {k}
R2 b 0 1G
R3 c 0 1G
.tran 1u 10u uic"""
    run = cutset.loads(text_of(netlist).text).simulate(target="python")
    assert (run["R2.u"][-1], run["R3.u"][-1]) == pytest.approx((4 * k, -6 * k), rel=1e-4)
    assert run["L1.i"][-1] == pytest.approx(0.02, rel=1e-4)


def test_a_parameter_that_inner_subcircuits_use(text_of):
    netlist = """V1 a 0 6
X1 a 0 outer r=3k
X2 a 0 outer
.param q=0.5
.subckt outer p n r=1k
X1 p n inner
.subckt inner x y q=2
R1 x y {r*q}
.ends
.ends"""
    run = cutset.loads(text_of(netlist).text).simulate(0.0, target="python")
    assert [run[f"X{k}.X1.R1.i"][0] for k in (1, 2)] == pytest.approx([1e-3, 3e-3])


@pytest.mark.parametrize("name", ["comparator_poly", "flyback", "current_switch"])
def test_no_word_is_passed_over(name, tmp_path):
    """A further word in a line changes the text, or is a note or an error."""
    path = tmp_path / "net.cir"
    lines = (FOLDER / f"{name}.cir").read_text().splitlines()

    def outcome(lines):
        path.write_text("\n".join(lines))
        found = import_text(path, path.read_text())
        return found.text, found.losses, found.remarks

    expected = outcome(lines)
    for k, line in enumerate(lines):
        for extra in ("zz9=5", "77", "foo"):
            words = line.split()
            for at in {3, len(words)} if k and line[0] != "." else {len(words)} if line[:3] in (".mo", ".ic") else ():
                changed = [*lines[:k], " ".join([*words[:at], extra, *words[at:]]), *lines[k + 1 :]]
                with suppress(ModelError):
                    assert outcome(changed) != expected, changed[k]


def test_names_add_no_text(text_of):
    netlist = 'R1 "end x" a] 1k\nV1 "end x" 0 1\nRend a] 0 1\nR`x a] 0 1k'
    found = text_of(netlist, 'title } model x "')
    assert cutset.loads(found.text).simulate(0.0, target="python")["R1.i"][0] == pytest.approx(1 / 1000.999001)


def test_random_edits_are_models_or_errors(tmp_path):
    """Of the collection: nothing else is raised, and each error has a place in the netlist."""
    paths, letters = sorted(FOLDER.glob("*.cir")), "(){}'\"=,+-*/^?:<>.$;@&|!#\\ \n01kmV"
    made = 0
    for seed in range(40):
        r = random.Random(seed)
        text = r.choice(paths).read_text()
        for _ in range(r.choice((1, 2, 4))):
            at = r.randrange(len(text))
            new = r.choice(("", r.choice(letters), text[at : at + 9] * 2, r.choice(text.split())))
            text = text[:at] + new + text[at + r.randrange(6) :]
        path = tmp_path / "edited.cir"
        path.write_text(text)
        try:
            imported_netlist(path)
            made += 1
        except ModelError as error:
            assert all(each.span is not None and each.hint for each in error.diagnostics), seed
    assert 5 < made < 35


# ngspice 39 at rest, with reltol = 1e-6: a netlist of the collection and voltages of its nodes.
AT_REST = {
    "common_emitter": {"b": 1.7282739, "c": 5.7289402, "e": 1.069806},
    "emitter_follower": {"out": -0.69743473, "b": -0.013582782, "ref": -14.314803},
    "op_amp_boyle": {"out": -1.999875},
    "jfet_amplifier": {"d": 14.346044, "s": 1.7133201},
    "mos_mirror": {"n1": 2.2506136, "n2": 1.0085439, "n3": 1.010025},
    "hot_diodes": {"c": 1.5802706, "b1": 0.61632049, "j": 1.8793258},
}


@pytest.mark.parametrize("name", AT_REST)
def test_operating_points_of_the_collection(name):
    found = imported_netlist(FOLDER / f"{name}.cir")
    rest = cutset.loads(found.text).steady(target="python")
    scope = found.scope
    for node, expected in AT_REST[name].items():
        assert rest[scope.voltage([node], scope.circuit.span)][0] == pytest.approx(expected, rel=2e-6, abs=1e-6), node


# ngspice 39 with 20,000 steps: a node, times and its voltages.
CURVES = {
    "hot_diodes": ("b", [0.25e-3, 0.75e-3], [0.406002, -3.96694]),
    "mos_inverter": ("out", [6e-09, 7e-09, 3e-08, 8e-08], [0.983377, 0.000215313, 5.0, 5.0]),
    "half_wave": ("out", [0.004, 0.012, 0.024, 0.055], [10.133, 10.4419, 10.1784, 10.1438]),
    "opto_coupler": ("c", [8e-06, 2e-05, 4.7e-05, 5.2e-05], [1.18598, 0.168376, 1.09135, 4.80769]),
    "darlington_switch": ("c", [0.002, 0.008, 0.0115, 0.014], [0.733056, 0.741207, 24.7517, 23.9997]),
}


@pytest.mark.parametrize("name", CURVES)
def test_transients_of_the_collection(name):
    node, times, expected = CURVES[name]
    found = imported_netlist(FOLDER / f"{name}.cir")
    model = cutset.loads(found.text)
    run = model.simulate(start_from=model.steady(), times=times, rtol=1e-7, atol=1e-9)
    name = found.scope.voltage([node], found.scope.circuit.span)
    np.testing.assert_allclose(run.at(np.array(times))[name], expected, atol=2e-4 * np.ptp(run[name]))


@pytest.mark.skipif(shutil.which("ngspice") is None, reason="ngspice is not installed")
@pytest.mark.parametrize("name", ["common_emitter"])
def test_netlists_beside_ngspice(name, tmp_path):
    found = compared(FOLDER / f"{name}.cir", tmp_path, 1000)
    assert all(value < (1e-3 if kind == "tran" else 1e-6) for kind, value in found.items()), found


def test_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("amp.cir").write_text(MACRO)
    assert main(["import", "amp.cir"]) == 0
    shown = capsys.readouterr()
    assert shown.out.endswith("end\n") and "note: not imported: amp.cir:15:1: XYZ of the model D1" in shown.err
    assert "note: .tran 10u 2m: cutset simulate amp.mo --steady" in shown.err
    assert main(["import", "amp.cir", "-o", "a.mo", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["output"] == "a.mo" and len(report["not_imported"]) == 1
    assert main(["import", "amp.cir", "-o", "b.mo"]) == 0
    assert capsys.readouterr().out == "wrote b.mo\n" and Path("a.mo").read_text() == Path("b.mo").read_text()
    for option in ("--floating", "--gears", "--no-stops", "--class", "--no-meshes", "--any-inertia"):
        assert main(["import", "amp.cir", option]) == 2
        assert f"{option} is for robots" in capsys.readouterr().err
    Path("bad.net").write_bytes(b"\x00\x01")
    assert main(["import", "bad.net"]) == 1 and "E160" in capsys.readouterr().err
    assert main(["import", "none.sp"]) == 1 and "E201" in capsys.readouterr().err
    with pytest.warns(cutset.NotImported, match="XYZ of the model D1"):
        assert cutset.import_netlist("amp.cir") == Path("a.mo").read_text()


@pytest.mark.parametrize(
    ("written", "measure"),
    [
        ("tran d TRIG v(in) VAL=0.5 RISE=1 TARG v(out) VAL=500m FALL=2",
         "delay(V1.Va, R1.Vb, level=0.5, edge=rise, n=1, to_level=0.5, to_edge=fall, to_n=2, counts=all)"),
        ("tran d TRIG v(in) VAL=0.5 TD=1m CROSS=1 TARG v(out) VAL=0.5 TD=2m CROSS=1", ""),
        ("m AVG v(out) from=1m to=2m", "mean(R1.Vb, from=0.001, to=0.002)"),
        ("TRAN p pp v(in,out)", "peak_to_peak(R1.u)"),
        ("tran w WHEN v(out)=0.4 cross=LAST", "crossing(R1.Vb, level=0.4, edge=both, n=-1)"),
        ("tran w WHEN v(out) = v(in) rise=1 td=1m",
         "crossing(R1.Vb-(V1.Va), level=0, edge=rise, n=1, from=0.001)"),
        ("f FIND i(R1) AT=1m", "value(R1.i, at=0.001)"),
        ("tran g FIND v(out) WHEN v(in)=0.5 FALL=1", "value_when(R1.Vb, V1.Va, level=0.5, edge=fall, n=1)"),
        ("tran h INTEG par('v(out)*i(R1)')", "integral(R1.Vb*R1.i)"),
        ("tran h RMS v(out) - v(in)", "rms(R1.Vb-V1.Va)"),
        ("tran q PARAM='d*2'", ""),
        ("ac z MAX v(out)", ""),
        ("tran x MAX v(none)", ""),
    ],
)  # fmt: skip
def test_measures(written, measure, text_of):
    found = text_of(f"V1 in 0 1\nR1 in out 1k\nC1 out 0 1u\n.meas {written}")
    (remark,) = found.remarks
    expected = f"--measure '{measure}'" if measure else "none of the measures in docs/use/results.md is equal to it"
    assert remark.endswith(expected)
