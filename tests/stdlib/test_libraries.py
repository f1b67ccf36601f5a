"""What holds for the libraries together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cutset
import cutset.stdlib


def test_libraries_of_one_drive_go_together(write_model):
    text = (
        "@electrical\n@thermal\n@rotational\n@sources\n@translational as tra\n@mbssim as mbs\nmodel Nothing\nlocal x\n"
        "x = time\nend\n"
    )
    assert cutset.load(write_model(text)).states == ()


FOLDER = Path(__file__).parent


@pytest.mark.parametrize(
    "library",
    [
        "rotational",
        "rotational/sources",
        "translational",
        "blocks",
        "sources",
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
    ],
)
def test_every_class_runs_in_a_test_of_its_library(library):
    """Each stands in a test here by its name, but for those that others inherit from or consist of."""
    text = (Path(cutset.stdlib.__file__).parent / f"{library}.mo").read_text(encoding="utf-8")
    heads = re.findall(r"^model class (?:\(([^)]*)\) )?(\w+)", text, re.MULTILINE)
    inherited = {name.strip() for supers, _ in heads for name in supers.split(",")} | set(
        re.findall(r"submodel \((\w+)\)", text)
    )
    tests = "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("test_*.py"))
    used = set(re.findall(r"\((?:tra\.|mbs\.)?(\w+)\)", tests)) | set(re.findall(r'"(\w+)\) b', tests))
    assert [name for _, name in heads if name not in used | inherited] == []
