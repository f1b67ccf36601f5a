"""Printing and parsing are inverse to each other, but for the spans, on random trees."""

from dataclasses import fields, is_dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutset.compiler.diagnostics import ModelError, Source, Span
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.parse import parse
from cutset.compiler.syntax.print import print_equation, print_expression, print_tree

SOURCE = Source("none", "")
NOWHERE = Span(SOURCE, 1, 1, 1, 1)


def without_spans(node):
    """The same tree with all spans and sources alike."""
    if isinstance(node, Span | Source) or not (is_dataclass(node) or isinstance(node, tuple)):
        return {Span: NOWHERE, Source: SOURCE}.get(type(node), node)
    if isinstance(node, tuple):
        return tuple(without_spans(child) for child in node)
    return replace(node, **{field.name: without_spans(getattr(node, field.name)) for field in fields(node)})


def some(strategy, least=1, most=3):
    return st.lists(strategy, min_size=least, max_size=most).map(tuple)


def node(kind, *arguments):
    return st.builds(kind, st.just(NOWHERE), *arguments)


names = st.sampled_from(["a", "B", "x_1", "_q", "end1", "start", "unit", "der", "_2e3", "iff", "when_", "as"])
words = st.text("ab '{}#;()[]@\\\t\u00e4\u20ac", max_size=5)
numbers = node(tree.Number, st.floats(0, allow_infinity=False, allow_nan=False) | st.integers(0, 10**20).map(float))
texts = node(tree.Text, words)


def references(expressions):
    arguments = expressions | node(tree.Range, expressions, expressions) | node(tree.Everything)
    parts = node(tree.Part, names, st.none() | some(arguments, 0))
    return node(tree.Reference, some(parts))


def larger_expressions(expressions):
    binary = st.sampled_from(["+", "-", "*", "/", "^", "and", "or", "<", "<=", ">", ">=", "==", "<>"])
    rows = st.integers(1, 3).flatmap(lambda n: some(some(expressions, n, n)))
    return (
        node(tree.Binary, binary, expressions, expressions)
        | node(tree.Unary, st.sampled_from(["+", "-", "not", "'"]), expressions)
        | node(tree.Conditional, some(st.tuples(expressions, expressions), 1, 2), expressions)
        | node(tree.Matrix, rows)
        | references(expressions)
    )


plain_references = node(tree.Reference, some(node(tree.Part, names, st.none())))
expressions = st.recursive(numbers | texts | plain_references, larger_expressions, max_leaves=12)
few = st.recursive(numbers | plain_references, larger_expressions, max_leaves=4)

dimensions = some(few, 0, 2)
attributes = some(node(tree.Attribute, names, few | texts), 0, 2)
bare = node(tree.Attribute, st.just("symmetric"), st.none())
all_attributes = attributes | st.tuples(bare) | st.tuples(node(tree.Attribute, names, few), bare)
points = node(tree.PointReference, some(node(tree.Part, names, st.none() | some(few))))
class_references = node(tree.ClassReference, names | st.sampled_from(["rot.Spring", "a.b.C"]))
types = st.none() | class_references

variable_items = node(tree.VariableItem, names, dimensions, all_attributes, st.none() | expressions, words)
kinds = st.sampled_from(
    ["parameter", "constant", "local", "terminal", "input", "output", "default", "external", "internal"]
)
submodel_items = node(
    tree.SubmodelItem, names, some(few, 0, 1), some(node(tree.Binding, names, few), 0), st.none() | few, words
)
cut_entries = node(tree.CutEntry, names, st.sampled_from([1, -1]), dimensions, all_attributes) | node(
    tree.CutEntry, st.just("")
)
cut_bodies = st.tuples(some(cut_entries), some(cut_entries, 0), st.none()) | st.tuples(
    st.just(()), some(cut_entries), st.none()
)
all_cut_bodies = cut_bodies | st.just((None, None, None)) | st.tuples(st.none(), st.none(), some(points))
cut_items = st.builds(
    lambda name, body, text: tree.CutItem(NOWHERE, name, *body, documentation=text), names, all_cut_bodies, words
)
links = st.recursive(
    points,
    lambda inner: (
        node(tree.Chain, some(inner, 2))
        | node(tree.Parallel, some(inner, 2))
        | node(tree.Loop, inner, inner)
        | node(tree.Reversed, inner)
    ),
    max_leaves=5,
)
connections = links | node(tree.Placement, links, some(points))
ranges = node(tree.Range, few, few)
indices = node(tree.ForIndex, names, ranges)
connections |= node(tree.Repeated, connections, some(indices, 1, 2))
equations = node(tree.Equation, expressions, expressions)
conditions = few


