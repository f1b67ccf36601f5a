"""Whatever the text, the parser gives a tree or errors with places inside the text; nothing else."""

import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cutset.compiler.diagnostics import ModelError, Source
from cutset.compiler.syntax.parse import parse
from cutset.compiler.syntax.print import print_tree

MODEL = """@some.mo
model class (Super) Name "doc"
  parameter R(3)(unit="Ohm", start=1) = 1e-3 "text" { comment }
  submodel (Body) a(p = 1, q = [1, 2; 3, 4]), b, c(6)(p = 2) if n > 1 "x"
  cut A (Va / -i(2), .), D
  main cut C [A, s:B]
  main path P <A - B>
  node n1, n2 # comment
  connect A to B:c, X at (n1, n2),
    Y at n1, (reversed A par B) to C loop D, A(k) to B for k = 1..3
  for k = 1..n do
    x(k) = 1
  endfor
  x(1..2) = -(if a then sin(y.z)' elseif b then c else d**2)
end
"""
PIECES = [*MODEL.split(), "(", ")", "[", "]", "{", "}", "<", ">", '"', ",", ";", "\n", "when", "end", "model", "$", "="]


def check(text):
    """Parses; every error has a code of this stage, a place inside the text, and can be shown."""
    source = Source("any", text)
    try:
        syntax_tree = parse(source)
    except ModelError as error:
        lines = (text.removeprefix("\ufeff") + "x").splitlines()
        for diagnostic in error.diagnostics:
            assert diagnostic.code.startswith("E1")
            span = diagnostic.span
            assert (span.line, span.column) <= (span.end_line, span.end_column)
            assert 1 <= span.line <= span.end_line <= len(lines)
            assert 1 <= span.column <= len(lines[span.line - 1]) + 1
            assert 1 <= span.end_column <= len(lines[span.end_line - 1]) + 1
        places = [(d.span.line, d.span.column) for d in error.diagnostics]
        assert places == sorted(places)
        assert str(error)
    else:
        assert print_tree(parse(Source("again", print_tree(syntax_tree)))) == print_tree(syntax_tree)


@given(st.text())
@example("\ufeff")
@example("model A\n{")
@example("\r\n\x00\x85")
@settings(max_examples=300, deadline=None)
def test_any_characters(text):
    check(text)


@given(st.text(string.printable))
@settings(max_examples=300, deadline=None)
def test_any_ascii(text):
    check("model M\n" + text)


@given(st.lists(st.sampled_from(PIECES), max_size=60).map(" ".join))
@settings(max_examples=500, deadline=None)
def test_any_pieces_of_the_language(text):
    check("model M\n" + text + "\nend\n")


@given(st.integers(0, len(MODEL)), st.integers(0, 12), st.sampled_from(["", " ", "\n", *PIECES]))
@settings(max_examples=500, deadline=None)
def test_any_change_of_a_model(place, length, piece):
    check(MODEL[:place] + piece + MODEL[place + length :])


@pytest.mark.parametrize(
    "unit", ["(", "[", "{", '"', "-", "x=(\n", "model A\n", "end\n", "(]", "if a then ", "a<", "$"]
)
def test_much_of_the_same(unit):
    check("model M\n" + unit * 3000)
    check(unit * 3000)
