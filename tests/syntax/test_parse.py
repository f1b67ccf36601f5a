"""What the parser makes of each construct, and where statements end."""

import pytest
from work_counts import calls_of

from cutset.compiler.diagnostics import ModelError, Source
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.parse import as_name, parse
from cutset.compiler.syntax.print import print_expression, print_tree


def read(text):
    return parse(Source("test.mo", text))


def members(text):
    return read(f"model M\n{text}\nend\n").classes[0].members


def printed(text):
    """The members in canonical form, one per line."""
    return [line.strip() for line in print_tree(read(f"model M\n{text}\nend\n")).splitlines()[1:-1]]


def expression(text):
    return members(f"x = {text}")[0].right


def grouping(e):
    """The expression with every grouping in brackets, as the tree has it."""
    match e:
        case tree.Binary():
            return f"({grouping(e.left)}{e.operator}{grouping(e.right)})"
        case tree.Unary(operator="'"):
            return f"({grouping(e.operand)}')"
        case tree.Unary():
            return f"({e.operator} {grouping(e.operand)})"
        case tree.Conditional():
            branches = " ".join(f"{grouping(c)}?{grouping(v)}" for c, v in e.branches)
            return f"({branches} : {grouping(e.otherwise)})"
        case _:
            return print_expression(e)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + b*c - d/e", "((a+(b*c))-(d/e))"),
        ("a - b - c", "((a-b)-c)"),
        ("a/b*c", "((a/b)*c)"),
        ("a^b^c", "(a^(b^c))"),
        ("a**b", "(a^b)"),
        ("-a^2", "(- (a^2))"),
        ("-a*b", "((- a)*b)"),
        ("-a + b", "((- a)+b)"),
        ("a*-b", "(a*(- b))"),
        ("a - -b", "(a-(- b))"),
        ("a^-b^c", "(a^(- (b^c)))"),
        ("a*b'", "(a*(b'))"),
        ("a^b'", "(a^(b'))"),
        ("a''", "((a')')"),
        ("-a'", "(- (a'))"),
        ("not a == b and c or d", "(((not (a==b))andc)ord)"),
        ("not not a", "(not (not a))"),
        ("a < b + 1", "(a<(b+1))"),
        ("(a < b) == (c > d)", "((a<b)==(c>d))"),
        ("if a then b else c + d", "(a?b : (c+d))"),
        ("if a then if b then c else d elseif e then f else g", "(a?(b?c : d) e?f : g)"),
        ("if a then b elseif c then d else e", "(a?b c?d : e)"),
        ("a*(if b then c else d)", "(a*(b?c : d))"),
    ],
)
def test_precedence(text, expected):
    assert grouping(expression(text)) == expected


def test_numbers():
    values = {"1": 1.0, "1.5": 1.5, "1.": 1.0, ".5": 0.5, "1e-6": 1e-6, "2.5E+3": 2500.0, "1.e2": 100.0, "007": 7.0}
    assert {text: expression(text).value for text in values} == values


def test_range_does_not_eat_the_point_of_a_number():
    (argument,) = expression("y(1..3)").parts[0].arguments
    assert (argument.start.value, argument.stop.value) == (1.0, 3.0)
    (argument,) = expression("y(1.5...5)").parts[0].arguments
    assert (argument.start.value, argument.stop.value) == (1.5, 0.5)


def test_references_and_indices():
    e = expression("robot.r(2).q(1..n, :, k + 1)")
    assert [part.name for part in e.parts] == ["robot", "r", "q"]
    assert [type(a) for a in e.parts[2].arguments] == [tree.Range, tree.Everything, tree.Binary]
    assert e.parts[0].arguments is None
    assert expression("f()").parts[0].arguments == ()
    assert expression('f("a", 1)').parts[0].arguments[0].value == "a"


def test_matrices():
    assert [len(row) for row in expression("[1, 2; 3, 4; 5, 6]").rows] == [2, 2, 2]
    assert len(expression("[\n1,\n2;\n3, 4\n]").rows) == 2


