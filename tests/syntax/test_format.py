"""The layout keeps the tree, every word and every comment, on random trees and comments, and is its own layout."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syntax.test_print import trees, without_spans

from cutset.compiler.diagnostics import ModelError, Source
from cutset.compiler.syntax.format import format_text
from cutset.compiler.syntax.grammar import lexer
from cutset.compiler.syntax.layout import WIDTH
from cutset.compiler.syntax.lexemes import COMMENTS, without_comments
from cutset.compiler.syntax.parse import parse
from cutset.compiler.syntax.print import print_tree

ROOT = Path(__file__).parents[2]

gaps = st.sampled_from([" ", " ", "   ", "\t", "{ c }", " { two\n     lines } "])
gaps_behind_commas = gaps | st.sampled_from(
    ["\n", "  # c\n", " { c }\n", "\n  # own line\n", "\n\n   { own\n  lines }\n"]
)
ends = st.sampled_from(
    [
        "\n",
        "\n",
        "\n\n\n",
        "  # c\n",
        "{ c } # d\n",
        " ; ",
        ";{ c }",
        "\n # own line\n\n",
        "\n\n\n{ own\n\n     lines  \n }\n\n",
    ]
)


@st.composite
def commented_texts(draw):
    """A tree, and a text of it with comments and line breaks strewn in."""
    expected = draw(trees)
    text = draw(st.sampled_from(["", "# c\n\n", "{ c } "]))
    for lexeme in lexer().read(Source("plain", print_tree(expected))):
        if lexeme.type == "NEWLINE":
            text += draw(ends)
        else:
            text += lexeme.text + draw(gaps_behind_commas if lexeme.type == "COMMA" else gaps)
    return expected, text


def words(text):
    """Everything but comments and what separates statements."""
    return [x.text for x in lexer().read(Source("", text)) if x.type not in ("NEWLINE", "SEMICOLON")]


def comments(text):
    found = [x.text for x in lexer().read(Source("", text), with_comments=True) if x.type in COMMENTS]
    return [" ".join(comment.split()) for comment in found]


@given(commented_texts())
@settings(max_examples=15, deadline=None)
def test_layout_of_random_texts(case):
    expected, text = case
    formatted = format_text(Source("random", text))
    assert without_spans(parse(Source("formatted", formatted))) == expected
    assert words(formatted) == words(text)
    assert comments(formatted) == comments(text)
    assert format_text(Source("formatted", formatted)) == formatted
    assert all(line == line.rstrip() for line in formatted.splitlines())


def formatted(text):
    result = format_text(Source("text", text))
    assert format_text(Source("text", result)) == result
    return result


def test_signs_are_no_tolerance():
    text = "model class C\n  parameter k = +-3, m = 2*+-1 +- 5 %\n  submodel (D) d(k=+-0)\nend\n"
    assert formatted(text).count("+-") == 4


def test_whole_layout():
    text = """
{ What it is.
  More of it. }
@electrical
model class (TwoPin)Diode   "a diode" # not yet in the library

   parameter   Is(unit = "A")=1e-12 ,Vt( unit="V" ) = 0.025
   local x(3)(start = 0), J (3 ,3)( symmetric ), v
   { over
       lines }
   cut A(Va/i),B ( Vb/- i )
   main cut W[A,B];  main path P<A-B>


   i=Is*( exp( u / Vt )-1 ) { law }
   x(1 .. 3)=-v*[ 1,2;3 , 4 ]'* cross( a,b ) ** 2   # a turn
   # the last word

end
model M
submodel(Diode)d1( Is = 2 ),d2
connect d1:A at(d2 : A,n1), d1 to
  d2
end
"""
    expected = """\
{ What it is.
  More of it. }
@electrical

model class (TwoPin) Diode "a diode"  # not yet in the library
  parameter Is (unit="A") = 1e-12, Vt (unit="V") = 0.025
  local x(3)(start=0), J(3,3)(symmetric), v
  { over
      lines }
  cut A (Va / i), B (Vb / -i)
  main cut W [A, B]
  main path P <A - B>

  i = Is*(exp(u/Vt) - 1)                     { law }
  x(1..3) = -v*[1, 2; 3, 4]'*cross(a, b)**2  # a turn
  # the last word
end

model M
  submodel (Diode) d1(Is=2), d2
  connect d1:A at (d2:A, n1), d1 to
          d2
