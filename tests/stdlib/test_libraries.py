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
    """The text of the library that this file belongs to."""
    return "\n".join(path.read_text(encoding="utf-8") for path in folder.glob(f"{library.partition('/')[0]}/*.mo"))


def _parts(folder: Path, library: str) -> list[str]:
    """The other files of a library, whose classes may inherit from this one's."""
    return [str(path.relative_to(folder)) for path in (folder / library).glob("*.mo")]


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
        "mbs/loops",
        "mbs/closed",
        "mbsmat",
        "mbsmat/loops",
        "mbsmat/closed",
    ]
    + [
        f"{library}/{part}"
        for library in ("mbs", "mbssim", "mbsmat")
        for part in ("joints", "balls", "assemblies", "forces", "drives", "sensors")
        if (library, part) != ("mbsmat", "drives")
    ],
)
def test_every_class_runs_in_a_test_of_its_library(library):
    """Each stands in a test here by its name, but for those that others inherit from or consist of."""
    folder = Path(cutset.stdlib.__file__).parent
    parts = {name: (folder / name).read_text(encoding="utf-8") for name in (f"{library}.mo", *_parts(folder, library))}
    heads = {name: re.findall(r"^model class (?:\(([^)]*)\) )?(\w+)", text, re.M) for name, text in parts.items()}
    inherited = {name.strip() for each in heads.values() for supers, _ in each for name in supers.split(",")}
    inherited |= set(re.findall(r"submodel \((\w+)\)", _whole(folder, library)))
    tests = "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
    used = set(re.findall(r"\((?:tra\.|mbs\.)?(\w+)\)", tests)) | set(re.findall(r'"(\w+)\) b', tests))
    assert [name for _, name in heads[f"{library}.mo"] if name not in used | inherited] == []
