"""Tests functions of a mechanism that are written as C: compiled without anything else, they give those of Python."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cutset
from cutset.api.command_line.command import main

COMPILERS = [name for name in ("gcc", "clang", "tcc") if shutil.which(name)]
ARM = """@mbssim

model Arm
  parameter m = 2
  submodel (Inertial) world(ng3=-1)
  submodel (Spherical) shoulder
  submodel (Revolute) elbow(n2=1)
  submodel (Bar) upper(r1=0.4), fore(r1=0.3)
  submodel (Body) m1(m=m, r1=0.2, I11=0.002, I22=0.03, I33=0.03), m2(m=1, r1=0.15, I11=0.001, I22=0.01, I33=0.01)
  connect world to shoulder to upper to elbow to fore, m1 at shoulder:b, m2 at elbow:b
end
"""
FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O0", "-shared", "-fPIC"]


@pytest.mark.skipif(not COMPILERS, reason="needs a C compiler")
def test_functions_are_those_of_python(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, folder = tmp_path / "arm.mo", tmp_path / "made"
    file.write_text(ARM)
    m = cutset.load(file).mechanics(parameters={"m": 3.0})
    paths = m.export_c(folder, ["bias", "forward", "pose:fore:b"])
    for compiler in COMPILERS:
        sources = [str(path) for path in paths if path.suffix == ".c" and path.name != "main.c"]
        library = tmp_path / f"{compiler}.so"
        subprocess.run([compiler, *FLAGS, *sources, "-o", str(library), "-lm"], check=True)
        _compare(ctypes.CDLL(str(library)), m)
    subprocess.run(
        [COMPILERS[0], *FLAGS[:5], *map(str, folder.glob("*.c")), "-lm", "-o", "example"], check=True, cwd=tmp_path
    )
    assert main(["export", str(file), "--c", str(tmp_path / "b"), "--mechanics", "bias"]) == 0
    assert "wrote 11 files" in capsys.readouterr().out
    assert "CONSTANTS" in (tmp_path / "b" / "Arm_bias.c").read_text()


def places(*arrays: np.ndarray) -> list[Any]:
    return [array.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for array in arrays]


def _compare(library: ctypes.CDLL, m: cutset.Mechanics) -> None:
    rng = np.random.default_rng(3)
    q, v, tau = rng.normal(size=5), rng.normal(size=4), rng.normal(size=4)
    h, a, T, r = np.zeros(4), np.zeros(4), np.zeros((3, 3)), np.zeros(3)
    assert library.Arm_bias(*places(q, v, h)) == 1
    assert library.Arm_forward(*places(q, v, tau, a)) == 1
    assert library.Arm_pose_fore_b(*places(q, T, r)) == 1
    pose = m.pose("fore:b", q)
    for found, expected in ((h, m.bias(q, v)), (a, m.forward(q, v, tau)), (T, pose.T), (r, pose.r)):
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)
    assert library.Arm_bias(*places(q * np.inf, v, h)) == 0