@st.composite
def branches(draw, inner, with_else):
    found = draw(some(node(tree.Branch, conditions, some(inner, 0)), 1, 3))
    otherwise = draw(st.booleans()) if with_else else False
    return (*found, draw(node(tree.Branch, st.none(), some(inner, 0)))) if otherwise else found


def branching(kind, inner):
    """The span of a block is that of its first line, so that all are alike."""
    return st.builds(lambda found: kind(NOWHERE, found), branches(inner, kind is tree.If))


assertions = node(tree.Assertion, st.booleans(), few, words)
in_when = st.recursive(
    equations | assertions,
    lambda inner: node(tree.For, indices, some(inner, 0)) | branching(tree.If, inner),
    max_leaves=3,
)
statements = st.recursive(
    node(tree.Connect, some(connections))
    | equations
    | assertions
    | branching(tree.When, in_when)
    | node(tree.Initial, some(in_when, 0)),
    lambda inner: node(tree.For, indices, some(inner, 0)) | branching(tree.If, inner),
    max_leaves=4,
)
variables = node(tree.VariableDeclaration, kinds, some(variable_items), types)
members = (
    variables
    | node(tree.SubmodelDeclaration, class_references, some(submodel_items))
    | node(tree.CutDeclaration, st.booleans(), some(cut_items), types)
    | node(tree.PathDeclaration, st.booleans(), names, some(points, 2))
    | node(tree.Experiment, some(node(tree.Binding, names, few | texts)))
    | node(tree.NodeDeclaration, some(node(tree.NodeItem, names)))
    | statements
)
actions = st.recursive(
    node(tree.Assignment, plain_references, expressions) | assertions,
    lambda inner: (
        node(tree.For, indices, some(inner, 0))
        | node(tree.While, conditions, some(inner, 0))
        | branching(tree.If, inner)
    ),
    max_leaves=4,
)
class_parameters = some(node(tree.ClassParameter, names, types), 0, 2)
classes = node(
    tree.Class, names, st.booleans(), some(class_references, 0), some(members, 0, 5), words, class_parameters
)
arguments = node(tree.Argument, names, some(few | node(tree.Everything), 0, 2), all_attributes, types)
functions = node(tree.Function, names, some(arguments, 0), arguments, some(variables | actions, 0), words) | node(
    tree.Function, names, some(arguments, 0), st.none() | arguments, st.just(()), st.just(""), words.filter(bool)
)
declared_types = node(tree.Type, names, types, attributes | st.tuples(bare), st.just(()), words) | node(
    tree.Type, names, st.none(), st.just(()), some(node(tree.NodeItem, names)), words
)
cut_classes = node(tree.CutClass, names, some(cut_entries), some(cut_entries, 0), words)
file_names = names | words.filter(bool) | st.sampled_from(["a.mo", "a.b.c", "../x.mo", "end"])
includes = node(tree.Include, file_names, st.just("") | names) | node(tree.Include, file_names, st.just(""), names)
trees = st.builds(
    tree.SyntaxTree, st.just(SOURCE), some(includes, 0, 2), some(classes, 0, 2), some(functions, 0, 2),
    some(declared_types, 0, 2), some(cut_classes, 0, 2),
)  # fmt: skip


@given(trees)
@settings(max_examples=20, deadline=None)
def test_parse_of_print_is_the_same_tree(expected):
    text = print_tree(expected)
    assert without_spans(parse(Source("printed", text))) == expected
    assert print_tree(parse(Source("printed", text))) == text


