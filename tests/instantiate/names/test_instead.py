"""Another library instead of an included one."""

from __future__ import annotations

from pathlib import Path

import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.compiler.diagnostics import ModelError

MODEL = "@one\nmodel Top\n  submodel (Thing) t\nend\n"
ONE = "model class Thing\n  terminal y\n  y = 1\nend\nmodel class Rare\n  terminal y\n  y = 0\nend\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model, the library that it includes, and another one."""
    (tmp_path / "top.mo").write_text(MODEL)
    (tmp_path / "one.mo").write_text(ONE)
    (tmp_path / "two.mo").write_text("model class Thing\n  terminal y\n  y = 2\nend\n")
    return tmp_path


def _y(folder: Path, instead: dict[str, str]) -> float:
    return cutset.load(folder / "top.mo", instead=instead).simulate(stop=0.0, target="python")["t.y"][0]


def test_the_other_library_is_used(folder, own_cache):
    """Translations are kept apart in the disk cache."""
    assert [_y(folder, {}), _y(folder, {"one": "two"}), _y(folder, {})] == [1.0, 2.0, 1.0]
    assert _y(folder, {"one.mo": "two.mo"}) == 2.0


@pytest.mark.parametrize("include", ["@one as o", '@"one.mo"', "@between"])
def test_however_it_is_included(include, folder):
    (folder / "between.mo").write_text("@one\n")
    word = "o.Thing" if " as " in include else "Thing"
    (folder / "top.mo").write_text(MODEL.replace("@one", include).replace("Thing", word))
    assert _y(folder, {"one": "two"}) == 2.0


def test_two_libraries_are_exchanged_for_each_other(folder):
    (folder / "top.mo").write_text("@one as a\n@two as b\nmodel Top\n  submodel (a.Thing) t\nend\n")
    assert _y(folder, {"one": "two", "two": "one"}) == 2.0


def test_standard_libraries_include_what_they_name(write_model):
    path = write_model("@mbssim\nmodel Top\n  submodel (Inertial) i\nend\n")
    run = cutset.load(path, instead={"mbssim": "mbs"}).simulate(stop=0.0, target="python")
    assert run["i.fa(1)"][0] == 0.0  # mbssim has Ia and ba
    with pytest.raises(ModelError, match=r"E135.*'friction'"):  # which mbs includes
        cutset.load(path, instead={"mbssim": "mbs", "friction": "nothing"})


def test_a_variable_that_only_the_replaced_library_has(write_model):
    path = write_model(
        "@mbs\nmodel class (MbsOneCut) Push\n  fa = zeros(6)\nend\nmodel Top\n  submodel (Push) p\nend\n"
    )
    with pytest.raises(ModelError, match=r"E211(.|\n)*help: 'mbssim' is used instead of 'mbs', which may declare this"):
        cutset.load(path, instead={"mbs": "mbssim"})


def test_errors_name_the_library(folder, write_model):
    top = folder / "top.mo"
    with pytest.raises(ModelError, match=r"E135\]: .*top.mo' does not include the library 'three'(.|\n)*: one"):
        cutset.load(top, instead={"three": "two"})
    with pytest.raises(ModelError, match=r"E136\]: there is no library 'three' to use instead of 'one'(.|\n)*:1:1"):
        cutset.load(top, instead={"one": "three"})
    with pytest.raises(ModelError, match=r"E136(.|\n)*did you mean 'mbssim'"):
        cutset.load(top, instead={"one": "mbsim"})
    with pytest.raises(TypeError, match="instead must be a dictionary"):
        cutset.load(top, instead="one=two")
    path = write_model("@mbssim\nmodel Top\n  submodel (Screw) s(pitch=1)\nend\n")
    with pytest.raises(ModelError, match=r"E205(.|\n)*'electrical' is used instead of 'mbssim' and lacks this class"):
        cutset.load(path, instead={"mbssim": "electrical"})


def test_commands_take_it(folder, capsys, monkeypatch, own_cache):
    monkeypatch.chdir(folder)
    assert main(["simulate", "top.mo", "--outputs", "t.y"]) == 0
    assert main(["simulate", "top.mo", "--instead", "one=two", "--outputs", "t.y"]) == 0
    shown = [line.split()[-1] for line in capsys.readouterr().out.splitlines() if "t.y" in line]
    assert shown == ["1", "2"]
    for command in ("check", "inspect", "translate", "linearize", "steady"):
        assert main([command, "top.mo", "--instead", "one=three"]) == 1
        assert "E136" in capsys.readouterr().err
    assert main(["check", "top.mo", "--instead", "one"]) == 2
    assert "'one' is not of the form LIBRARY=OTHER" in capsys.readouterr().err


def test_a_file_with_another_library(folder):
    """Each library has its own classes of the file; the include of the model can be exchanged."""
    (folder / "pair.mo").write_text("@one\nmodel class (Thing) Pair\nend\n")
    (folder / "second.mo").write_text("@pair with two\n")
    top = "@pair\n@second as s\nmodel Top\n  submodel (Pair) a\n  submodel (s.Pair) t\n  submodel (s.Thing) c\nend\n"
    (folder / "top.mo").write_text(top)
    run = cutset.load(folder / "top.mo").simulate(stop=0.0, target="python")
    assert [run["a.y"][0], run["t.y"][0], run["c.y"][0]] == [1.0, 2.0, 2.0]
    assert _y(folder, {"two": "one"}) == 1.0
    (folder / "top.mo").write_text("@pair\n@pair with two\nmodel Top\n  submodel (Pair) t\nend\n")
    with pytest.raises(ModelError, match=r"E134\]: 'pair' and 'pair' have 2 names in common: Pair, Thing"):
        cutset.load(folder / "top.mo")
    (folder / "top.mo").write_text("@pair with three\nmodel Top\nend\n")
    with pytest.raises(ModelError, match=r"E201\]: there is no file 'three' to include"):
        cutset.load(folder / "top.mo")
