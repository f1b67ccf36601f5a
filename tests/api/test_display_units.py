"""Tables and pictures that people read show the unit that a declaration prefers; files and arrays stay as they are."""

import numpy as np
import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.compiler.diagnostics import ModelError
from cutset.runtime.description import Description

TEXT = """type Angle (unit="rad", display="deg")

model Wheel
  parameter w (unit="rad/s", display="rpm") = 60 rpm, P (unit="kW", display="W") = 2
  local (Angle) phi
  local T (unit="K", display="degC"), x(2) (unit="m", display="mm")
  der(phi) = w
  T = 20 degC + 10 K*sin(w*time)
  x = [1 mm, 2 inch]*cos(phi)
end
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    path = tmp_path_factory.mktemp("wheel") / "wheel.mo"
    path.write_text(TEXT)
    return path


def test_tables_of_a_run(wheel, capsys):
    assert main(["simulate", str(wheel), "--stop", "1", "--outputs", "phi", "x*"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["phi", "[deg]", "0", "360"] in rows and ["x(1)", "[mm]", "1", "1"] in rows
    assert main(["inspect", str(wheel), "--variables"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["w", "parameter", "rpm", "60"] in rows and ["P", "parameter", "W", "2000"] in rows
    assert main(["steady", str(wheel), "--set", "w=0", "--outputs", "T"]) == 0
    assert capsys.readouterr().out.split() == ["T", "[degC]", "20"]
    assert main(["sweep", str(wheel), "--vary", "w=30 rpm,60 rpm", "--stop", "1", "--outputs", "phi", "max(T)"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[0] == ["w", "[rpm]", "phi", "[deg]", "max(T)", "[degC]"] and rows[1][:2] == ["30", "180"]


def test_files_and_arrays_stay_in_si_units(wheel, tmp_path, capsys):
    run = cutset.load(wheel).simulate(1)
    assert run["phi"][-1] == pytest.approx(2 * np.pi) and run["T"][0] == 293.15
    run.to_csv(tmp_path / "run.csv")
    assert cutset.read(tmp_path / "run.csv")["phi"][-1] == pytest.approx(2 * np.pi)
    run.to_npz(tmp_path / "run.npz")
    assert main(["plot", str(tmp_path / "run.npz")]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["phi", "deg", "0", "360"] in rows and ["T", "degC", "10", "30"] in rows
    assert "360" in run._repr_html_() and "rpm" in cutset.load(wheel)._repr_html_()


def test_axes_of_plots(wheel):
    from cutset.runtime.results.plot import figure

    run = cutset.load(wheel).simulate(1)
    drawn = figure({"": run}, ["phi", "T"])
    labels = [axis.get_ylabel() for axis in drawn.axes]
    assert labels == ["phi [deg]", "T [degC]"]
    assert drawn.axes[0].lines[0].get_ydata()[-1] == pytest.approx(360.0)


def test_the_description_is_stored(wheel):
    of = cutset.load(wheel).description
    assert Description.from_json(of.to_json()) == of and of.shown_unit("phi") == "deg"
    assert Description.from_json('{"model": "", "units": {}, "documentation": {}, "elements": []}').displays == {}


@pytest.mark.parametrize(
    ("declaration", "says"),
    [
        ('x (unit="rad", display="m")', "'x' cannot be shown in m"),
        ('x (unit="rad/s", display="Hz")', "'x' cannot be shown in Hz"),
        ('x (display="deg")', "has no unit"),
        ('x (unit="K/s", display="degC/s")', "cannot be a factor"),
        ('x (unit="m", display="bananas")', "unknown unit 'bananas'"),
        ('x (unit="m", display=mm)', "a unit must be a string"),
    ],
)
def test_a_unit_of_another_kind(declaration, says):
    with pytest.raises(ModelError) as caught:
        cutset.loads(f"model M\n  local {declaration}\n  x = time\nend\n")
    assert any(says in d.message and d.hint for d in caught.value.diagnostics)
