"""Where each node of a tree says it stands."""

from dataclasses import fields, is_dataclass

import pytest

from cutset.compiler.diagnostics import Source, Span
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.parse import parse


def read(text):
    return parse(Source("test.mo", text))


def underlined(span):
    lines = span.source.text.removeprefix("\ufeff").splitlines()
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    first, last = lines[span.line - 1][span.column - 1 :], lines[span.end_line - 1][: span.end_column - 1]
    return "\n".join([first, *lines[span.line : span.end_line - 1], last])


def nodes(node):
    if isinstance(node, Span | Source):
        return
    if isinstance(node, tuple):
        for child in node:
            yield from nodes(child)
    elif is_dataclass(node):
        yield node
        for field in fields(node):
            yield from nodes(getattr(node, field.name))


def underlined_nodes(text):
    found = {}
    for node in nodes(read(text)):
        if not isinstance(node, tree.SyntaxTree):
            found.setdefault(type(node).__name__, []).append(underlined(node.span))
    return found


EVERYTHING = """@some.mo
model class (Super) Name "doc"
  parameter R(3)(unit="Ohm", start = 1) = 100 "text"
  submodel (Body) a(p = 1), b
  cut A (Va / -i(2)(start=0), .) "c", D
  main cut C [A, s:B(2)]
  main path P <A - B>
  node n
  connect A to B:c, X at (n1, n2), reversed A par (B loop C)
  (a + b)*x(1..2, :) = -sin(y.z)' - [1, 2]
  t = if p > 0 then 1 else "x"
  for k = 1..n do
    connect A to B for j = 1..k
  endfor
  experiment (stop=3*k)
end
"""
UNDERLINED = {
    "Include": ["@some.mo"],
    "Class": ["Name"],
    "ClassReference": ["Super", "Body"],
    "VariableDeclaration": ['parameter R(3)(unit="Ohm", start = 1) = 100 "text"'],
    "VariableItem": ["R"],
    "Attribute": ['unit="Ohm"', "start = 1", "start=0"],
    "Number": ["3", "1", "100", "1", "2", "0", "2", "1", "2", "1", "2", "0", "1", "1", "1", "3"],
    "Text": ['"Ohm"', '"x"'],
    "SubmodelDeclaration": ["submodel (Body) a(p = 1), b"],
    "SubmodelItem": ["a", "b"],
    "Binding": ["p", "stop"],
    "CutDeclaration": ['cut A (Va / -i(2)(start=0), .) "c", D', "main cut C [A, s:B(2)]"],
    "CutItem": ["A", "D", "C"],
    "CutEntry": ["Va", "-i(2)(start=0)", "."],
    "PointReference": ["A", "s:B(2)", "A", "B", "A", "B:c", "X", "n1", "n2", "A", "B", "C", "A", "B"],
    "Part": [
        "A",
        "s",
        "B(2)",
        "A",
        "B",
        "A",
        "B",
        "c",
        "X",
        "n1",
        "n2",
        "A",
        "B",
        "C",
        "a",
        "b",
        "x(1..2, :)",
        "sin(y.z)",
        "y",
        "z",
        "t",
        "p",
        "n",
        "A",
        "B",
        "k",
        "k",
    ],
    "PathDeclaration": ["main path P <A - B>"],
    "NodeDeclaration": ["node n"],
    "Experiment": ["experiment (stop=3*k)"],
    "NodeItem": ["n"],
    "Connect": ["connect A to B:c, X at (n1, n2), reversed A par (B loop C)", "connect A to B for j = 1..k"],
    "Chain": ["A to B:c", "A to B"],
    "Placement": ["X at (n1, n2)"],
    "Parallel": ["reversed A par (B loop C)"],
    "Reversed": ["reversed A"],
    "Loop": ["(B loop C)"],
    "Equation": ["(a + b)*x(1..2, :) = -sin(y.z)' - [1, 2]", 't = if p > 0 then 1 else "x"'],
    "Binary": ["(a + b)*x(1..2, :)", "(a + b)", "-sin(y.z)' - [1, 2]", "p > 0", "3*k"],
    "Reference": ["a", "b", "x(1..2, :)", "sin(y.z)", "y.z", "t", "p", "n", "k", "k"],
    "Range": ["1..2", "1..n", "1..k"],
    "For": ["for k = 1..n do"],
    "ForIndex": ["k", "j"],
    "Repeated": ["A to B for j = 1..k"],
    "Everything": [":"],
    "Unary": ["-sin(y.z)'", "sin(y.z)'"],
    "Matrix": ["[1, 2]"],
    "Conditional": ['if p > 0 then 1 else "x"'],
}


def test_spans():
    assert underlined_nodes(EVERYTHING) == UNDERLINED


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r", "\u2028", "\x0c"])
def test_spans_with_other_line_ends_tabs_and_unicode(line_end):
    text = line_end.join(["\ufeffmodel M", '\tlocal x "\u00e4\U0001f600", y', "{ \u00e9", " } x =", "\ty", "end"])
    spans = [
        node.span for node in nodes(read(text)) if isinstance(node, tree.VariableItem | tree.Class | tree.Equation)
    ]
    places = [(s.line, s.column, s.end_line, s.end_column) for s in spans]
    assert places == [(1, 7, 1, 8), (2, 8, 2, 9), (2, 16, 2, 17), (4, 4, 5, 3)]
    assert [underlined(span) for span in spans] == ["M", "x", "y", "x =\n\ty"]
