"""Files under prefixes: what a name means depends on the file that it is written in."""

import pytest
from models_from_text import translate

import cutset
from cutset.compiler.diagnostics import ModelError

ROTATION = """
model class Base
  terminal y
end
model class (Base) Spring
  parameter c = 2
  submodel (Scale) s(k = c)
  y = s.y
end
model class Scale
  parameter k
  terminal y
  y = k*time
end
"""
TRANSLATION = """
@rotation as turning
model class Spring
  terminal y
  y = -time
end
model class Both
  submodel (Spring) mine
  submodel (turning.Spring) other
end
"""


def test_two_files_that_declare_one_name():
    model = translate(
        """
@rotation as rot
@translation
model class Scale
  terminal y
  y = 100*time
end
model class (rot.Spring) Stiff
  parameter c = 7
end
model M
  submodel (rot.Spring) r
  submodel (Spring) t
  submodel (Stiff) stiff
  submodel (Both) both
  submodel (Scale) own
end
""",
        rotation=ROTATION,
        translation=TRANSLATION,
    )
    values = model.values(time=1.0)
    names = ("r.y", "t.y", "stiff.y", "both.mine.y", "both.other.y", "own.y")
    assert [values[name] for name in names] == [2.0, -1.0, 7.0, -1.0, 2.0, 100.0]
    classes = {i.path: i.class_name for i in model.instance.walk()}
    assert (classes["r"], classes["t"], classes["both.other"]) == ("rot.Spring", "Spring", "rot.Spring")


def test_one_file_with_and_without_prefixes():
    model = translate(
        """
@rotation
@rotation as a
@rotation as b
model M
  submodel (Spring) p
  submodel (a.Spring) q(c = 3)
  submodel (b.Spring) r(c = 4)
end
""",
        rotation=ROTATION,
    )
    assert [model.values(time=1.0)[f"{name}.y"] for name in "pqr"] == [2.0, 3.0, 4.0]
    assert {i.class_name for i in model.instance.walk()} == {"M", "Spring", "Scale"}


def test_prefixes_behind_prefixes_and_circles():
    text = "@translation as t\nmodel class Spring\nend\nmodel M\n  submodel (t.turning.Spring) s\nend\n"
    circle = TRANSLATION.replace("@rotation", "@model as above\n@rotation")
    assert translate(text, rotation=ROTATION, translation=circle).values(time=1.0)["s.y"] == 2.0


def test_a_prefix_of_an_included_file_is_taken_over():
    text = "@translation\nmodel M\n  submodel (turning.Spring) s\nend\n"
    assert translate(text, rotation=ROTATION, translation=TRANSLATION).values(time=1.0)["s.y"] == 2.0


def test_two_classes_without_a_prefix():
    text = "@rotation\n@translation\nmodel M\n  submodel (Spring) s\nend\n"
    with pytest.raises(ModelError) as caught:
        translate(text, rotation=ROTATION, translation=TRANSLATION)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E204" and "@file as prefix" in diagnostic.hint
    assert {diagnostic.span.source.name[-6:], diagnostic.labels[0].span.source.name[-6:]} == {"ion.mo"}


def test_a_library_does_not_see_the_model_that_includes_it():
    library = "model class Part\n  submodel (Mine) m\nend\n"
    text = "@library as lib\nmodel class Mine\nend\nmodel M\n  submodel (lib.Part) p\nend\n"
    with pytest.raises(ModelError) as caught:
        translate(text, library=library)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E205" and diagnostic.instance == "p" and "include this file" in diagnostic.hint


@pytest.mark.parametrize(
    ("used", "code", "hint"),
    [
        ("rt.Spring", "E257", "did you mean 'rot'?"),
        ("rot.Sprng", "E205", "did you mean 'rot.Spring'?"),
        ("Sprng", "E205", "did you mean 'rot.Spring'?"),
        ("Spring", "E205", "in this file its name is rot.Spring"),
        ("xyz.Q", "E257", "include a file with this prefix: @file as xyz"),
    ],
)
def test_unknown_names(used, code, hint):
    text = f"@rotation as rot\nmodel M\n  submodel ({used}) s\nend\n"
    with pytest.raises(ModelError) as caught:
        translate(text, rotation=ROTATION)
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.hint) == (code, hint)