def test_class_headers():
    text = """model class A "a class"
    end
    model type B
    end
    model class (A) C
    end
    model (A, B) D "an object"
    end
    model E
    end"""
    described = [
        (c.name, c.is_object, [parent.name for parent in c.supers], c.documentation) for c in read(text).classes
    ]
    assert described == [
        ("A", False, [], "a class"),
        ("B", False, [], ""),
        ("C", False, ["A"], ""),
        ("D", True, ["A", "B"], "an object"),
        ("E", True, [], ""),
    ]


def test_includes():
    text = '@r3.lib\n@rotational\n@"some folder/a-b.mo"\n@a.b.c; model M\nend\n@input\n@library.mo'
    assert [include.name for include in read(text).includes] == [
        "r3.lib",
        "rotational",
        "some folder/a-b.mo",
        "a.b.c",
        "input",
        "library.mo",
    ]


def test_variables():
    (declaration,) = members('parameter a, I(3,n), C (unit="F", min=0) = 1e-6 "doc", T(6,6)(symmetric, start=0)')
    a, i, c, t = declaration.items
    assert declaration.kind == "parameter"
    assert (a.dimensions, a.attributes, a.value, a.documentation) == ((), (), None, "")
    assert (len(i.dimensions), i.attributes) == (2, ())
    assert (c.dimensions, [x.name for x in c.attributes], c.value.value, c.documentation) == (
        (),
        ["unit", "min"],
        1e-6,
        "doc",
    )
    assert (len(t.dimensions), [(x.name, x.value is None) for x in t.attributes]) == (
        2,
        [("symmetric", True), ("start", False)],
    )


def test_bare_symmetric_is_an_attribute_and_any_other_bare_name_a_dimension():
    (declaration,) = members("local a(symmetric), b(n)")
    assert [(len(item.dimensions), len(item.attributes)) for item in declaration.items] == [(0, 1), (1, 0)]


@pytest.mark.parametrize("kind", ["parameter", "constant", "local", "terminal", "input", "output"])
def test_kinds_of_variables(kind):
    assert members(f"{kind} x")[0].kind == kind


def test_submodels():
    (declaration,) = members('submodel (Body) a, b(p = 1, q = 2*k) "the second"')
    assert declaration.class_reference.name == "Body"
    a, b = declaration.items
    assert (a.name, a.bindings, a.documentation) == ("a", (), "")
    assert ([binding.name for binding in b.bindings], b.documentation) == (["p", "q"], "the second")
    c, d, e = members('submodel (Body) c(6), d(n)(p = 1) "array", e(p = 1)')[0].items
    assert [(len(item.dimensions), len(item.bindings)) for item in (c, d, e)] == [(1, 0), (1, 1), (0, 1)]


def test_cuts():
    text = 'cut a (v / i), b (V / -i, .), c (q(start=q0), T(3,3) / ), d (/ f), e, f "bare", g (. / I(6,6)(symmetric))'
    a, b, c, d, e, f, g = members(text)[0].items
    assert [(entry.name, entry.sign) for entry in a.across + a.through] == [("v", 1), ("i", 1)]
    assert [(entry.name, entry.sign) for entry in b.through] == [("i", -1), ("", 1)]
    assert ([len(entry.dimensions) for entry in c.across], c.across[0].attributes[0].name) == ([0, 2], "start")
    assert c.through == ()
    assert (d.across, d.through[0].name) == ((), "f")
    assert (e.across, e.through, e.parts) == (None, None, None)
    assert f.documentation == "bare"
    assert (g.across[0].name, len(g.through[0].dimensions), g.through[0].attributes[0].name) == ("", 2, "symmetric")


def test_hierarchical_cuts_paths_and_nodes():
    a, b, c, d, e = members(
        "main cut C [A B, sub:D]\ncut E [A]\nmain path P <A - B>\npath Q < a - b - c:d >\nnode n, m"
    )
    assert (a.main, [len(part.parts) for part in a.items[0].parts], a.items[0].across) == (True, [1, 1, 2], None)
    assert (b.main, len(b.items[0].parts)) == (False, 1)
    assert (c.main, c.name, [point.parts[0].name for point in c.cuts]) == (True, "P", ["A", "B"])
    assert (d.main, len(d.cuts), len(d.cuts[2].parts)) == (False, 3, 2)
    assert [item.name for item in e.items] == ["n", "m"]


