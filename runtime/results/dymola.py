"""Writes and reads result files in Dymola's format.

They are MATLAB 4 matrices of the class "Atrajectory", version 1.1, stored transposed ("binTrans").

Aclass       4 strings: Atrajectory, 1.1, empty, binTrans
name         one string per variable, time first
description  one per variable, ending with the unit in square brackets
dataInfo     four integers per variable: the matrix with its values (1: constant, 2: not constant, 0: time itself); the
             row in it, negative if the sign changes; 0 (linear interpolation); -1 (undefined beyond the ends)
data_1       time and constants, at the first and the last instant
data_2       time and all others, at every instant; variables with the same trajectory share a row
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator
from typing import BinaryIO

import numpy as np

from cutset.runtime.description import Description
from cutset.runtime.interface import Vector
from cutset.runtime.whole_files import written_whole

# Little-endian types of MATLAB 4: numbers of 64 bits, of 32 bits, and characters.
_DOUBLE, _INTEGER, _TEXT = 0, 20, 51
_CLASS = ("Atrajectory", "1.1", "", "binTrans")


def write_mat(
    path: str | os.PathLike[str], time: Vector, columns: Iterable[tuple[str, Vector, bool]], description: Description
) -> None:
    """Write the file. `columns` are (name, trajectory over `time`, whether it is a constant)."""
    names, texts, places = ["time"], ["time [s]"], [(0, 1, 0, -1)]
    matrices: dict[int, list[Vector]] = {1: [time[[0, -1]]], 2: [time]}
    rows: dict[tuple[int, bytes], int] = {}
    for name, trajectory, is_constant in columns:
        matrix = 1 if is_constant else 2
        kept = trajectory[[0, -1]] if is_constant else trajectory
        row = rows.get((matrix, kept.tobytes())) or -rows.get((matrix, (-kept).tobytes()), 0)
        if not row:
            matrices[matrix].append(kept)
            row = rows[matrix, kept.tobytes()] = len(matrices[matrix])
        names.append(name)
        unit = description.units.get(name, "")
        texts.append(" ".join(filter(None, (description.documentation.get(name, ""), f"[{unit}]" if unit else ""))))
        places.append((matrix, row, 0, -1))
    with written_whole(path) as place, open(place, "wb") as file:
        # The strings of Aclass are the rows of its matrix, those of all other matrices are the columns.
        _write(file, "Aclass", _TEXT, _characters(_CLASS).T)
        _write(file, "name", _TEXT, _characters(names))
        _write(file, "description", _TEXT, _characters(texts))
        _write(file, "dataInfo", _INTEGER, np.array(places, dtype="<i4").T)
        for matrix, trajectories in matrices.items():
            _write(file, f"data_{matrix}", _DOUBLE, np.array(trajectories, dtype="<f8"))


def read_mat(path: str | os.PathLike[str]) -> dict[str, tuple[Vector, str]]:
    """The trajectory and the unit of each name. ValueError for a file of another kind."""
    from scipy.io import loadmat  # slow to import
    from scipy.io.matlab import MatReadError

    try:
        found = loadmat(path, chars_as_strings=False)
    except (MatReadError, TypeError, NotImplementedError, KeyError, IndexError, struct.error) as error:
        raise ValueError(f"it is not a MATLAB 4 file ({error})") from error
    missing = {"Aclass", "name", "description", "dataInfo", "data_1", "data_2"} - set(found)
    if missing:
        raise ValueError(f"the matrix {', '.join(sorted(missing))} of a Dymola result is missing")
    kind = list(_texts(found["Aclass"]))
    if len(kind) < 4 or kind[3] not in ("binTrans", "binNormal"):
        raise ValueError("its matrix Aclass does not contain 'Atrajectory' and 'binTrans'")
    turn = (lambda matrix: matrix) if kind[3] == "binTrans" else np.transpose
    names = list(_texts(turn(found["name"]).T))
    texts = list(_texts(turn(found["description"]).T))
    info = turn(found["dataInfo"])
    data = {1: turn(found["data_1"]), 2: turn(found["data_2"])}
    if info.shape != (4, len(names)) or len(texts) != len(names):
        raise ValueError("its matrices name, description and dataInfo do not have the same size")
    return {name: (_trajectory(data, *info[:2, k]), _unit(texts[k])) for k, name in enumerate(names)}


def _trajectory(data: dict[int, Vector], matrix: int, row: int) -> Vector:
    values = data.get(int(matrix) or 2)
    if values is None or not 1 <= abs(int(row)) <= len(values):
        raise ValueError(f"its matrix dataInfo refers to row {row} of data_{matrix}, which does not exist")
    trajectory = np.array(values[abs(int(row)) - 1], dtype=float) * np.sign(int(row))
    return np.full(data[2].shape[1], trajectory[0]) if int(matrix) == 1 else trajectory


def _unit(text: str) -> str:
    start = text.rfind("[")
    # Dymola appends the display unit after a bar.
    return text[start + 1 : -1].split("|")[0] if text.endswith("]") and start >= 0 else ""


def _characters(texts: Iterable[str]) -> np.ndarray:
    """One column per string, padded to the longest."""
    encoded = [text.encode("utf-8") for text in texts]
    width = max(1, *map(len, encoded))
    return np.frombuffer(b"".join(text.ljust(width) for text in encoded), dtype=np.uint8).reshape(-1, width).T


def _texts(rows: np.ndarray) -> Iterator[str]:
    for row in rows:
        text = "".join(row).rstrip(" \0")
        try:
            yield text.encode("latin-1").decode("utf-8")
        except UnicodeError:
            yield text


def _write(file: BinaryIO, name: str, kind: int, matrix: np.ndarray) -> None:
    rows, columns = matrix.shape
    file.write(struct.pack("<5i", kind, rows, columns, 0, len(name) + 1) + name.encode() + b"\0")
    file.write(matrix.tobytes(order="F"))
