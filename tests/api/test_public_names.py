"""What `import cutset` offers: its names, its version, its help."""

from __future__ import annotations

import inspect
import pydoc
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.api.runs.settings import RunSettings
from cutset.api.translate.translation_options import LoadSettings

ROOT = Path(__file__).parents[2]


def test_every_public_name_is_there_and_documented() -> None:
    described = re.findall(r"^(\w+) {2,}\S", cutset.__doc__, re.MULTILINE)
    assert sorted(described) == sorted(cutset.__all__)
    assert all(getattr(cutset, name) for name in cutset.__all__) and set(cutset.__all__) <= set(dir(cutset))
    with pytest.raises(AttributeError, match="nothing_of_ours"):
        _ = cutset.nothing_of_ours


def test_help_shows_the_public_classes_and_no_internals_of_a_model() -> None:
    text = pydoc.plain(pydoc.render_doc(cutset))
    functions = {"gymnasium", "import_netlist", "import_robot", "load", "loads", "measure", "normal", "read", "sample"}
    functions |= {"extremes", "morris_indices", "pareto", "probability", "sobol_indices"}
    for name in set(cutset.__all__) - functions - {"__version__", "table", "uniform", "verify"}:
        assert re.search(rf"^    class {name}\(", text, re.MULTILINE), name
    assert "Translated" not in re.findall(r"\w+", text)
    assert re.search(r"^     \|  Model\(\)", text, re.MULTILINE)


def test_signatures_show_each_setting() -> None:
    for function, names in (
        (cutset.load, ["path", "name", "listeners", *LoadSettings.__annotations__]),
        (
            cutset.Model.simulate,
            ["self", "stop", "target", "until", "start_from", "sensitivities", *RunSettings.__annotations__],
        ),
    ):
        assert list(inspect.signature(function).parameters) == names
    assert {"rtol", "points", "inputs", "max_steps"} <= RunSettings.__annotations__.keys()


def test_an_unknown_setting_is_an_error(write_model: Callable[[str], Path]) -> None:
    model = cutset.load(write_model("model M\n  local x (start=1)\n  der(x) = -x\nend\n"))
    for call in (model.simulate, model.simulator, model.batch, model.inverse):
        with pytest.raises(TypeError, match=r"no argument 'rtoll'; it takes .*rtol"):
            call(rtoll=1e-3)


def test_models_come_from_load() -> None:
    with pytest.raises(TypeError, match=r"cutset\.load"):
        cutset.Model()


def test_one_version(capsys: pytest.CaptureFixture[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "cutset.contract.version.__version__"}
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"cutset {cutset.__version__}\n"


def test_the_changelog_has_the_version() -> None:
    """The sections follow each other, the newest release is this one."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    releases = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", changelog, re.MULTILINE)
    assert releases[0] == ("Unreleased", "") and releases[1][0] == cutset.__version__
    assert all(day for _, day in releases[1:])
    assert [day for _, day in releases[1:]] == sorted((day for _, day in releases[1:]), reverse=True)