def test_connections():
    (connect,) = members("connect C at (n1, n2), X at n,\n  a:b at c(2):d, A to n9 to B:c, lonely")
    placed, at, cut, chain, lonely = connect.connections
    assert [target.parts[0].name for target in placed.targets] == ["n1", "n2"]
    assert (at.link.parts[0].name, len(at.targets)) == ("X", 1)
    assert (len(cut.link.parts), cut.targets[0].parts[0].arguments[0].value) == (2, 2.0)
    assert [len(point.parts) for point in chain.links] == [1, 1, 2]
    assert isinstance(lonely, tree.PointReference)


def test_for():
    outer, connect = members(
        "for k = 1..n do\n for j = 1..2 do; connect A to B;endfor\n x(k) = 1\nendfor\nconnect c(k) at n for k = 1..2 "
        "for j = 1..k, a to b"
    )
    inner, equation = outer.members
    assert (outer.index.name, inner.index.name, len(inner.members)) == ("k", "j", 1)
    assert isinstance(equation, tree.Equation)
    repeated, chain = connect.connections
    assert ([index.name for index in repeated.indices], type(repeated.connection)) == (["k", "j"], tree.Placement)
    assert isinstance(chain, tree.Chain)


def links(link):
    """The connection with every grouping in brackets, as the tree has it."""
    match link:
        case tree.PointReference():
            return link.parts[0].name
        case tree.Reversed():
            return f"(reversed {links(link.link)})"
        case tree.Loop():
            return f"({links(link.first)} loop {links(link.second)})"
        case tree.Placement():
            return f"{links(link.link)} at {len(link.targets)}"
    word = " to " if isinstance(link, tree.Chain) else " par "
    return f"({word.join(links(part) for part in link.links)})"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a to b par c to d", "(a to (b par c) to d)"),
        ("(a to b) par c", "((a to b) par c)"),
        ("reversed a par b", "((reversed a) par b)"),
        ("reversed (a par reversed b)", "(reversed (a par (reversed b)))"),
        ("a to b loop c to\n d", "((a to b) loop (c to d))"),
        ("(a loop b) to c", "((a loop b) to c)"),
        ("((a))", "a"),
        ("a par b at (n, m)", "(a par b) at 2"),
        ("(a to reversed\n b) at n", "(a to (reversed b)) at 1"),
    ],
)
def test_precedence_of_connections(text, expected):
    assert links(members(f"connect {text}")[0].connections[0]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = b; c = d;; e = f", ["a = b", "c = d", "e = f"]),
        ("a = b +\n c", ["a = b + c"]),
        ("a =\n\n { comment }\n b", ["a = b"]),
        ("a = (b\n + c)", ["a = b + c"]),
        ("a = b\n-c = d", ["a = b", "-c = d"]),
        ("a = b\n(c) = d", ["a = b", "c = d"]),
        ("a = f(b,\n c)", ["a = f(b, c)"]),
        ("a = b # comment, with ( and {\nc = d", ["a = b", "c = d"]),
        ("a = { over\n lines } b { again\n } \n c = d", ["a = b", "c = d"]),
        ("a = if b then\n c else\n d", ["a = if b then c else d"]),
        ("a = [1;\n 2]; b = c", ["a = [1; 2]", "b = c"]),
        ("parameter\n a,\n b", ["parameter a, b"]),
        ("main\n cut A (v / i)", ["main cut A (v / i)"]),
        ("connect a to\n b, c at\n d", ["connect a to b, c at d"]),
        ("main path P <A - B>\na = b", ["main path P <A - B>", "a = b"]),
        ("path P <A -\n B\n >\na = b", ["path P <A - B>", "a = b"]),
        ("a = b'\nc = d", ["a = b'", "c = d"]),
        ('local a "doc"\nb = a', ['local a "doc"', "b = a"]),
    ],
)
def test_ends_of_statements(text, expected):
    assert printed(text) == expected