def test_units_of_classes_of_one_name():
    """What is read of a class once is not taken for another class of that name."""
    other = 'model class Spring\n  terminal y (unit="m")\n  y = time\nend\n'
    mine = "model class Spring\n  terminal y\n  y = 2\nend\n"
    text = (
        f'@other as o\n{mine}model M\n  submodel (Spring) a\n  submodel (o.Spring) b\n  local z (unit="kg")\n'
        "  z = b.y\nend\n"
    )
    with pytest.raises(ModelError) as caught:
        translate(text, other=other)
    assert {d.code for d in caught.value.diagnostics} == {"E242"}


def test_a_class_of_the_file_hides_that_of_an_include():
    """The included file keeps using its own `Scale`."""
    text = "@rotation\nmodel class Scale\n  terminal y\n  y = 7\nend\n"
    model = text + "model M\n  submodel (Spring) s\n  submodel (Scale) k\nend\n"
    values = translate(model, rotation=ROTATION)
    assert values.values(time=1.0)["s.y"] == 2.0 and values.values()["k.y"] == 7.0
    (note,) = values.program.info.remarks
    assert note.startswith("the class 'Scale' hides that of ")


PART = """
type Mode = (Off, On)
cut class P (v / i)
model class Part
  local (Mode) m
  terminal y
  local v, i
  cut (P) a (v / i)
  m = Mode.On
  v = 3
  y = if m == Mode.On then 1 else 0
end
"""


def test_a_type_and_a_cut_class_of_the_file_hide_those_of_an_include():
    own = "type Mode = (Slow, Fast)\ncut class P (v, w / i)\n"
    text = f"@part\n{own}model M\n  submodel (Part) p\n  local (Mode) m\n  m = Mode.Fast\nend\n"
    assert translate(text, part=PART).values()["p.y"] == 1.0


def test_a_library_does_not_pass_on_what_it_includes_for_itself(tmp_path):
    """A message names the file to include: for classes, types, cut classes, functions and prefixes."""
    own = 'type Length (unit="m")\nfunction half(x) result y\n  y := x/2\nend\n' + PART + ROTATION
    between = "@rotation\n@translation as tra\nmodel class Two\n  submodel (Spring) a, b(c=half(6))\nend\n"
    (tmp_path / "lib").mkdir()
    for name, text in (("rotation", own), ("translation", "model class Rod\nend\n"), ("between", between)):
        (tmp_path / "lib" / f"{name}.mo").write_text(text)
    (tmp_path / "lib" / "above.mo").write_text("@between\nmodel class Bar\nend\n")
    top = tmp_path / "models" / "top.mo"
    top.parent.mkdir()

    def run(text):
        top.write_text(text)
        return cutset.load(top, library_path=[tmp_path / "lib"]).simulate(stop=1)

    assert run("@between\nmodel class Spring\nend\nmodel M\n  submodel (Two) t\nend\n")["t.b.y"][-1] == 3.0
    for include, lines, code, file in [
        ("between", "submodel (Spring) s", "E205", "rotation"),
        ("between", "local (Length) l\n  l = 1", "E274", "rotation"),
        ("between", "local v, i\n  cut (P) p (v / i)\n  v = 1", "E270", "rotation"),
        ("between", "local y\n  y = half(3)", "E215", "rotation"),
        ("above", "submodel (tra.Rod) r", "E257", "between"),
    ]:
        model = f"model M\n  {lines}\nend\n"
        with pytest.raises(ModelError) as caught:
            run(f"@{include}\n{model}")
        (found,) = caught.value.diagnostics
        assert found.code == code and found.hint.endswith(f"{file}.mo' declares it: include this file with @{file}")
        run(f"@{include}\n@{file}\n{model}")


