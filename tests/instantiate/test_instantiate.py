"""Names, parameters, inheritance and shapes."""

import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.instantiate.instantiate import instantiate
from cutset.compiler.instantiate.names.library import load_library


def test_a_subclass_gives_a_new_default_and_inherits_the_rest():
    model = translate(
        """
model class Base
  parameter a = 1.5, b = 2*a
  terminal y
  y = b + time
end
model class (Base) Derived
  parameter a = 4
  terminal z
  z = 2*y
end
model M
  submodel (Derived) d
  submodel (Base) e
end
"""
    )
    values = model.values(time=1.0)
    assert values["d.b"] == 8.0 and values["d.z"] == 18.0 and values["e.b"] == 3.0


def test_bindings_are_evaluated_where_they_are_written():
    model = translate(
        """
model class Inner
  parameter k = 7
  terminal y
  y = k*time
end
model class Outer
  parameter k = 3
  submodel (Inner) a(k = k), b(k = k + 1), c
end
model M
  constant k = 5
  submodel (Outer) o(k = 2*k)
end
"""
    )
    values = model.values(time=1.0)
    assert (values["o.a.y"], values["o.b.y"], values["o.c.y"]) == (10.0, 11.0, 7.0)


def test_a_parameter_that_depends_on_another_follows_it():
    model = translate(
        """
model class Part
  parameter m
  terminal w
  w = 9.81*m + 0*time
end
model M
  parameter load = 15
  submodel (Part) p(m = load)
end
"""
    )
    assert model.values(parameters={"load": 2.0})["p.w"] == pytest.approx(19.62)
    assert model.values(parameters={"p.m": 1.0})["p.w"] == pytest.approx(9.81)


def test_zero_and_one_of_a_submodel_are_folded_unless_asked_otherwise():
    text = """
model class Part
  parameter a = 0, b = 1, c = -1, d = 2
  terminal y
  y = a*time + b*time + c + d
end
model M
  parameter a = 0
  submodel (Part) p, q(d = 1)
end
"""
    folded = dict(translate(text).program.info.folded)
    assert folded == {"p.a": 0, "p.b": 1, "p.c": -1, "q.a": 0, "q.b": 1, "q.c": -1, "q.d": 1}
    unfolded = translate(text, unfold=frozenset({"p.a"})).program.info
    assert "p.a" in unfolded.parameters and "p.a" not in unfolded.folded


def test_submodels_and_parameters_have_name_spaces_of_their_own():
    model = translate(
        """
model class Capacitor
  parameter C
  terminal y
  y = C + time
end
model M
  parameter Ci = 3
  submodel (Capacitor) Ci(C = Ci)
end
"""
    )
    assert model.values()["Ci.y"] == 3.0


def test_the_last_object_is_taken_and_any_can_be_named():
    text = "model A\n local x\n x = 1\nend\nmodel B\n local y\n y = 2\nend\n"
    assert translate(text).program.info.name == "B"
    assert translate(text, "A").program.info.name == "A"


def test_matrix_operators_mean_what_they_say():
    model = translate(
        """
model M
  local v(3), w(3), A(3,3), s, r(3), B(2,3), c(2), D(3,3), row(1,3), n
  v = [1, 2, 3]
  w = [time, 1; 2, 3]*[1, 2]'(1, 1..2)' - 0
end
""".replace(
            "  w = [time, 1; 2, 3]*[1, 2]'(1, 1..2)' - 0\n",
            """  w = cross(v, [0, 0, time])
  A = skew(v)
  r = A*w
  s = v'*w + sum(v)
  B = [1, 0, time; 0, 1, 0]
  c = B*v
  D = [B; 7, 8, 9]'
  row = v'*D
  n = norm(v(2..3)) + D(3,1) + size(D, 2) + max(1, 4, 2)
""",
        )
    )
    at = model.values(time=2.0)
    assert [at[f"w({k})"] for k in (1, 2, 3)] == [4.0, -2.0, 0.0]
    assert [at[f"r({k})"] for k in (1, 2, 3)] == [6.0, 12.0, -10.0]
    assert at["s"] == 6.0 and [at["c(1)"], at["c(2)"]] == [7.0, 2.0]
    assert [at[f"D(1,{k})"] for k in (1, 2, 3)] == [1.0, 0.0, 7.0]
    assert [at[f"row(1,{k})"] for k in (1, 2, 3)] == [7.0, 2.0, 50.0]
    assert at["n"] == pytest.approx(13**0.5 + 2 + 3 + 4)


def test_mistakes_of_all_instances_and_files_come_in_one_run(tmp_path):
    (tmp_path / "lib.mo").write_text("model class A\n local x\n x = yy\nend\n")
    path = tmp_path / "m.mo"
    path.write_text("@lib\nmodel M\n submodel (A) a, b, c\n submodel (B) d\n local z\n z = [1, 2]\nend\n")
    from cutset.compiler.pipeline import compile_model

    with pytest.raises(ModelError) as caught:
        compile_model(path, None)
    assert [d.code for d in caught.value.diagnostics] == ["E205", "E218", "E211"]


def test_very_long_sums_need_no_recursion():
    terms = " + ".join(f"{k}*time" for k in range(5000))
    assert translate(f"model M\n local x\n x = {terms}\nend\n").values(time=1.0)["x"] == sum(range(5000))


def test_input_at_the_top_is_known_and_a_terminal_elsewhere():
    model = translate(
        """
model class Gain
  input u
  output y
  y = 2*u
end
model M
  input u
  submodel (Gain) g
  g.u = u + 1
end
"""
    )
    assert model.program.info.inputs == ("u",)
    assert model.values(inputs={"u": 4.0})["g.y"] == 10.0


def test_a_given_length_is_named(write_model):
    path = write_model("model M\n  parameter n = 2\n  local x(n)\n  x = time*ones(n)\nend\n")
    with pytest.raises(ModelError, match=r"not 2\.5 \(n = 2\.5 was set for this run\)"):
        instantiate(load_library(path), values={"n": 2.5})


@pytest.mark.parametrize("on", ["[0; 1; 1]", "[1; 1; 1]"])
def test_a_value_missing_in_an_array_is_told_once(write_model, on):
    text = (
        "model class R\n  parameter r\n  local x\n  x = r\nend\n"
        "model class A\n  parameter on\n  submodel (R) b(3) if on > 0\nend\n"
        f"model M\n  submodel (A) a(3)(on = {on})\nend\n"
    )
    with pytest.raises(ModelError) as caught:
        instantiate(load_library(write_model(text)))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E222" and diagnostic.hint == "did you mean b(r = 3)?"