def test_few_words_are_reserved():
    assert printed(
        "start = unit + min + max + state + der(new) + init(time) + result + symmetric + as + endurance"
    ) == ["start = unit + min + max + state + der(new) + init(time) + result + symmetric + as + endurance"]


# --- sizes ---


def test_long_sums_and_many_statements_need_no_recursion():
    terms = " + ".join(f"a*x{k}" for k in range(3000))
    text = f"model M\nx = {terms}\n" + "a = b\n" * 3000 + "end\n"
    assert print_tree(read(text)).split("\n")[1] == f"  x = {terms}"


@pytest.mark.parametrize(
    "deep",
    [
        "1\n" + "for k = 1..2 do\n" * 5000 + "endfor\n" * 5000,
        "(" * 5000 + "x" + ")" * 5000,
        "-" * 5000 + "x",
        "x" + "'" * 5000,
        "f(" * 190 + "x" + ")" * 190,
        "x^" * 5000 + "x",
    ],
)
def test_deep_nesting_is_an_error(deep):
    with pytest.raises(ModelError, match=r"E112.*nested too deeply; the limit is 200 levels"):
        expression(deep)


def test_moderate_nesting_is_none():
    assert print_expression(expression("(" * 150 + "x" + ")" * 150)) == "x"
    assert print_expression(expression("f(" * 90 + "x" + ")" * 90)).count("f(") == 90


def test_work_grows_as_the_text_does():
    def work(lines: int) -> int:
        text = "model M\n" + "  x1(2) = a*der(b) + (c - d)/e^2 { with a comment }\n" * lines + "end\n"
        return calls_of(lambda: read(text))

    work(10)  # loads the parser
    # 607 calls for each line of 18 words.
    assert work(1200) < 2.02 * work(600) < 700 * 1200


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("x = A'*B'", "x = A'*B'"),
        ("x = A '*B '", "x = A'*B'"),
        ("x = A {1} '*B {2} '", "x = A'*B'"),
        ("x = [a, b '*c, d ']", "x = [a, b'*c, d']"),
        ("x = (a\n'*b)' + c", "x = (a'*b)' + c"),
        ("x = 'a b''*'c d' '*'e f'", "x = 'a b''*'c d''*'e f'"),
        ("x = a\n'y z' = 3*'a'", "x = a; 'y z' = 3*a"),
        ("local (R) 'x,y' (start=A '*B ')", "local (R) 'x,y' (start=A'*B')"),
        ("main cut (single 'Pin') 'a' ('V+' / 'i')", "main cut (single Pin) a ('V+' / i)"),
    ],
)
def test_a_quote_begins_a_name_where_it_does_not_transpose(text, wanted):
    assert "; ".join(printed(text)) == wanted


def test_a_quote_behind_a_dimension_transposes() -> None:
    (f,) = read("function f() result a(0 ' ')\nend\n").functions
    assert [print_expression(each) for each in f.result.dimensions] == ["0''"]


def test_names_of_functions_and_their_arguments_have_quotes():
    (f,) = read("function 'f 1'((Real) 'x y', 'z') result 'r s'\n  'r s' := 'x y'\nend\n").functions
    assert (f.name, [a.name for a in f.arguments], f.result.name) == ("'f 1'", ["'x y'", "z"], "'r s'")


@pytest.mark.parametrize("text", ["node", "time", "3V3", "x*/", "Net-(R1.1)", "a{0}", "b#", "ä ö"])
def test_any_text_as_a_name_is_one_name(text):
    name = as_name(text)
    (item,) = members(f"local {name} # {text}")[0].items
    assert item.name == name == f"'{text}'" and as_name(name) == name


@pytest.mark.parametrize("text", ["", "a'b", 'a"b', "a\\b", "a\nb", "a\u202eb", "x" * 300])
def test_what_no_name_can_have(text):
    assert as_name(text) == "" and as_name("ok_1") == as_name("'ok_1'") == "ok_1"