def test_parts_of_a_library_come_with_it_and_own_files_pass_on_all(tmp_path):
    """Parts are in a folder next to it. Prefixes of the file hide those of included files."""
    (tmp_path / "lib" / "spare").mkdir(parents=True)
    (tmp_path / "lib" / "spare.mo").write_text('@rotation as r\n@"spare/one"\n')
    (tmp_path / "lib" / "spare" / "one.mo").write_text("@spare\n@other\nmodel class (Other) One\nend\n")
    (tmp_path / "lib" / "other.mo").write_text("model class Other\n  terminal y\n  y = 1\nend\n")
    (tmp_path / "lib" / "rotation.mo").write_text(ROTATION)
    (tmp_path / "mine.mo").write_text("@spare\n")
    top = tmp_path / "top.mo"
    for includes, class_name, y in [
        ("@mine\n", "One", 1.0),
        ("@spare\n", "One", 1.0),
        ("@mine\n", "r.Scale", 0.0),
        ("@mine\n@other as r\n", "r.Other", 1.0),
        ("@mine\n", "Other", None),
    ]:
        given = "(k=0)" if class_name == "r.Scale" else ""
        top.write_text(f"{includes}model M\n  submodel ({class_name}) o{given}\nend\n")
        if y is None:
            with pytest.raises(ModelError, match="E205"):
                cutset.load(top, library_path=[tmp_path / "lib"])
        else:
            assert cutset.load(top, library_path=[tmp_path / "lib"]).simulate(stop=1)["o.y"][-1] == y


@pytest.mark.parametrize(("libraries", "taken"), [
    ("logic discrete sources trajectories noise", "Switch Gain Sum Integrator"),
    ("trajectories noise", "Step Ramp Switch"),
    ("rotational", "Brake Shaft Inertia Spring"),
    ("mbs", "Brake Shaft MbsPlane"),
    ("electrical blocks", "Brake Shaft Step"),
])  # fmt: skip
def test_first_models_may_use_common_names(libraries, taken):
    includes = "".join(f"@{name}\n" for name in libraries.split())
    classes = "".join(f"model class {name}\n  terminal y\n  y = 1\nend\n" for name in taken.split())
    parts = "".join(f"  submodel ({name}) s{k}\n" for k, name in enumerate(taken.split()))
    assert translate(f"{includes}{classes}model M\n{parts}end\n").values()["s0.y"] == 1.0


def test_of_two_includes_none_hides_the_other():
    text = "@own\n@rotation\nmodel M\n  submodel (Scale) k\nend\n"
    with pytest.raises(ModelError, match="E204"):
        translate(text, own="model class Scale\n  terminal y\n  y = 7\nend\n", rotation=ROTATION)


def test_a_library_and_a_copy_of_it_are_one_error(tmp_path):
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "thermal.mo").write_text("@parts\nmodel class HeatPath\n  terminal y\n  y = 1\nend\n")
    for folder in (tmp_path, tmp_path / "more"):
        (folder / "parts.mo").write_text("model class Part\n  terminal y\n  y = 1\nend\n")
    (tmp_path / "thermal.mo").write_text((tmp_path / "more" / "thermal.mo").read_text())
    path = tmp_path / "top.mo"
    path.write_text('@"thermal.mo"\n@"more/thermal"\nmodel M\n  submodel (HeatPath) p\nend\n')
    with pytest.raises(ModelError) as caught:
        cutset.load(path)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E204" and "a library and a copy of it" in diagnostic.message
    assert diagnostic.span.text == '@"more/thermal"' and diagnostic.labels[0].span.text == '@"thermal.mo"'


def test_two_libraries_with_common_parts_are_one_error(write_model):
    with pytest.raises(ModelError) as raised:
        cutset.load(write_model("@mbs\n@mbssim\nmodel Both\n  local x\n  x = time\nend\n")).simulate(0.0)
    assert [d.code for d in raised.value.diagnostics] == ["E134"]
