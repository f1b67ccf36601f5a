"""What a reference means: in a class, in what inherits from it, in a loop and in a function."""

from dataclasses import replace

import pytest

from cutset.compiler.expressions.pool import Pool
from cutset.compiler.instantiate.functions.calls import DeclaredFunctions
from cutset.compiler.instantiate.names import meanings
from cutset.compiler.instantiate.names.classes import Classes
from cutset.compiler.instantiate.names.library import load_library
from cutset.compiler.instantiate.tree.scope import Node, Tree, Within
from cutset.compiler.instantiate.tree.translation import Translation
from cutset.compiler.instantiate.types.value_types import Types
from cutset.compiler.observer import Observer
from cutset.compiler.syntax import tree

TEXT = """
@other as lib
type Mode = (Free, Stuck)
function f(x) result y
  local sum
  y := x + sum(1) + max(x, 2) + f(x) + other + time + k
end
model class Part
  terminal x
  x = 1
end
model class M (class Kind = Part)
  parameter p, max(2), f(2)
  local x
  submodel (Kind) a
  submodel (Part) c(2), Mode2
  {equation}
end
model class (M) Heir
  parameter later(3)
end
"""
OTHER = "type State = (On, Off)\nfunction g(x) result y\n y := x\nend\n"


class Model:
    """The classes and functions of TEXT, with one equation in M."""

    def __init__(self, write_model, equation: str = "x = 0"):
        write_model(OTHER, "other.mo")
        library = load_library(write_model(TEXT.replace("{equation}", equation)))
        self.library, self.diagnostics = library, []
        self.types = Types(library, self.diagnostics)
        self.classes = Classes(library, self.types, self.diagnostics)

    def body(self, name: str):
        declared = next(c for c in self.library.all_names.values() if getattr(c, "name", "") == name)
        return self.classes.body(declared)

    def right_side(self, name: str) -> tree.Reference:
        (equation,) = self.body(name).statements
        assert isinstance(equation, tree.Equation) and isinstance(equation.right, tree.Reference)
        return equation.right


@pytest.mark.parametrize(
    ("written", "meaning"),
    [
        ("p", meanings.Variable()),
        ("x", meanings.Variable()),
        ("max(1)", meanings.Variable()),  # a parameter hides a built-in function
        ("f(1)", meanings.Variable()),  # and a function of the user
        ("min(1, 2)", meanings.BuiltinCall),
        ("delay(x, 1)", meanings.EventCall),
        ("der(x)", meanings.Derivative()),
        ("time", meanings.Time()),
        ("true", meanings.Truth(True)),
        ("false", meanings.Truth(False)),
        ("a.x", meanings.Member()),
        ("c(2).x", meanings.Member()),
        ("a.b.nowhere", meanings.Member()),  # which class `a` has, the instance knows
        ("Mode.Free", meanings.Literal),
        ("Mode.Lost", meanings.Literal),  # that it has no such value, evaluation says
        ("lib.State.On", meanings.Literal),
        ("Mode2.x", meanings.Member()),
        ("lib.g(x)", meanings.FunctionCall),
        ("lib.h(x)", meanings.Member()),
        ("h(x)", meanings.UnknownFunction()),
        ("time(1)", meanings.UnknownFunction()),
        ("y", meanings.UnknownName(False)),
        ("sin", meanings.UnknownName(True)),
        ("later(1)", meanings.UnknownFunction()),
    ],
)
def test_in_a_class(write_model, written, meaning):
    model = Model(write_model, f"x = {written}")
    found = model.body("M").meanings.of(model.right_side("M"))
    assert found == meaning if not isinstance(meaning, type) else isinstance(found, meaning)


def test_a_class_that_inherits_has_more_names(write_model):
    model = Model(write_model, "x = later(1)")
    reference = model.right_side("M")
    assert reference is model.right_side("Heir")
    assert model.body("M").meanings.of(reference) == meanings.UnknownFunction()
    assert model.body("Heir").meanings.of(reference) == meanings.Variable()


def test_a_meaning_is_decided_once(write_model):
    model = Model(write_model, "x = Mode.Free")
    body, reference = model.body("M"), model.right_side("M")
    first = body.meanings.of(reference)
    assert isinstance(first, meanings.Literal) and body.meanings.of(reference) is first
    assert first.enumeration.literals == ("Free", "Stuck")


def test_an_index_hides_other_meanings_in_its_loop_alone(write_model):
    model = Model(write_model, "x = min(1, 2)")
    body, reference = model.body("M"), model.right_side("M")
    functions = DeclaredFunctions(model.library, model.types, Pool())
    translation = Translation(Pool(), frozenset(), frozenset(), [], {}, functions, Observer())
    here = Within(Node("", body, None, None, {}, {}), Tree(), translation)
    assert replace(here, indices={"min": None}).meaning(reference) == meanings.Index()
    for scope in (replace(here, indices={"k": None}), here):
        assert isinstance(scope.meaning(reference), meanings.BuiltinCall)


def test_in_a_function(write_model):
    model = Model(write_model)
    (function,) = (f for f in model.library.names[model.library.source].functions.values() if f.name == "f")
    known = DeclaredFunctions(model.library, model.types, Pool()).meanings(function)
    (assignment,) = (m for m in function.members if isinstance(m, tree.Assignment))
    found = {e.span.text: type(known.of(e)) for e in tree.references(assignment.value)}
    assert found == {
        "x": meanings.Variable,
        "sum(1)": meanings.Variable,
        "max(x, 2)": meanings.BuiltinCall,
        "f(x)": meanings.FunctionCall,
        "other": meanings.UnknownName,
        "time": meanings.Time,
        "k": meanings.UnknownName,
    }
