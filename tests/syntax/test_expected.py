"""What a message says was expected: the words of the language, at each kind of place."""

import pytest

from cutset.compiler.diagnostics import ModelError, Source
from cutset.compiler.syntax.parse import parse

PLACES = [
    ("x = ", "an expression"),
    ("x = (", "is not closed"),
    ("x = 1 +", "an expression"),
    ("x = a.", "a name"),
    ("x = f(1,)", "an expression"),
    ("x = if a", "an operator or 'then'"),
    ("x = if a then 1", "'else'"),
    ("x", "an operator or '='"),
    ("x = 1 2", "an operator or the end of the line"),
    ("local", "a name"),
    ("local x y", "',', '=', a string or the end of the line"),
    ("parameter R = ", "an expression"),
    ("submodel R", "'('"),
    ("submodel (R)", "a name"),
    ("cut", "a name"),
    ("cut A (v", "is not closed"),
    ("cut A (v / i", "is not closed"),
    ("main x", "'cut' or 'path'"),
    ("main path P A", "'<'"),
    ("main path P <A>", "'-'"),
    ("node", "a name"),
    ("connect", "a name"),
    ("connect a b", "'at'"),
    ("connect a to", "a name"),
    ("connect a at", "a name"),
    ("for", "a name"),
    ("for k", "'='"),
    ("for k = 1", "'..'"),
    ("for k = 1..3", "'do'"),
    ("if a", "'then'"),
    (") = 1", "closes no bracket"),
]


@pytest.mark.parametrize(("statement", "expected"), PLACES)
def test_what_was_expected(statement, expected):
    with pytest.raises(ModelError) as caught:
        parse(Source("a.mo", f"model M\n{statement}\nend\n"))
    first = caught.value.diagnostics[0]
    assert expected in first.message
    # Names of the grammar's terminals are nobody's words.
    assert not any(word.isupper() and len(word) > 1 for word in first.message.replace("'", " ").split())
