"""Numbers with units that come from outside: values, sweeps, files of tests, heads of tables, the command line."""

import numpy as np
import pytest

import cutset
from cutset.api.commands.common import assignments
from cutset.runtime.errors import RunError

TEXT = """
model Rig
  parameter R (unit="Ohm") = 100, k = 2, a(2) (unit="m") = [1, 2], P (unit="kW") = 3, T (unit="K") = 300
  parameter n (unit="rad/s") = 1
  local x (unit="A", start=0), y (unit="m"), w (unit="kW"), Th (unit="K"), phi (unit="rad")
  input u (unit="V")
  der(x)*1 s = u/R - x
  y = a(1) + a(2)
  w = P
  Th = T
  phi = n*time
end
"""


@pytest.fixture(scope="module")
def rig():
    return cutset.loads(TEXT)


def test_values_of_a_run(rig):
    given = {"R": "10 kOhm", "a": ["10 mm", "1 inch"], "P": "500 W", "T": "-20 degC", "n": "3000rpm"}
    run = rig.simulate(1, parameters=given, inputs={"u": "12 kV"}, initial={"x": "5 mA"})
    assert run["x"][0] == 0.005 and run["x"][-1] == pytest.approx(1.2 - 1.195 * np.exp(-1), rel=1e-5)
    assert run["y"][0] == pytest.approx(0.0354) and run["w"][0] == 0.5 and run["Th"][0] == 253.15
    assert run["phi"][-1] == pytest.approx(100 * np.pi)


@pytest.mark.parametrize(
    ("kind", "name", "value", "says"),
    [
        ("parameters", "R", "10 V", "it is in Ohm, but '10 V' is in V"),
        ("parameters", "n", "50 Hz", "it is in rad/s, but '50 Hz' is in Hz"),
        ("parameters", "k", "3 m", "its declaration has no unit"),
        ("parameters", "R", "3 Ohm/bananas", "'bananas' is no unit"),
        ("parameters", "T", "3 degC/s", "'degC' is no unit that can stand here"),
        ("initial", "x", "3 V", "it is in A, but '3 V' is in V"),
        ("inputs", "u", "3 A", "it is in V, but '3 A' is in A"),
    ],
)
def test_a_unit_that_does_not_fit(rig, kind, name, value, says):
    with pytest.raises(RunError, match="cannot be") as caught:
        rig.simulate(1, **{kind: {name: value}})
    assert caught.value.code == "E605" and says in caught.value.message and caught.value.hint


def test_values_of_a_translation(tmp_path):
    path = tmp_path / "rig.mo"
    path.write_text(TEXT)
    model = cutset.load(path, parameters={"R": "10 kOhm", "k": 3, "a": ["1 mm", 2]})
    assert (model.parameters["R"], model.parameters["k"], model.parameters["a(1)"]) == (10e3, 3.0, 1e-3)
    with pytest.raises(RunError, match="it is in Ohm"):
        cutset.load(path, parameters={"R": "10 V"})
    assert cutset.loads(TEXT, parameters={"P": "500 W"}).parameters["P"] == 0.5


def test_a_sweep_has_numbers(rig):
    found = rig.sweep({"R": ["1 kOhm", "2kOhm"]}, keep=["x"], stop=1, inputs={"u": "1 kV"})
    assert list(found["R"]) == [1000.0, 2000.0]
    assert found["x"] == pytest.approx([1 - np.exp(-1), (1 - np.exp(-1)) / 2], rel=1e-4)


@pytest.mark.parametrize("text", ["R=10kOhm", "R=10 kOhm"])
def test_a_word_of_the_command_line(text):
    ((name, value),) = assignments(text)
    assert name == "R" and value in ("10kOhm", "10 kOhm")
    assert assignments("a=[10 mm,0.5]") == [("a", ["10 mm", 0.5])]


def test_heads_of_a_table_have_units(rig, tmp_path):
    """The input rises to 1 kV within a second; the same table in SI units gives the same."""
    written, plain, wrong, odd = (tmp_path / f"{k}.csv" for k in range(4))
    written.write_text("time [ms],u [kV]\n0,0\n1000,1\n")
    plain.write_text("time,u\n0,0\n1,1000\n")
    wrong.write_text("time,u [A]\n0,0\n1,1\n")
    odd.write_text("time [m],u [V]\n0,0\n1,1\n")
    one, other = (rig.simulate(1, inputs=cutset.table(path))["x"] for path in (written, plain))
    assert np.array_equal(one, other) and one[-1] > 1
    for path in (wrong, odd):
        with pytest.raises(RunError):
            rig.simulate(1, inputs=cutset.table(path))
    table = cutset.read(written)
    assert table["u"][-1] == 1000 and table.description.units == {"time": "s", "u": "V"}


def test_names_with_brackets_stay(tmp_path):
    path = tmp_path / "modelica.csv"
    path.write_text("time,x[1],T [degC],y [no unit]\n0,1,20,2\n")
    table = cutset.read(path)
    assert list(table.columns) == ["time", "x[1]", "T", "y [no unit]"] and table["T"][0] == 293.15


def test_files_of_tests(tmp_path, capsys):
    from cutset.api.command_line.command import main

    (tmp_path / "rig.mo").write_text(TEXT)
    case = 'model = "rig.mo"\nstop = "1000 ms"\nset = { R = "1 kOhm", u = "2 kV" }\n'
    (tmp_path / "rig.test.toml").write_text(
        f'[right]\n{case}expect = {{ x = "1264.24 mA", a = ["100 cm", 2] }}\n[wrong]\n{case}expect = {{ x = "1 V" }}\n'
    )
    assert main(["test", str(tmp_path)]) == 1
    told = capsys.readouterr().out
    assert "1 passed, 1 failed" in told and "it is in A, but '1 V' is in V" in told
