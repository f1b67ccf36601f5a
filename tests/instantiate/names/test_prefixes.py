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
    above = "@own\nmodel M\n  submodel (Spring) s\n  submodel (Scale) k\nend\n"  # which sees what that file sees
    assert translate(above, own=text, rotation=ROTATION).values()["k.y"] == 7.0


def test_of_two_includes_none_hides_the_other():
    text = "@own\n@rotation\nmodel M\n  submodel (Scale) k\nend\n"
    with pytest.raises(ModelError, match="E204"):
        translate(text, own="model class Scale\n  terminal y\n  y = 7\nend\n", rotation=ROTATION)


def test_a_library_and_a_copy_of_it_are_one_error(tmp_path):
    (tmp_path / "thermal.mo").write_text("model class HeatPath\n  terminal y\n  y = 1\nend\n")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "more.mo").write_text("@thermal\n")
    path = tmp_path / "top.mo"
    path.write_text('@"thermal.mo"\n@"parts/more"\nmodel M\n  submodel (HeatPath) p\nend\n')
    with pytest.raises(ModelError) as caught:
        cutset.load(path)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E204" and "a library and a copy of it" in diagnostic.message


def test_two_libraries_with_common_parts_are_one_error(write_model):
    with pytest.raises(ModelError) as raised:
        cutset.load(write_model("@mbs\n@mbssim\nmodel Both\n  local x\n  x = time\nend\n")).simulate(0.0)
    assert [d.code for d in raised.value.diagnostics] == ["E134"]
