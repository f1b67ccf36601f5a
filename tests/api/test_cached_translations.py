"""A model that was translated once is not translated again before something changes on which that rests."""

import json
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import cutset
from cutset.api.translate import translation
from cutset.api.translate.cached_translation import key_of
from cutset.compiler.codegen.passes import LatePasses
from cutset.compiler.function.definition import Function
from cutset.compiler.options import Options
from cutset.compiler.syntax.cache import TreeCache
from cutset.contract.cache import DiskCache
from cutset.contract.model_json import VERSION
from cutset.runtime.errors import RunError

MODEL = """@part
type Share (min=0, max=1)
model Whole "of one part"
  submodel (Part) p
  parameter n = 2
  parameter (Share) s = 0.5
  parameter one = 1
  local x(n)(unit="m", start=1)
  der(x) = -s*one*x
end

model Other
  local y (start=3)
  der(y) = -y
end
"""
PART = "model class Part\n  terminal x\n  x = sin(time)\nend\n"


@pytest.fixture
def load(tmp_path, monkeypatch, own_cache):
    """load(...) -> the model, and how many times something was translated for it."""
    monkeypatch.delenv("CUTSET_CACHE", raising=False)
    calls = []
    real = translation.translate_file
    monkeypatch.setattr(translation, "translate_file", lambda *given: calls.append(1) or real(*given))
    (tmp_path / "whole.mo").write_text(MODEL)
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "part.mo").write_text(PART)

    def loaded(name: str | None = "Whole", target: str = "auto", **settings):
        calls.clear()
        model = cutset.load(tmp_path / "whole.mo", name, library_path=[tmp_path / "library"], **settings)
        model.build(target)
        return model, len(calls)

    return loaded


def test_it_is_the_same_model(load):
    (first, once), (second, never) = load(), load()
    assert (once, never) == (1, 0)
    facts = [{k: v for k, v in model.inspect().items() if k != "time_seconds"} for model in (first, second)]
    assert facts[0] == facts[1] and set(first.translated.seconds) == set(second.translated.seconds)
    assert first.description == second.description and first.parameters == second.parameters
    assert first.states == second.states == ("x(1)", "x(2)") and first.variables() == second.variables()
    runs = [model.simulate(1.0, parameters={"s": 0.25}) for model in (first, second)]
    assert all(np.array_equal(runs[0][name], runs[1][name]) for name in runs[0].names())
    for model in (first, second):
        with pytest.raises(RunError, match="E605"):
            model.simulate(1.0, parameters={"s": 2.0})


def test_parameters_that_are_part_of_the_code(load, tmp_path):
    load()
    model, _ = load()
    assert model.simulate(1.0, parameters={"n": 3, "one": 2.0})["x(3)"][-1] == pytest.approx(np.exp(-1), rel=1e-5)
    again, calls = load()
    assert calls == 0 and again.simulate(1.0)["x(1)"][-1] == pytest.approx(np.exp(-0.5), rel=1e-5)


@pytest.mark.parametrize("file", ["whole.mo", "library/part.mo"])
def test_a_changed_text(load, tmp_path, file):
    load()
    (tmp_path / file).write_text((tmp_path / file).read_text() + "{ a comment }\n")
    assert load()[1] == 1
    assert load()[1] == 0


def test_a_file_that_comes_before_the_included_one(load, tmp_path):
    load()
    (tmp_path / "part.mo").write_text(PART.replace("sin", "cos"))
    model, calls = load()
    assert calls == 1 and model.simulate(0.0)["p.x"][0] == 1.0


def test_what_is_asked_for(load, tmp_path, monkeypatch):
    load()
    assert load("Other")[0].states == ("y",) and load(None)[0].name == "Other"
    assert load(allow_external=True)[1] == 1
    monkeypatch.setenv("CUTSET_CACHE", "off")
    assert load()[1] == 1


def test_listeners_hear_every_stage(load):
    load()
    heard = []
    load(listeners=[lambda stage, result: heard.append(stage)])
    assert heard[0] == "parse" and "lower" in heard


def test_another_target(load):
    load(target="python")
    model, calls = load(target="python")
    assert calls == 0 and model.simulate(1.0, target="python")["x(1)"][-1] == pytest.approx(np.exp(-0.5), rel=1e-5)
    with pytest.raises(KeyError):
        model.translated.files("pascal")
    listing = model.translated.files("listing")
    assert listing is model.translated.files("listing")  # each is translated once


