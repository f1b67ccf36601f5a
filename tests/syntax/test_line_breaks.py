"""Where a statement goes on in the next line: the rules one by one, the listings of the paper, and random breaks in
random models.

Run large: `python -m syntax.test_line_breaks 20000 [seed]` in `tests`.
"""

import sys

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from syntax.test_print import trees, without_spans

from cutset.compiler.diagnostics import Source
from cutset.compiler.syntax.format import format_text
from cutset.compiler.syntax.grammar import lexer
from cutset.compiler.syntax.parse import parse
from cutset.compiler.syntax.print import print_tree

# As docs/language/text.md has it.
BEHIND = {
    ",", "=", ":=", ":", ".", "..", "+", "-", "*", "/", "^", "**", "<", "<=", ">", ">=", "==", "<>", "and", "or",
    "not", "to", "at", "par", "loop", "reversed", "for", "if", "then", "elseif", "else", "connect", "submodel",
    "node", "cut",
}  # fmt: skip
BEFORE = {
    ",", "=", ":=", ":", ".", "..", "+", "-", "*", "/", "^", "**", "<", "<=", ">", ">=", "==", "<>", "and", "or",
    "to", "at", "par", "loop", "then", "elseif", "else", "do",
}  # fmt: skip
ENDS_OPERAND = {"NAME", "NUMBER", "TEXT", "CLOSE", "CLOSE_SQUARE", "TRANSPOSE"}
HEADS = {"MAIN", "CUT", "SUBMODEL", "MODEL", "CLASS", "TYPE", "PARAMETER", "CONSTANT", "LOCAL", "TERMINAL", "INPUT",
    "OUTPUT", "DEFAULT", "EXTERNAL", "INTERNAL"}  # fmt: skip
STATEMENT_WORDS = {"MODEL", "FUNCTION", "END", "SUBMODEL", "MAIN", "CUT", "PATH", "NODE", "CONNECT", "WHILE", "WHEN",
    "ELSEWHEN", "INITIAL", "ASSERT", "TERMINATE"}  # fmt: skip


def can_break(statement, k):
    """May the line end in front of lexeme k of this statement, by the rules of the documentation?"""
    before, after = statement[k - 1], statement[k]
    first = statement[0].type
    depth = sum((x.text in "([") - (x.text in ")]") for x in statement[:k])
    if (
        first == "PATH"
        or statement[min(1, len(statement) - 1)].type == "PATH"
        or first == "INCLUDE"
        or after.type in STATEMENT_WORDS
    ):
        return False
    if depth:
        return True
    if before.text in BEHIND:
        # There a block begins.
        return not (before.text in ("then", "else") and first in ("IF", "ELSEIF", "WHEN", "ELSEWHEN", "ELSE"))
    if after.text in ("+", "-"):
        return before.type in ENDS_OPERAND
    if after.text in BEFORE:
        return after.type != "ELSEIF" or k > 0
    if before.type == "CLOSE":
        words = {x.type for x in outside(statement[:k])}
        return bool(words) and words <= HEADS
    return after.type == "TEXT" and first in HEADS


def outside(lexemes):
    """Those that stand in no bracket."""
    depth, found = 0, []
    for lexeme in lexemes:
        depth -= lexeme.text in ")]"
        if depth == 0 and lexeme.text not in "()[]":
            found.append(lexeme)
        depth += lexeme.text in "(["
    return found


@st.composite
def broken_texts(draw):
    """A tree, and a text of it with line breaks wherever the documentation allows them."""
    expected = draw(trees)
    often = draw(st.sampled_from([0.1, 0.5, 1.0]))
    chance = draw(st.randoms(use_true_random=False))
    text = ""
    statement = []
    for lexeme in [*lexer().read(Source("plain", print_tree(expected))), None]:
        if lexeme is not None and lexeme.type != "NEWLINE":
            statement.append(lexeme)
            continue
        for k, word in enumerate(statement):
            breaks = k and chance.random() < often and can_break(statement, k)
            text += ("\n" if breaks else " ") + word.text
        text += "\n"
        statement = []
    return expected, text


@given(broken_texts())
@settings(max_examples=12, deadline=None)
def test_breaks_change_nothing(case):
    broken_is_the_same(case)


def broken_is_the_same(case):
    expected, text = case
    assert without_spans(parse(Source("broken", text))) == expected
    laid_out = format_text(Source("broken", text))
    assert without_spans(parse(Source("laid out", laid_out))) == expected
    assert format_text(Source("laid out", laid_out)) == laid_out


