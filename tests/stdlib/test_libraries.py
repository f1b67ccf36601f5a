"""What holds for the libraries together."""

from __future__ import annotations

import re
from pathlib import Path

from test_sources import SHAPES

import cutset
import cutset.stdlib
from cutset.compiler.instantiate.instantiate import check_alone
from cutset.compiler.instantiate.names.library import load_library


def test_libraries_of_one_drive_go_together(write_model):
    text = (
        "@electrical\n@thermal\n@rotational\n@sources\n"
        "@noise\n@logic\n@discrete\n@trajectories\n@translational as tra\n@mbssim as mbs\nmodel Nothing\nlocal x\n"
        "x = time\nend\n"
    )
    assert cutset.load(write_model(text)).states == ()


def test_every_class_of_every_library_runs_in_a_test():
    """Each stands by its name in a test of libraries or pictures, or in a published case, but for those that others
    inherit from or consist of."""
    folder, tests = Path(cutset.stdlib.__file__).parent, Path(__file__).parents[1]
    libraries = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.mo")}
    head, whole = r"^model class (?:\(([^)]*)\) )?(\w+)", "\n".join(libraries.values())
    used = {name.strip() for supers, _ in re.findall(head, whole, re.M) for name in supers.split(",")}
    used |= set(re.findall(r"submodel \((\w+)\)", whole))
    used |= {f"{kind}{shape.partition('(')[0]}" for kind in "VI" for shape in SHAPES}
    for path in (*tests.glob("stdlib/*.py"), *tests.glob("cases/models/*.mo"), *tests.glob("animation/*.py")):
        used |= set(re.findall(r"""["(](?:\w+\.)?(\w+)[)"]""", path.read_text(encoding="utf-8")))
    left = {str(path): [name for _, name in re.findall(head, text, re.M) if name not in used]
            for path, text in libraries.items()}  # fmt: skip
    assert len(libraries) > 50 and {path: names for path, names in left.items() if names} == {}


def test_units_of_functions_are_consistent():
    """A model checks those that it calls only."""
    files = [path for path in Path(cutset.stdlib.__file__).parent.rglob("*.mo") if "\nfunction " in path.read_text()]
    assert len(files) > 5 and [d for path in files for d in check_alone(load_library(path), allow_external=True)] == []