@pytest.mark.parametrize("damage", ["", "{}", "cut", "statistics", "texts", "version", "rests"])
def test_what_was_made_otherwise(load, tmp_path, damage):
    load()
    [file] = (tmp_path / "cache" / "cutset").glob("*.model")
    disk = DiskCache(file.parent)
    text = disk.get(file.name).decode()
    data = json.loads(text)
    if damage == "statistics":
        del data["statistics"]["states"]
    elif damage == "texts":
        data["texts"]["model.json"] = data["texts"]["model.json"][:-20]
    elif damage == "version":
        data["texts"]["model.json"] = data["texts"]["model.json"].replace(f'"version": {VERSION}', '"version": 0')
    elif damage == "rests":
        del data["depends on"]
    disk.put(file.name, {"": "", "{}": "{}", "cut": text[:500]}.get(damage, json.dumps(data)).encode())
    model, calls = load()
    assert calls == 1 and model.states == ("x(1)", "x(2)")
    assert load()[1] == 0


# For each option another value than the default.
OTHERS = {
    "unfold": frozenset({"a"}),
    "library_path": (Path("a"),),
    "structural": (("a", 1.0),),
    "fold": frozenset({"a"}),
    "allow_external": True,
    "passes": LatePasses(loops=False),
    "preferences": False,
    "started": frozenset({"a"}),
    "instead": (("a", "b"),),
    "solved": False,
    "unreduced": True,
    "stabilized": True,
    "function": Function(frozenset(), (), (), ()),
    "known": ("a",),
    "find": ("a",),
    "terminals": frozenset(),
    "until": "a < 0",
    "sensitivities": ("a",),
    "disturbed": ("a",),
    "draft": True,
    "perturbed": "noise",
    "given": frozenset({"a"}),
    "text": "model A end",
    "unsaved": ((Path("a"), ""),),
}


def test_each_option_but_the_cache_belongs_to_the_key():
    assert {f.name for f in fields(Options)} == {*OTHERS, "cache"}
    made = [Options(), *(Options(**{name: value}) for name, value in OTHERS.items())]
    assert len({key_of(Path("m.mo"), None, options) for options in made}) == len(made)
    assert Options(cache=TreeCache(None)) == Options()


def test_the_key_does_not_depend_on_the_order_of_sets_and_dictionaries():
    names = [f"x{k}" for k in range(20)]
    first, other = Options(fold=frozenset(names)), Options(fold=frozenset(reversed(names)))
    assert key_of(Path("m.mo"), None, first) == key_of(Path("m.mo"), None, other)
    assert "['x0', 'x1', 'x10'" in key_of(Path("m.mo"), None, first)


def test_a_change_is_added_to_options():
    own = Options(unfold=frozenset("a"), structural=(("n", 2.0),), instead=(("mbssim", "mbs"),), known=("x",))
    passes = LatePasses(loops=False)
    change = Options(unfold=frozenset("b"), structural=(("n", 3.0),), instead=(("mbs", "mbsmat"),), passes=passes)
    added = own.changed(change)
    assert (added.unfold, added.structural) == (frozenset("ab"), (("n", 3.0),))
    assert (added.instead, added.known, added.passes) == ((("mbssim", "mbsmat"),), ("x",), passes)
    assert added.changed(Options(passes=LatePasses(tapes=False))).passes == LatePasses(loops=False, tapes=False)


@pytest.mark.parametrize("is_cached", [False, True])
def test_a_file_that_others_write_changes_no_loaded_model(tmp_path: Path, is_cached: bool) -> None:
    """Its later translations, for a method, a target or values, have the texts that were loaded."""
    part, file = tmp_path / "part.mo", tmp_path / "m.mo"

    def write(rate: int) -> None:
        part.write_text(f"model class Rate\n  terminal r\n  r = {rate}\nend\n")
        law = f"der(x) = -{rate}*rate.r*a*x"
        file.write_text(
            f"@part\nmodel M\n  submodel (Rate) rate\n  parameter a = 1\n  local x (start=1)\n  {law}\nend\n"
        )

    write(1)
    if is_cached:
        cutset.load(file).simulate(1.0)  # its record has the code in C only
    model = cutset.load(file)
    write(3)
    found = [model.simulate(1.0, **way)["x"][-1] for way in ({"target": "python"}, {"method": "bdf"})]
    assert found == pytest.approx([np.exp(-1.0)] * 2, rel=1e-4)
    assert cutset.load(file).simulate(1.0, target="python")["x"][-1] == pytest.approx(np.exp(-9.0), rel=1e-3)
