"""Tables in files: their numbers, what is wrong in them, and where files may be."""

from __future__ import annotations

import random

import pytest

import cutset
from cutset.compiler.instantiate.names.table_files import BadTable, read_row, read_table

PUMP = 'flow, head, "power"\n0, 5, 1\n\n1, 4.5, -.5\n# a remark\n2, 0, 2e+1\n'


def test_matrix_and_columns() -> None:
    assert read_table(PUMP, None).shape == (3, 3)
    assert read_table(PUMP, None).numbers == (0, 5, 1, 1, 4.5, -0.5, 2, 0, 20)
    assert read_table(PUMP, "power").numbers == (1, -0.5, 20)
    for text in ("1;2\n3;4\n", "1\t2\n3\t4\n", "1,2\r\n3,4\r\n"):
        assert (read_table(text, None).shape, read_table(text, None).numbers) == ((2, 2), (1, 2, 3, 4))
    assert read_table("7\n8\n", None).shape == (2, 1)


@pytest.mark.parametrize(
    "text, column, message",
    [
        ("", None, "is empty"),
        ("# only a remark\n", None, "is empty"),
        ("a,b\n", None, "has no line of numbers"),
        ("a,b\n1,2\n\n3\n", None, "has 1 entries in line 4, but 2 in line 1"),
        ("1,2\n3,x\n", None, "has 'x' in line 2, which is not a finite number"),
        ("1;2\n3;4,5\n", None, "'4,5' in line 2"),
        ("1,nan\n2,3\n4,inf", None, "'inf' in line 3"),
        ("1\n1e999\n", None, "'1e999' in line 2"),
        ("1,1_0\n2,2\n1_0,3", None, "'1_0' in line 3"),
        ("1,2\n3,4.2", None, "has a last line without an end, so that it may be cut off"),
        ("a,b,a\n1,2,3\n", "a", "has two columns with the name 'a'"),
        ("a,b\n1,2\n", "c", "has no column 'c': its columns are 'a', 'b'"),
        ("1,2\n", "a", "its first line has no names"),
        ("p [bar],p [psi]\n1,2\n", "p", "has two columns with the name 'p'"),
        ("1\n2\n" * 100_001, None, "has 200002 numbers; the limit is 200000"),
    ],
)
def test_what_is_wrong(text: str, column: str | None, message: str) -> None:
    with pytest.raises(BadTable) as caught:
        read_table(text, column)
    assert message in str(caught.value)


def test_heads_have_units(tmp_path) -> None:
    """The column of a bare name is in SI units, and checked; that of a whole head is as it is written."""
    text = "V [l/min],p [bar],T [degC],x[1]\n0,5,20,7\n60,4,-10,8\n"
    found = read_table(text, "V")
    assert found.numbers == pytest.approx((0.0, 1e-3), abs=0) and found.unit == "m3/s"
    assert read_table(text, "p").numbers == (5e5, 4e5) and read_table(text, "T").numbers == (293.15, 263.15)
    assert read_table(text, "p [bar]").numbers == (5, 4) and read_table(text, "x[1]").numbers == (7, 8)
    assert read_table(text, None).numbers[:4] == (0, 5, 20, 7) and not read_table(text, "p [bar]").unit
    (tmp_path / "pump.csv").write_text(text)
    model = 'model M\n  parameter p(2) (unit="{}") = table("pump.csv", "p")\n  local x\n  x = 1\nend\n'
    (tmp_path / "m.mo").write_text(model.format("Pa"))
    assert cutset.load(tmp_path / "m.mo").parameters["p(1)"] == 5e5
    (tmp_path / "m.mo").write_text(model.format("N"))
    with pytest.raises(cutset.ModelError, match="E247"):
        cutset.load(tmp_path / "m.mo")


def test_any_text_is_a_table_or_not() -> None:
    draw = random.Random(3)
    for _ in range(3000):
        text = "".join(draw.choice('01.,;e-"\n\t #a\0\r\x85é') for _ in range(draw.randrange(30)))
        try:
            table = read_table(text, None)
        except BadTable:
            continue
        assert len(table.numbers) == table.shape[0] * table.shape[1]


MODEL = """
function head(q) result h
  h := interp1(q, table("pump.csv", "flow"), table("pump.csv", "head"))
end

model class Pump
  parameter n = 2, T(n, 3)
  local y
  y = interp1(time, T(:, 1), T(:, 3))
end

model M
  submodel (Pump) p(n=size(table("pump.csv"), 1), T=table("pump.csv"))
  local h, k
  h = head(time)
  k = interp2(time, 1, table("map.csv"))
end
"""


@pytest.mark.parametrize("target", ["c", "python"])
def test_tables_in_models(target: str, write_model) -> None:
    path = write_model(MODEL)
    (path.parent / "pump.csv").write_text(PUMP)
    (path.parent / "map.csv").write_text("0;0;2\n0;1;2\n4;3;7\n")
    run = cutset.load(path).simulate(1.5, target=target)
    assert (run["h"][-1], run["p.y"][-1], run["k"][-1]) == pytest.approx((2.25, 9.75, 2.8125))


