"""What holds for the libraries together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cutset
import cutset.stdlib


def test_libraries_of_one_drive_go_together(write_model):
    text = (
        "@electrical\n@thermal\n@rotational\n@sources\n"
        "@noise\n@logic\n@discrete\n@trajectories\n@translational as tra\n@mbssim as mbs\nmodel Nothing\nlocal x\n"
        "x = time\nend\n"
    )
    assert cutset.load(write_model(text)).states == ()


FOLDER = Path(__file__).parent


def _whole(folder: Path, library: str) -> str:
    """The text of the library that this file belongs to; the multibody libraries are one."""
    own = library.partition("/")[0]
    pattern = "mbs*" if own in ("mbs", "mbssim", "mbsmat", "multibody") else own
    paths = [*folder.glob(f"{pattern}.mo"), *folder.glob(f"{pattern}/*.mo"), *folder.glob("multibody/*.mo")]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


@pytest.mark.parametrize(
    "library",
    [
        "rotational",
        "rotational/sources",
        "translational",
        "blocks",
        "sources",
        "noise",
        "logic",
        "discrete",
        "trajectories",
        "mbs",
        "mbssim",
        "multibody/closed_accelerations",
        "mbsmat",
        "mbsmat/loops",
        "mbsmat/closed",
    ]
    + [f"{library}/{part}" for library in ("mbs", "mbssim", "mbsmat") for part in ("joints", "forces")]
    + ["mbssim/drives"]
    + [
        f"multibody/{part}"
        for part in (
            "joints",
            "forces",
            "springs",
            "loops",
            "cut_joints",
            "drives",
            "drive_lines",
            "compound_joints",
            "assemblies",
        )
    ],
)
def test_every_class_runs_in_a_test_of_its_library(library):
    """Each stands in a test here by its name, but for those that others inherit from or consist of."""
    folder = Path(cutset.stdlib.__file__).parent
    head, whole = r"^model class (?:\(([^)]*)\) )?(\w+)", _whole(folder, library)
    inherited = {name.strip() for supers, _ in re.findall(head, whole, re.M) for name in supers.split(",")}
    inherited |= set(re.findall(r"submodel \((\w+)\)", whole))
    tests = "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
    used = set(re.findall(r"\((?:tra\.|mbs\.)?(\w+)\)", tests)) | set(re.findall(r'"(\w+)\) [bj]', tests))
    own = re.findall(head, (folder / f"{library}.mo").read_text(encoding="utf-8"), re.M)
    assert own and [name for _, name in own if name not in used | inherited] == []
