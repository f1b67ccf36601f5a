"""Runs Pinocchio's algorithms on a chain: in a C++ loop, or on symbols of CasADi.

A call from Python costs more than the algorithm, so its Python module serves only to find the headers.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from oracles.multibody import Body, Tree

from cutset.contract.cache import cache_folder
from cutset.runtime.targets.c_records import address

_HERE = Path(__file__).parent
# The flags of a release build of Pinocchio.
_FLAGS = ("-O3", "-DNDEBUG", "-std=c++17", "-fPIC", "-shared")
# Templates on symbols run once and need no optimization; the code that CasADi prints gets it.
_FLAGS_OF_SYMBOLS = ("-O1", "-DNDEBUG", "-std=c++17", "-fPIC", "-shared")


class Missing(Exception):
    """A requirement of a peer is not installed; the text names it."""


class PinocchioRobot:
    """A chain of revolute joints, each attached to the one before. `repeat` evaluates; `accelerations` are the last
    result."""

    def __init__(self, tree: Tree):
        self._library = _load()
        arrays = _columns(tree)
        self._handle = self._library.create(len(tree.joints), *map(address, arrays))
        self.accelerations = np.zeros(len(tree.joints))

    def repeat(self, number: int, rows: np.ndarray) -> None:
        """Evaluate `number` times at the rows (q, qd, tau) in turn."""
        self._library.repeat(self._handle, number, len(rows), address(rows), address(self.accelerations))

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            self._library.release(self._handle)


class PinocchioFunctions:
    """Functions of Pinocchio for a chain of revolute joints, each attached to the one before. Missing as above."""

    NAMES = (
        "inverse", "bias", "forward", "mass_matrix", "pose", "jacobian", "jacobian_rate", "inverse_derivatives",
        "forward_derivatives", "regressor", "center_of_mass", "momentum", "momentum_matrix", "energy",
    )  # fmt: skip

    def __init__(self, tree: Tree):
        self._library = _load("pinocchio_functions.cpp", 1)
        self._handle = self._library.create(len(tree.joints), *map(address, _columns(tree)))
        n = self._size = len(tree.joints)
        self._results = {name: np.zeros(n) for name in self.NAMES[:3]}
        shapes = {"mass_matrix": (n, n), "pose": (12,), "regressor": (n, 10 * n), "energy": (2,)}
        shapes |= dict.fromkeys(("jacobian", "jacobian_rate", "momentum_matrix"), (6, n))
        shapes |= dict.fromkeys(("inverse_derivatives", "forward_derivatives"), (n, 3 * n))
        shapes |= {"center_of_mass": (3,), "momentum": (6,)}
        self._results |= {name: np.zeros(shape) for name, shape in shapes.items()}

    def repeat(self, name: str, number: int, rows: np.ndarray) -> np.ndarray:
        """Evaluate `number` times at the rows (q, v, a or tau) in turn; the last result."""
        result = self._results[name]
        which = self.NAMES.index(name)
        self._library.repeat(self._handle, which, number, len(rows), address(rows), address(result))
        return result

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            self._library.release(self._handle)


def symbolic_rate(tree: Tree, states: Sequence[int]):
    """dx = rate(x, u) as in `casadi_peer.rate_function`, by Pinocchio's algorithm on symbols. Missing if CasADi,
    Pinocchio or a C++ compiler is not installed."""
    if importlib.util.find_spec("casadi") is None:
        raise Missing("Pinocchio on symbols: CasADi is not installed: pip install casadi")
    import casadi as ca

    folder = Path(ca.__file__).parent
    flags = (*_FLAGS_OF_SYMBOLS, f"-L{folder}", f"-Wl,-rpath,{folder}")
    library = ctypes.CDLL(str(_compiled("pinocchio_sx.cpp", flags, ("-isystem", f"{folder}/include"), ("-lcasadi",))))
    pointer = ctypes.c_void_p
    library.write_rates.restype = None
    library.write_rates.argtypes = (ctypes.c_char_p, pointer, pointer, ctypes.c_long, *[pointer] * 6)
    n = len(tree.joints)
    order, damping = np.array(states, dtype=np.int64), np.array(tree.damping or (0.0,) * n)
    arrays = _columns(tree)
    with TemporaryDirectory() as place:
        path = f"{place}/rate.casadi"
        library.write_rates(path.encode(), address(order), address(damping), n, *map(address, arrays))
        rate = ca.Function.load(path)
    x, u = ca.SX.sym("x", 2 * n), ca.SX.sym("u", n)
    return ca.Function("rate", [x, u], [ca.cse(rate(x, u))], ["x", "u"], ["dx"])


def _columns(tree: Tree) -> list[np.ndarray]:
    """The arguments of `chain` in pinocchio_chain.h after the number of joints."""
    bodies = [_lumped(tree, k) for k in range(len(tree.joints))]
    columns = (
        [joint.axis for joint in tree.joints],
        [joint.offset for joint in tree.joints],
        [body.mass for body in bodies],
        [body.center for body in bodies],
        [body.tensor for body in bodies],
        tree.gravity,
    )
    return [np.ascontiguousarray(column, dtype=float) for column in columns]


def _lumped(tree: Tree, joint: int) -> Body:
    """All bodies of a joint combined into one."""
    parts = [b for b in tree.bodies if b.joint == joint]
    mass = sum(b.mass for b in parts)
    center = sum(b.mass * np.array(b.center) for b in parts) / mass if mass else np.zeros(3)
    tensor = np.zeros((3, 3))
    for b in parts:
        arm = np.array(b.center) - center
        tensor += b.tensor + b.mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    i = tensor
    return Body(joint, mass, tuple(center), (i[0, 0], i[1, 1], i[2, 2], i[1, 0], i[2, 0], i[2, 1]))


def _load(source: str = "pinocchio_aba.cpp", selectors: int = 0) -> ctypes.CDLL:
    """The library of a source file; `repeat` has so many more numbers after its first argument."""
    library = ctypes.CDLL(str(_compiled(source, _FLAGS)))
    pointer, number = ctypes.c_void_p, ctypes.c_long
    library.create.restype, library.create.argtypes = pointer, (number, *[pointer] * 6)
    library.repeat.restype, library.repeat.argtypes = None, (pointer, *[number] * (2 + selectors), pointer, pointer)
    library.release.restype, library.release.argtypes = None, (pointer,)
    return library


def _compiled(source: str, flags: Sequence[str], includes: Sequence[str] = (), libraries: Sequence[str] = ()) -> Path:
    """The library of a source file in this folder, compiled once (it takes minutes) and kept in the user's cache."""
    command = [_compiler(), *flags, *_includes(), *includes]
    texts = b"".join((_HERE / name).read_bytes() for name in (source, "pinocchio_chain.h"))
    key = hashlib.sha256(" ".join(command).encode() + texts).hexdigest()[:24]
    folder = (cache_folder() or Path("out")).with_name("cutset-benchmarks")
    library = folder / f"{key}.so"
    if not library.exists():
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = library.with_suffix(f".{os.getpid()}")
        command += [str(_HERE / source), "-o", str(unfinished), *libraries]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Missing(f"Pinocchio: {command[0]} failed: {done.stderr.strip().splitlines()[0]}")
        unfinished.replace(library)
    return library


def _compiler() -> str:
    found = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if found is None:
        raise Missing("Pinocchio: no C++ compiler")
    return found


def _includes() -> list[str]:
    """The folders with the headers of Pinocchio and Boost (in the wheel `pin`) and of Eigen (in that of CasADi)."""
    package = importlib.util.find_spec("pinocchio")
    if package is None or package.origin is None:
        raise Missing("Pinocchio is not installed: pip install pin")
    prefix = next((p for p in Path(package.origin).parents if (p / "include/pinocchio").is_dir()), None)
    casadi = importlib.util.find_spec("casadi")
    places = [Path(casadi.origin).parent / "include/eigen3"] if casadi and casadi.origin else []
    eigen = next((p for p in (*places, Path("/usr/include/eigen3")) if p.is_dir()), None)
    if prefix is None or eigen is None:
        raise Missing("Pinocchio: no headers of Pinocchio or of Eigen")
    return ["-isystem", str(prefix / "include"), "-isystem", str(eigen)]