def members(text):
    lines = print_tree(parse(Source("test.mo", f"model M\n{text}\nend\n"))).splitlines()
    return [line.strip() for line in lines[1:-1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("submodel (Resistor)\n  R1(R=1),\n  R2", ["submodel (Resistor) R1(R=1), R2"]),
        ("submodel (Inertial) i\n  (ng3=1, g=9.81)", ["submodel (Inertial) i(ng3=1, g=9.81)"]),
        ("submodel (R) r\n  if big", ["submodel (R) r if big"]),
        ("submodel (R) r\n(a + b) = c", ["submodel (R) r", "a + b = c"]),
        ("submodel (R) r\nif a then\n x = 1\nendif", ["submodel (R) r", "if a then", "x = 1", "endif"]),
        ("main cut (Flange)\n A (phi / tau)", ["main cut (Flange) A (phi / tau)"]),
        ("parameter R\n (unit=\"Ohm\")\n = 5\n \"resistance\"", ['parameter R (unit="Ohm") = 5 "resistance"']),
        ("local x\n-x = y", ["local x", "-x = y"]),
        ("local x\n[x, y] = z", ["local x", "[x, y] = z"]),
        ("parameter a = 3\n  - 2, b = 4", ["parameter a = 3 - 2, b = 4"]),
        ("parameter a = 3\n-b = c", ["parameter a = 3", "-b = c"]),
        ("connect R1\n at (n1, n2), R2\n at n0", ["connect R1 at (n1, n2), R2 at n0"]),
        ("connect a\n to b\n par c\n to d", ["connect a to b par c to d"]),
        ("connect c(k) to d(k)\n for k = 1..3", ["connect c(k) to d(k) for k = 1..3"]),
        ("connect a to b\nfor k = 1..3\n do\n x(k) = "
         "1\nendfor", ["connect a to b", "for k = 1..3 do", "x(k) = 1", "endfor"]),
        ("x = a\n - b\n - c\n-z = w", ["x = a - b - c", "-z = w"]),
        ("x\n - y = z", ["x - y = z"]),
        ("x\n - y\n = z", ["x - y = z"]),
        ("x = y\n-z\n = w", ["x = y", "-z = w"]),
        ("x = a\n + b*\n c\n * d", ["x = a + b*c*d"]),
        ("x = a\n and b\n or c\n < d", ["x = a and b or c < d"]),
        ("x = if a then 1\n elseif b then 2\n else 3", ["x = if a then 1 elseif b then 2 else 3"]),
        ("x = if a then 1\n else if b then 2\n else 3", ["x = if a then 1 else if b then 2 else 3"]),
        ("if p then\n x = if a then 1 else 2\nelse\n x = "
         "3\nendif", ["if p then", "x = if a then 1 else 2", "else", "x = 3", "endif"]),
        ("if a then b\n else c = d", ["if a then b else c = d"]),
        ("if a then b else c =\n if\n a\n then b\n elseif c\n then d\n else "
         "c", ["if a then b else c = if a then b elseif c then d else c"]),
        ("x = (a\n - b)", ["x = a - b"]),
        ("assert x > 0\n - y\n , \"small\"", ['assert x > 0 - y, "small"']),
    ],
)  # fmt: skip
def test_rule(text, expected):
    assert members(text) == expected


def test_headers_go_on_behind_their_brackets():
    text = 'model class (TwoPin)\n  Resistor\n  "a part"\nend\nfunction f(x)\n  result y\n  y := x\n    - 1\nend\n'
    printed = print_tree(parse(Source("headers", text)))
    assert 'model class (TwoPin) Resistor "a part"' in printed
    assert "function f(x) result y" in printed and "y := x - 1" in printed


# The listings of Otter, Elmqvist and Cellier, with the line breaks that they are printed with.
DOUBLE_PENDULUM = """
model DoublePendulum
    submodel (Inertial) i
                            (ng3=1, g=9.81)
    submodel (Revolute) r1 (n2=1), r2 (n2=1)
    submodel (Bar)
                          b1 (r3=0.5), b2 (r3=0.4)
    submodel (Bar)
                          b3 (r3=1.3)
    submodel (Body)
                         m1 (m=1, r3=0.25)
    submodel (Body)
                          m2 (m=1, r3=0.2)
    submodel (Spring)
                          s
                             (c=1, s0=0.5)
    connect i to r1 to b1 to r2 to b2, i to b3,
             r1 to m1, r2 to m2, s at (b3:b,b2:b)
end
"""
ROBOT = """
model class R3mbs
    submodel (Inertial) i(ng3=-1, g=9.81)
    submodel (Revolute) r1(n3=1), r2(n1=1), r3(n1=1)
    submodel (Revolute) r4(n3=1), r5(n1=1), r6(n3=1)
    submodel (Bar)
                         b3(r3=0.5), b5(r3=0.73), bL(r1=rL1,r2=rL2,r3=rL3)
    submodel (Body)
                         m1(I33=1.16)
    submodel (Body)
                         m2(m=56.5, r1=0.172, r3=0.205,
                             I11=2.58, I22=2.73, I33=0.64, I31=-0.46)
    submodel (Body)
                         load(m=mL)
    parameter mL=0, rL1=0, rL2=0, rL3=0
    cut j1, j2, j3, j4, j5, j6
    connect i to r1 to r2 to b3 to r3 to r4 to b5 to r5 to r6 to bL,
             m1 at r1:b, j1 at r1:ext,
             m2 at r2:b, j2 at r2:ext,
             load at bL:b, j6 at r6:ext
end
"""


@pytest.mark.parametrize(("listing", "submodels"), [(DOUBLE_PENDULUM, 9), (ROBOT, 13)])
def test_listings_of_the_paper(listing, submodels):
    (model,) = parse(Source("paper", listing)).classes
    declared = [
        item
        for member in model.members
        for item in getattr(member, "items", ())
        if type(item).__name__ == "SubmodelItem"
    ]
    assert len(declared) == submodels
    assert format_text(Source("paper", format_text(Source("paper", listing)))) == format_text(Source("paper", listing))


if __name__ == "__main__":
    count, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    large = settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    seed(first)(large(given(broken_texts())(broken_is_the_same)))()
    print(f"{count} models, no difference")