end
"""
    assert formatted(text) == expected


def test_long_lines_are_broken_behind_commas():
    items = ", ".join(f"resistor_{k}(R={k}, tolerance=0.05)" for k in range(8))
    matrix = "; ".join(", ".join(f"element_{i}{j}*factor" for j in range(3)) for i in range(4))
    result = formatted(f"model M\nsubmodel (Resistor) {items}\nT = [{matrix}]\nend\n").splitlines()
    assert max(map(len, result)) <= WIDTH
    assert result[1].startswith("  submodel (Resistor) resistor_0(") and result[1].endswith("),")
    assert {len(line) - len(line.lstrip()) for line in result[2:4]} == {len("  submodel (Resistor) ")}
    rows = [line for line in result if "element" in line]
    assert [line.index("element") for line in rows] == [len("  T = [")] * 4
    assert all(line.endswith(";") for line in rows[:-1])


def test_a_line_without_a_place_to_break_stays_long():
    equation = "x = " + "*".join(f"variable_{k}" for k in range(20))
    assert formatted(f"model M\n  {equation}\nend\n").splitlines()[1] == f"  {equation}"


LONG = """model M
  parameter d (unit="s/m", min=0) = 0 "share by which the force grows with the velocity of penetration in it"
  parameter v_small (unit="m/s", min=1e-300) = 1e-3 "velocity beyond which sliding has its own direction, not its first"
  local along(3)(unit="m/s"), speed (unit="m/s") "direction of sliding, also at velocity zero, and its length in it"
  friction = if not contact then zeros(3) elseif sliding then -mu*N/speed*along else -noevent(min(1, limit/load))*hold
  growth = -N*(exponent*vn/noevent(max(depth, 1e-300)) + d/noevent(max(1 - d*vn, 1e-300))*der(vn)) - other_force
  begins = mode == Mode.Stuck and (held < -fmax or started and kept < -f0) or v_down < -v_small or mode == Mode.Unknown
  [a.q, b.q] = combined(first_of_many(one_argument, another_argument), second_of_many(one_argument, -another_argument))
  x = if a then first_result(one_argument, another) + second_result(one_argument, another_argument_of_it) - 1 else last
end
"""
BROKEN = """model M
  parameter d (unit="s/m", min=0) = 0 "share by which the force grows with the velocity of penetration in it"
  parameter v_small (unit="m/s", min=1e-300) = 1e-3
            "velocity beyond which sliding has its own direction, not its first"
  local along(3)(unit="m/s"), speed (unit="m/s") "direction of sliding, also at velocity zero, and its length in it"
  friction = if not contact then zeros(3) elseif sliding then -mu*N/speed*along
             else -noevent(min(1, limit/load))*hold
  growth = -N*(exponent*vn/noevent(max(depth, 1e-300)) + d/noevent(max(1 - d*vn, 1e-300))*der(vn)) -
           other_force
  begins = mode == Mode.Stuck and (held < -fmax or started and kept < -f0) or v_down < -v_small or
           mode == Mode.Unknown
  [a.q, b.q] = combined(first_of_many(one_argument, another_argument),
                        second_of_many(one_argument, -another_argument))
  x = if a then
      first_result(one_argument, another) + second_result(one_argument, another_argument_of_it) - 1
      else last
end
"""


def test_the_line_of_a_condition_ends_with_then():
    condition = "if long_name_of_a_state > another_long_name then first_condition_of_all else second_condition_of_all"
    lines = formatted(
        f"model M\n  when {condition} or yet_another_long_condition then\n    new(x) = 1\n  endwhen\nend\n"
    )
    assert [line.strip() for line in lines.splitlines()][1:4] == [
        f"when {condition} or", "yet_another_long_condition then", "new(x) = 1",
    ]  # fmt: skip


def test_long_statements_are_broken_where_they_can_be_read():
    """Outside of parentheses before inside, and a string stays with what it documents."""
    longer = "its first", "the first one that it had"
    assert formatted(LONG.replace(*longer)) == BROKEN.replace(*longer)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("# only\n\n\n\n# comments\n", "# only\n\n# comments\n"),
        ("model M;x=1;{ c }y=2;end", "model M\n  x = 1\n  { c } y = 2\nend\n"),
        ("model M\nx = v(1. ..3)\nend", "model M\n  x = v(1. ..3)\nend\n"),
        ("model M\nx = f(a, { why }\nb)\nend", "model M\n  x = f(a,  { why }\n        b)\nend\n"),
        ("model M\nx = if not(a<b)then-1 else+2\nend", "model M\n  x = if not (a < b) then -1 else +2\nend\n"),
        ("model M\ncut A(V/.),B(./i(3))\nend", "model M\n  cut A (V / .), B (. / i(3))\nend\n"),
    ],
)
def test_small_texts(text, expected):
    assert formatted(text) == expected


def test_errors_are_those_of_the_parser():
    with pytest.raises(ModelError, match=r"error\[E107\]"):
        format_text(Source("wrong", "model M\n  x = 1 2\nend\n"))


# Those in models/paper are as they were printed.
OURS = [
    path for folder in ("stdlib", "models") for path in (ROOT / folder).rglob("*.mo") if path.parent.name != "paper"
]


@pytest.mark.parametrize("path", sorted(OURS), ids=lambda p: str(p.relative_to(ROOT)))
def test_our_own_models_have_the_layout(path):
    text = path.read_text(encoding="utf-8")
    assert format_text(Source(path.name, text)) == text


def test_what_is_read_with_comments_and_without():
    text = '# a\n\nmodel M { b\n } # c\n  # d\n  local x # e\n\n  { f } x = 1 { g }\n# h\n@"a.mo" # i\nend # j'
    source = Source("", text)
    assert without_comments(lexer().read(source, with_comments=True)) == lexer().read(source)
    assert len(lexer().read(source, with_comments=True)) > len(lexer().read(source)) + 9
