"""Studies of the workbench give what is known in closed form."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from cutset.runtime.errors import RunError
from cutset.server.calls import Studies
from cutset.server.session import Session
from cutset.server.worker import Channel

SPRING = """model Spring
  parameter m = 2, c = 50, d = 4
  input F
  local x (start=0.1), v
  der(x) = v
  m*der(v) = F - c*x - d*v
end
"""


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studies]:
    path = tmp_path_factory.mktemp("studies") / "spring.mo"
    path.write_text(SPRING)
    with open(path.parent / "answers", "wb") as stream, pytest.MonkeyPatch.context() as patch:
        patch.chdir(path.parent)
        channel = Channel(stream)
        channel.number = 1  # of the request in progress
        session = Session(channel, ())
        session.open("spring.mo", SPRING, None)
        yield Studies(session, channel)


def test_frequency_response(studies: Studies) -> None:
    found = studies.linearize({}, None, "F", "x")
    omega, magnitude, phase = found.arrays
    exact = 1.0 / (50.0 - 2.0 * omega**2 + 4j * omega)
    assert np.allclose(magnitude, 20.0 * np.log10(np.abs(exact)), atol=1e-6)
    assert np.allclose(phase, np.degrees(np.unwrap(np.angle(exact))), atol=1e-6)
    (motion,) = found.data["motions"]
    assert motion["eigenvalue"] == pytest.approx([-1.0, math.sqrt(24.0)])
    with pytest.raises(RunError, match="'G' is not an input"):
        studies.linearize({}, 0.0, "G", "x")


def test_fit_finds_the_parameters_of_the_data(studies: Studies) -> None:
    time = np.linspace(0.0, 3.0, 61)
    omega = math.sqrt(30.0 / 2.0 - 1.5**2)  # c = 30, d = 6
    x = 0.1 * np.exp(-1.5 * time) * (np.cos(omega * time) + 1.5 / omega * np.sin(omega * time))
    Path("data.csv").write_text("time,measured\n" + "".join(f"{t},{y}\n" for t, y in zip(time, x, strict=True)))
    found = studies.fit({"rtol": 1e-9, "atol": 1e-11}, "data.csv", {"x": "measured"}, ["c", "d"]).data
    assert found["values"] == pytest.approx({"c": 30.0, "d": 6.0}, rel=1e-5)
    assert found["errors"]["x"] < 1e-7


def test_sweep_is_limited(studies: Studies) -> None:
    table = studies.sweep({"stop": 0.1}, {"c": [40.0, 60.0]}, ["x"]).data
    assert table["columns"][:2] == ["c", "x"] and [row[0] for row in table["rows"]] == [40.0, 60.0]
    with pytest.raises(RunError, match="too long"):
        studies.sweep({}, {"c": [1.0] * 101, "d": [1.0] * 100}, ["x"])


def test_equilibrium(studies: Studies) -> None:
    rows = {name: value for name, value, _ in studies.steady({}, 0.0).data["rows"]}
    assert rows == pytest.approx({"x": 0.0, "v": 0.0}, abs=1e-9)


def test_settings_of_the_model(studies: Studies, tmp_path: Path) -> None:
    """Settings of the page replace those of the model."""
    session = studies._session
    text = SPRING.replace("end", "  experiment (stop=7, rtol=1e-9)\nend")
    session.open("spring.mo", text, None)
    assert (session.experiment({}).stop, session.experiment({}).rtol) == (7.0, 1e-9)
    assert (session.experiment({"stop": 2.0, "points": 11}).stop, session.experiment({"points": 11}).points) == (
        2.0,
        11,
    )