def test_a_changed_table_is_read_again(write_model, own_cache) -> None:
    path = write_model('model M\n  local y\n  y = interp1(time, table("t.csv"))\nend\n')
    for slope in (2, 3):
        (path.parent / "t.csv").write_text(f"0,0\n1,{slope}\n")
        assert cutset.load(path).simulate(2.0)["y"][-1] == 2 * slope


def test_files_outside_are_not_read(write_model, tmp_path_factory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.csv"
    outside.write_text("0,0\n1,0.8642097531\n")
    path = write_model("")
    (path.parent / "link.csv").symlink_to(outside)
    for name in (str(outside), f"../{outside.parent.name}/secret.csv", "link.csv"):
        path.write_text(f'model M\n  local y\n  y = interp1(time, table("{name}"))\nend\n')
        with pytest.raises(cutset.ModelError) as caught:
            cutset.load(path)
        assert caught.value.diagnostics[0].code == "E203" and "0.864209" not in str(caught.value)
    path.write_text('model M\n  local y\n  y = interp1(time, table("secret.csv"))\nend\n')
    assert cutset.load(path, library_path=[outside.parent]).simulate(1.0)["y"][-1] == 0.8642097531


MOTORS = """name,R [mOhm],k,maker
# small ones
RE 40,300,-.5,"maxon, CH"
12,2,3,own
13,,1,own
x,1e999,1,
B,1,2,3
B,1,2,3
"""


def test_rows_of_catalogs() -> None:
    """Numbers in SI units, texts, and what is wrong in the row that is asked for; other rows may be incomplete."""
    assert read_row(MOTORS, "RE 40") == {"R": (0.3, "Ohm"), "k": (-0.5, ""), "maker": ("maxon, CH", "")}
    assert read_row(MOTORS, "12")["R"] == (0.002, "Ohm")
    for row, message in (
        ("RE 4", "has no row 'RE 4': it has 'RE 40' and 5 more"),
        ("none", "it has 'RE 40', '12', '13', 'x', 'B', 'B'"),
        ("13", "has no value of 'R' in line 5"),
        ("x", "has '1e999' in line 6, which is not a finite number"),
        ("B", "has two rows with the name 'B', in lines 7 and 8"),
    ):
        with pytest.raises(BadTable) as caught:
            read_row(MOTORS, row)
        assert message in str(caught.value)
    for text, message in (("1,2\n", "no names of columns"), ("n,R\na,1", "last line"), ("n,R\na,1,2\n", "3 entries")):
        with pytest.raises(BadTable, match=message):
            read_row(text, "a")


def test_a_run_chooses_a_row(tmp_path, monkeypatch) -> None:
    """The row before the value of the class around it, a single value before the row."""
    (tmp_path / "motors.csv").write_text("name,R [mOhm],k\nRE 40,300,2\nRE 30,600,3\n")
    (tmp_path / "m.mo").write_text(
        """
model class Motor
  parameter R (unit="Ohm") = 1, k = 1
  terminal i
  i = k
end
model class Drive
  submodel (Motor) m(k=5)
end
model M
  parameter kind = "RE 40"
  submodel (Drive) a(m=row("motors.csv", kind)), b(m=row("motors.csv", kind), m.k=9)
  submodel (Motor) c(row("motors.csv", kind)), d(k=7, row("motors.csv", kind)), e(2)(row("motors.csv", kind))
end
"""
    )
    monkeypatch.chdir(tmp_path)
    model = cutset.load("m.mo")
    run, other = model.simulate(stop=1.0), model.simulate(stop=1.0, parameters={"kind": "RE 30"})
    assert [run[f"{each}.k"][0] for each in ("a.m", "b.m", "c", "d", "e(2)")] == [2, 9, 2, 7, 2]
    assert [other[f"{each}.k"][0] for each in ("a.m", "b.m", "c", "d", "e(2)")] == [3, 9, 3, 7, 3]
    assert [run["a.m.R"][0], other["d.R"][0]] == [0.3, 0.6]


@pytest.mark.parametrize(
    ("columns", "given", "code"),
    [
        ("motor.R", 'row("c.csv", "A")', "E223"),
        ("motor", 'row("c.csv", "A")', "E223"),
        ("nosuch.q", 'row("c.csv", "A")', "E223"),
        ("ratio", 'row("c.csv", names)', "E217"),
    ],
)
def test_no_column_of_a_catalog_is_ignored(tmp_path, columns: str, given: str, code: str) -> None:
    (tmp_path / "c.csv").write_text(f"name,{columns}\nA,3\nB,4\n")
    file = tmp_path / "m.mo"
    file.write_text(
        "model class Motor\n  parameter R = 1\n  terminal u\n  u = R\nend\n\n"
        "model class Drive\n  parameter ratio = 1\n  submodel (Motor) motor\nend\n\n"
        f'model M\n  constant names(2) = ["A", "B"]\n  submodel (Drive) d(2)({given})\nend\n'
    )
    with pytest.raises(cutset.ModelError) as caught:
        cutset.load(file)
    assert caught.value.diagnostics[0].code == code
