"""Every object of models/ is simulated: here, or by a test that looks at more."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from shipped_models import MODELS, objects_of, shipped

HERE = Path(__file__).parent
# What takes seconds to translate, and where it is simulated.
ELSEWHERE = {
    ("elastic_slider_crank.mo", "SliderCrank"): "test_elastic_slider_crank.py",
    ("single_track.mo", "SingleTrack"): "../stdlib/test_multibody_tires.py",
    ("oods/double_pendulum.mo", "DoublePendulum"): "test_oods.py",
    ("paper/robot.mo", "R3"): "test_paper.py",
    ("r3/identification.mo", "MeasuredR3"): "../../docs/gallery/identification.md",
    ("r3/r3.mo", "R3"): "test_r3.py",
    ("r3/one_axis.mo", "OneAxis"): "test_r3.py",
    ("r3/inverse.mo", "Inverse"): "test_r3.py",
    ("r3/paper.mo", "PaperR3"): "test_r3_paper.py",
}

# Its controller acts 100,000 times a second, and the load jumps after 0.2 ms.
SHORT = {"gallery/buck_converter.mo": 0.002}


def declared() -> list[tuple[str, str]]:
    """File and name of each object that the texts in models/ declare."""
    files = [str(path.relative_to(MODELS)) for path in sorted(MODELS.rglob("*")) if path.suffix in (".mo", ".lib")]
    return [(file, name) for file in files for name in objects_of(file)]


@pytest.mark.parametrize(("file", "name"), [each for each in declared() if each not in ELSEWHERE])
def test_it_runs(file, name):
    model = shipped(file, name)
    stop = SHORT.get(file, 0.1)
    run = model.simulate(stop=stop, points=3)
    assert run.time[-1] == stop
    assert all(np.isfinite(run[state]).all() for state in model.states)


def test_the_others_run_elsewhere():
    assert set(ELSEWHERE) <= set(declared())
    for (file, _), test in ELSEWHERE.items():
        text = (HERE / test).read_text(encoding="utf-8")
        assert Path(file).stem in text and "simulate(" in text, f"{test} does not simulate {file}"