@given(equations)
@settings(max_examples=80, deadline=None)
def test_parse_of_a_printed_equation_is_the_same(equation):
    model = parse(Source("printed", f"model M\n{print_equation(equation)}\nend"))
    assert without_spans(model.classes[0].members[0]) == equation


@given(expressions)
@settings(max_examples=80, deadline=None)
def test_no_bracket_of_a_printed_expression_can_go(expression):
    """Taking any pair of grouping brackets away changes the tree, or makes it no text of the language."""
    text = print_expression(expression)
    for opened, closed in grouping_brackets(text):
        shorter = f"{text[:opened]} {text[opened + 1 : closed]} {text[closed + 1 :]}"
        try:
            model = parse(Source("shorter", f"model M\nx = {shorter}\nend"))
        except ModelError:
            continue
        assert without_spans(model.classes[0].members[0].right) != expression


def grouping_brackets(text):
    """Places of the round brackets that follow no name."""
    opened, inside_text = [], False
    for place, character in enumerate(text):
        inside_text ^= character == '"'
        if inside_text:
            continue
        if character == "(":
            opened.append(place)
        elif character == ")":
            start = opened.pop()
            word = text[:start].rpartition(" ")[2][-8:]
            if (not text[:start][-1:].isalnum() and text[:start][-1:] != "_") or word in (
                "not",
                "if",
                "then",
                "else",
                "and",
                "or",
                "elseif",
            ):
                yield start, place


@pytest.mark.parametrize(
    "text",
    [
        *(
            "a^b^c",
            "(a^b)^c",
            "a^-b",
            "(-a)^b",
            "-a^b",
            "a - (b - c)",
            "a - b - c",
            "a/(b*c)",
            "a*-b",
            "-a*b",
            "-(a*b)",
        ),
        *("a'^b'", "(a*b)'", "(-a)'", "a''", "not a == b", "not (a and b)", "(not a) == b", "a and (b or c)"),
        *("(a < b) == c", "a < b + c", "(if a then b else c) + d", "if a then b else c + d", "--a"),
    ],
)
def test_brackets_are_those_that_are_needed(text):
    model = parse(Source("minimal", f"model M\nx = {text}\nend"))
    assert print_expression(model.classes[0].members[0].right) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(100.0, "100"), (1e-6, "1e-6"), (0.1, "0.1"), (1e22, "1e22"), (2.5e-10, "2.5e-10"), (123456789.0, "123456789")],
)
def test_numbers_are_short(value, text):
    assert print_expression(tree.Number(NOWHERE, value)) == text


def test_negative_number_in_a_power_is_bracketed():
    minus_two, two = tree.Number(NOWHERE, -2.0), tree.Number(NOWHERE, 2.0)
    assert print_expression(tree.Binary(NOWHERE, "^", minus_two, two)) == "(-2)^2"


def test_canonical_text():
    text = """@r3.lib
@"a folder/b.mo"

model class (TwoPin) Capacitor "ideal"
  cut A (Va / i), B (Vb / -i), D (V / .), E (q, T(3,3)), j
  main cut C [A, B, s:D]
  main path P <A - B>
  parameter C (unit="F", min=0) = 1e-6 "capacitance"
  local u, I(6,6)(symmetric), x(3)
  submodel (Resistor) R1(R=100, q=2*k) "first", R2, c(6), d(n)(R=[1, 2]), e(R=1) if n > 2 and not off "maybe", f if on
  node n1, n2
  connect A at (n1, n2), s:D at n1, A to B to C, (A to B) par reversed C to D loop E
  connect c(k) to d(k, j) for k = 1..n for j = 1..k
  for k = 1..6 do
    x(k) = k
    for j = k + 1..n do
      connect c(k) to d(j)
    endfor
  endfor
  C*der(u) = i - (a + b)*c^2/d'
  x(1..3) = if a < b and not c then [1, 2; 3, 4] else -x(:, 2)
end

model RC
end
"""
    assert print_tree(parse(Source("canonical", text))) == text
