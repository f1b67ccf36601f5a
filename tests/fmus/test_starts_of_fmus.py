"""The start of models with FMUs: outputs have values while the model is initialized, in loops with it, too."""

from __future__ import annotations

import math
import re
from pathlib import Path
from zipfile import ZipFile

import pytest

import cutset
from cutset import RunError
from cutset.compiler.diagnostics import ModelError

pytest.importorskip("fmpy")

from cutset.export.fmi_binaries import this_machine
from fmus.tiny import COMPILER

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs gcc or clang")

PART = """
model Part
  parameter k = 0.5
  input u
  output x (start=1), y
  der(x) = -x
  y = k*u + x
end
"""
# c.y = k*(3 - 2*c.y) + 1, whose gain is 2*k.
MODELS = """
model First "the first values of outputs"
  submodel (fmu "cosimulation:part{version}.fmu") c(k=0, separate=false)
  local z, n (start=0), m (start=0)
  der(z) = 0
  c.u = 0
  when c.x > 0.5 then
    new(n) = n + 1
  endwhen
  when c.x < 0.5 then
    new(m) = m + 1
  endwhen
  initial
    z = c.x
  endinitial
end
model Loop
  submodel (fmu "cosimulation:part{version}.fmu") c(k=8, separate=false), d(k=2, step=0.02, separate=false)
  local z
  der(z) = 0
  c.u = 3 - 2*c.y
  d.u = z + d.x
  initial
    z = 2*c.y + d.y
  endinitial
end
model Given
  submodel (fmu "cosimulation:part{version}.fmu") c(x(start=3), separate=false)
  submodel (fmu "exchange:part{version}.fmu") e(x(start=3)), d
  c.u = 0
  d.u = 0
  e.u = 0
end
model Exchanged
  submodel (fmu "exchange:part{version}.fmu") c
  c.u = 0
  initial
    c.x = 3
  endinitial
end
model Fixed
  submodel (fmu "cosimulation:part{version}.fmu") c
  c.u = 0
  initial
    c.x = 3
  endinitial
end
"""


@pytest.fixture(scope="module", params=[2, 3])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp(f"fmi{request.param}")
    version = request.param
    cutset.loads(PART).export_fmu(made / f"part{version}.fmu", version, platforms=[this_machine()])
    (made / "models.mo").write_text(MODELS.format(version=version))
    return made


@pytest.mark.parametrize("target", ["c", "python"])
def test_outputs_have_values_while_the_model_is_initialized(folder: Path, target: str) -> None:
    run = cutset.load(folder / "models.mo", "First", allow_external=True).simulate(1.0, target=target)
    assert run["c.x"][0] == 1.0 and run["z"][-1] == 1.0
    assert run["n"][-1] == 0.0 and run["m"][-1] == 1.0


@pytest.mark.parametrize("target", ["c", "python"])
def test_loops_through_equations_of_the_start(folder: Path, target: str) -> None:
    run = cutset.load(folder / "models.mo", "Loop", allow_external=True).simulate(0.05, target=target)
    y = 25 / 17  # c.y = 8*(3 - 2*c.y) + 1
    z = (2 * y + 3) / (1 - 2)  # z = 2*c.y + 2*(z + 1) + 1
    assert [run[name][0] for name in ("c.y", "z", "d.y")] == pytest.approx([y, z, 2 * (z + 1) + 1], rel=1e-8)
    assert run["d.y"][1] == pytest.approx(2 * (z + 1) + 1, rel=1e-8)


def test_an_initial_value_for_an_output_is_one_too_many(folder: Path) -> None:
    with pytest.raises(ModelError, match="E504") as caught:
        cutset.load(folder / "models.mo", "Fixed", allow_external=True)
    assert caught.value.diagnostics[0].span.source.name.endswith("models.mo")


def test_start_values_are_given_to_the_component(folder: Path) -> None:
    given = cutset.load(folder / "models.mo", "Given", allow_external=True)
    run = given.simulate(1.0, rtol=1e-8)
    assert [run[name][0] for name in ("c.x", "e.x", "d.x")] == [3.0, 3.0, 1.0]
    assert [run[name][-1] for name in ("c.x", "e.x")] == pytest.approx([3 * math.exp(-1)] * 2, rel=1e-4)
    assert given.simulate(0.1, parameters={"e.x_start": 5.0})["e.x"][0] == 5.0
    text = (folder / "models.mo").read_text().replace("e(x(start=3))", "e(y(start=3))")
    (folder / "unknown.mo").write_text(text)
    with pytest.raises(ModelError, match="it has no start value of 'y' that can be given") as caught:
        cutset.load(folder / "unknown.mo", "Given", allow_external=True)
    assert caught.value.diagnostics[0].hint == "give that of a variable whose attribute 'initial' is 'exact': it has x"


def test_an_initial_value_beside_that_of_an_fmu_is_found_in_the_text_of_the_user(folder: Path) -> None:
    with pytest.raises(ModelError, match=r"the FMU 'part[23]\.fmu' determines its own start") as caught:
        cutset.load(folder / "models.mo", "Exchanged", allow_external=True)
    assert caught.value.diagnostics[0].span.text == "c.x = 3"


def test_a_description_of_another_model_is_told_with_both_tokens(folder: Path, tmp_path: Path) -> None:
    with ZipFile(next(folder.glob("*.fmu"))) as archive, ZipFile(tmp_path / "other.fmu", "w") as other:
        for name in archive.namelist():
            content = archive.read(name)
            if name == "modelDescription.xml":
                content = re.sub(rb'(instantiationToken|guid)="[^"]*"', rb'\1="{no}"', content)
            other.writestr(name, content)
    (tmp_path / "m.mo").write_text('model M\n  submodel (fmu "exchange:other.fmu") c\n  c.u = 0\nend\n')
    with pytest.raises(RunError, match=r"E662.*its token is \{no\}, that of the library \{[0-9a-f-]{36}\}") as caught:
        cutset.load(tmp_path / "m.mo", allow_external=True).simulate(0.1)
    assert not caught.value.notes
