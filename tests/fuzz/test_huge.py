"""What is nested too deeply, too large or no text at all is refused with a message, soon and within a gigabyte."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from fuzz.outcome import check_error, lower_limits, within_limits

from cutset.compiler.codegen.emit import TARGETS
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.pipeline import compile_model, emit

# On a machine that does other things too.
SECONDS = 10.0


def lines(*texts: str) -> str:
    return "\n".join(texts) + "\n"


def in_model(*texts: str) -> str:
    return lines("model M", *texts, "end")


def with_x(expression: str) -> str:
    return in_model("local x", f"x = {expression}")


def blocks(opener: str, closer: str, levels: int = 2_000) -> str:
    return in_model("local x", *[opener] * levels, "x = 1", *[closer] * levels)


def nested_arrays() -> str:
    classes = [lines(f"model class C{k}", f"  submodel (C{k + 1}) a(1000)", "end") for k in range(3)]
    return "".join(classes) + lines("model class C3", "local x", "x = 1", "end") + in_model("submodel (C0) a")


def inheritance(levels: int) -> str:
    classes = [f"model class (C{k + 1}) C{k}\nend\n" for k in range(levels)]
    return "".join(classes) + lines(f"model class C{levels}", "local x", "x = 1", "end") + in_model("submodel (C0) a")


def doubling(first: str, step: str, count: int = 60) -> str:
    steps = [step.format(new=f"x{k}", old=f"x{k - 1}") for k in range(1, count + 1)]
    return in_model(first, *steps, "local y", f"y = x{count}*time")


def function(*body: str, head: str = "function f(x) result r") -> str:
    return lines(head, *body, "end")


def with_y(expression: str) -> str:
    return in_model("local y", f"y = {expression}")


def line_of_functions(count: int, value: str) -> str:
    """Each calls the next as `value` says, with {} for its name."""
    heads = [f"function f{k}(x) result r" for k in range(count + 1)]
    inner = [function("r := " + value.replace("{}", f"f{k + 1}"), head=heads[k]) for k in range(count)]
    return "".join(inner) + function("r := x*x", head=heads[count]) + with_y("f0(time)")


TWICE = function("if x > 30 then", "r := y", "else", "r := f(x + 1, 2*y) + f(x + 1, 2*y + 1)", "endif",
                 head="function f(x, y) result r")  # fmt: skip
LOOPS = [f"for k{j} = 1..10 do" for j in range(17)]


def class_parameters(count: int, inner: str) -> str:
    classes = [f"model class A{k} (class P = A{k + 1})\n{inner}\nend\n" for k in range(count)]
    return "".join(classes) + f"model class A{count}\nend\n" + in_model("submodel (A0) a")


def supers(count: int) -> str:
    """One class with so many supers, each with a class parameter and a submodel of that class."""
    classes = [f"model class S{k} (class P{k} = Q)\nsubmodel (P{k}) a{k}\nend\n" for k in range(count)]
    whole = f"model class ({', '.join(f'S{k}' for k in range(count))}) X\nend\n"
    return lines("model class Q", "local x", "x = 1", "end") + "".join(classes) + whole + in_model("submodel (X) x")


DEEP = {
    "brackets": with_x("(" * 10_000 + "1" + ")" * 10_000),
    "open brackets": with_x("(" * 10_000),
    "calls": with_x("sin(" * 10_000 + "1" + ")" * 10_000),
    "indices": with_x("x(" * 10_000 + "1" + ")" * 10_000),
    "matrices": with_x("[" * 10_000 + "1" + "]" * 10_000),
    "minus": with_x("-" * 10_000 + "1"),
    "not": with_x("not " * 10_000 + "1"),
    "powers": with_x("^".join(["1"] * 10_000)),
    "if": with_x("if 1 then " * 10_000 + "1" + " else 1" * 10_000),
    "else": with_x("if 1 then 1 else " * 10_000 + "1"),
    "for": blocks("for k = 1..2 do", "endfor"),
    "if blocks": blocks("if 1 then", "endif"),
    "when": blocks("when x > 1 then", "endwhen"),
    "links": in_model("node a, b", "connect " + "(" * 10_000 + "a to b" + ")" * 10_000),
    "reversed": in_model("node a", "connect " + "reversed " * 10_000 + "a to a"),
    "indices of a connection": in_model("node a", "connect a to a " + "for k = 1..2 " * 10_000),
    "derivatives": in_model("local x", "der(" * 10_000 + "x" + ")" * 10_000 + " = 1"),
}
LARGE = {
    "variables": in_model("local x(10000,10000)", "x(1,1) = 1"),
    "a dimension": in_model("local x(1000000000000)", "x(1) = 1"),
    "many arrays": in_model("local " + ", ".join(f"x{k}(1000,100)" for k in range(100))),
    "submodels": "model class C\nend\n" + in_model("submodel (C) a(1e12)"),
    "submodels of submodels": nested_arrays(),
    "rounds": in_model("local x", "for k = 1..1e12 do", "x = k", "endfor"),
    "rounds of "
    "rounds": in_model("local "
                       "x", *["for k = 1..10 do".replace("k", f"k{j}") for j in range(12)], "x = 1", *["endfor"] * 12),
    "rounds of a "
    "connection": in_model("node a, b", "connect a to b " + " ".join(f"for k{j} = 1..100" for j in range(6))),
    "a range backwards": in_model("local x(3)", "x(1..1e18) = x(1e18..1)"),
    "zeros": with_x("sum(zeros(1e6, 1e6))"),
    "ones": with_x("sum(ones(10000, 10000))"),
    "identity": with_x("sum(identity(1e6))"),
    "identity within its size": with_x("sum(identity(10000))"),
    "diagonal": with_x("sum(diagonal(ones(10000)))"),
    "a product": with_x("sum(ones(400,400)*ones(400,400))"),
    "an outer product": with_x("sum(ones(10000)*ones(1,10000))"),
    "blocks": with_x("sum(" + "[" * 40 + "ones(2,2)" + "".join(", {}]".format("ones(2,2)") for _ in range(40)) + ")"),
    "work in rounds": in_model("local x", "for k = 1..10000 do", "x = sum(ones(100,100))", "endfor"),
    "a power": in_model("constant k = 10^10^10", "local x", "x = k"),
    "a power of a variable": in_model("local x, y", "x = time", "y = x^1e9 + x^(-1e9) + x^1e300"),
    "a difference": in_model("constant k = 1e308 + 1e308", "local x", "x = k"),
    "an index": in_model("local x(3)", "x(1e300) = 1", "x(-1e300) = 1", "x(9223372036854775808) = x(1e15)"),
    "an order": in_model("local x", "der(x, 1e9) = 1"),
    "high derivatives": in_model("local x", "der(" * 40 + "x" + ")" * 40 + " = sin(x)"),
    "a name": with_x("x" * 1_000_000),
    "a number": with_x("1" * 1_000_000),
    "a text": in_model(f'local x "{"a" * 1_000_000}"', f'y "{"b" * 500_000}" = 1'),
    "a comment": "{" + "a" * 1_500_000 + "}" + with_x("1"),
    "a dotted name": with_x("a" + ".a" * 3_000),
    "a class in itself": "model class A\nsubmodel (A) a\nend\n" + in_model("submodel (A) a"),
    "a line of ancestors": inheritance(2_000),
    "products by two": doubling("parameter x0 = 3", "parameter {new} = {old} + {old}"),
    "squares": doubling("parameter x0 = 3", "parameter {new} = {old}*{old} + sin({old})"),
    "variables by two": doubling("local x0\nx0 = time", "local {new}\n{new} = {old}*{old} + sin({old})"),
    "a sum that contradicts": doubling("local x0\nx0 = time", "local {new}\n{new} = {old}*sin({old})") + in_model(
        "parameter p0 = 1", *[f"parameter p{k} = p{k - 1}*p{k - 1} + sin(p{k - 1})" for k in range(1, 30)],
        "local x, y", "x = y", "x = y + p29"),
    "a chain of parameters": in_model("parameter x0 = 3", *[f"parameter x{k} = x{k - 1} + 1" for k in range(1, 2_000)]),
    "a chain of variables": in_model("local x0\nx0 = time", *[f"local x{k}\nx{k} = x{k - 1}" for k in range(1, 2_000)]),
    "a sum": with_x(" + ".join(["time"] * 5_000)),
    "a list": in_model("local x(3)", "x = [" + ", ".join(["1"] * 5_000) + "]"),
    "a circle of parameters": in_model(*[f"parameter x{k} = x{(k + 1) % 2000}" for k in range(2000)]),
    "unknown names": in_model("local x", *[f"x = y{k}" for k in range(1000)]),
    "wrong statements": in_model(*["x = ="] * 10_000),
    "strange characters": "$" * 100_000,
    "open texts": '"\n' * 50_000,
    "ends": "end\n" * 50_000,
    "models": "model A\n" * 20_000,
    "blanks": " " * 1_900_000,
    "empty lines": "\n" * 1_900_000,
    "semicolons": ";" * 200_000,
    "includes of one file": '@"a.mo"\n' * 1_000,
    "nothing": "",
    "statements of a function": function("r := x", *["r := r*r + x"] * 3_000) + with_y("f(time)"),
    "locals of a function": function(*[f"local a{k} = x" for k in range(5_000)], "r := x") + with_y("f(time)"),
    "branches of a "
    "function": function("if x > 0 then", "r := 1", *["elseif x > 1 then", "r := 2"] * 2_000, "else", "r := 3",
                                       "endif") + with_y("f(time)"),
    "loops in loops": function("r := 0", *LOOPS, "r := r + x", *["endfor"] * len(LOOPS)) + with_y("f(time)"),
    "a loop without end": function("r := 0", "while true do", "r := r + 1", "endwhile") + with_y("f(1)"),
    "a loop of 1e9": function("r := 0", "for k = 1..1e9 do", "r := r + x", "endfor") + with_y("f(1)"),
    "a loop of 1e300 in a run": function("r := 0", "for k = 1..1e300 do", "r := r + x", "endfor") + with_y("f(time)"),
    "loops of calls": function("r := 0", "for k = 1..90000 do", "r := r + x", "endfor") + function(
        "r := 0", "for k = 1..90000 do", "r := r + f(k*x)", "endfor", head="function g(x) result r") + with_y("g(1)"),
    "a local of a function": function("local a(10000,10000)", "r := x") + with_y("f(time)"),
    "arrays of a function": function(*[f"local a{k}(10000)" for k in range(300)], "r := x") + with_y("f(time)"),
    "a result": function("r := 0", head="function f(x) result r(10000,10000)") + with_y("sum(f(time))"),
    "a function in itself": function("r := f(x + 1)") + with_y("f(time)"),
    "twice a function in itself": TWICE + with_y("f(0, time)"),
    "functions by two": line_of_functions(30, "{}(x) + {}(x + 1)"),
    "a line of functions": line_of_functions(1_500, "{}(x)"),
    "different calls": function("r := x", "while r > 1 do", "r := r - 1", "endwhile") + in_model(
        "local y(1000)", "for k = 1..1000 do", "y(k) = f(time*k)", "endfor"),
    "literals": "type E = (" + ", ".join(f"a{k}" for k in range(5_000)) + ")\n" + in_model("local (E) m", "m = E.a5"),
    "doubles among literals": "type E = (" + ", ".join(f"a{k // 2}" for k in range(3_000)) + ")\n" + in_model(
        "local (E) m", "m = E.a5"),
    "types": "".join(f"type (T{k + 1}) "
                     f"T{k}\n" for k in range(3_000)) + "type T3000\n" + in_model("local (T0) x", "x = 1"),
    "a circle of "
    "types": "".join(f"type (T{(k + 1) % 999}) T{k}\n" for k in range(999)) + in_model("local (T0) x", "x = 1"),
    "class parameters by two": class_parameters(40, "submodel (P) a, b"),
    "a line of class parameters": class_parameters(300, "submodel (P) a"),
    "supers with class parameters": supers(1_000),
    "a class parameter in "
    "itself": "model class A (class P = A)\nsubmodel (P) a(P = P)\nend\n" + in_model("submodel (A) a"),
    "a table": in_model("local y", f"y = interp1(time, [{', '.join(map(str, range(5_000)))}], zeros(2500))"),
    "delays": in_model("local y", "y = " + "delay(" * 100 + "time" + ", 1)" * 100),
    "singular parts": "model class A\nlocal x, y\nx = y\ny = x\nend\n" + in_model("submodel (A) a(600)"),
    "open parts": "model class A\nlocal x, y\nx = 2\nend\n" + in_model("submodel (A) a(1500)"),
}  # fmt: skip


def translate(path: Path) -> ModelError | None:
    """The error, within the limits, or None where there is none."""
    with within_limits(SECONDS):
        try:
            program = compile_model(path, None)
            for target in TARGETS:
                emit(program, target)
        except ModelError as error:
            check_error(error)
            assert len(str(error)) < 300_000
            return error
    return None


@pytest.mark.parametrize("name", DEEP)
def test_deep(name, write_model):
    error = translate(write_model(DEEP[name]))
    assert error is not None
    assert {diagnostic.code for diagnostic in error.diagnostics} & {"E112", "E105", "E254", "E113"}


# Of the large ones some are translated. These are not, and the message names the reason.
REFUSED = {
    "variables": "E129", "many arrays": "E129", "submodels": "E219", "submodels of submodels": "E238", "rounds": "E253",
    "work in rounds": "E129", "a name": "E115", "a class in itself": "E208", "a power": "E228",
    "a circle of parameters": "E225", "an index": "E219", "zeros": "E217", "an order": "E219",
    "branches of a function": "E293", "loops in loops": "E293", "a loop without end": "E129", "a loop of 1e9": "E129",
    "a local of a function": "E129", "arrays of a function": "E129", "a result": "E129", "a function in itself": "E292",
    "twice a function in itself": "E129", "a line of functions": "E292", "a circle of types": "E272",
    "doubles among "
    "literals": "E272", "class parameters by "
                        "two": "E238", "a line of class parameters": "E235", "a class parameter in itself": "E208",
    "singular parts": "E503", "open parts": "E402",
}  # fmt: skip


@pytest.mark.parametrize("name", LARGE)
def test_large(name, write_model, monkeypatch):
    lower_limits(monkeypatch)
    error = translate(write_model(LARGE[name]))
    if name in REFUSED:
        assert error is not None and error.diagnostics[0].code == REFUSED[name]


# --- files ---------------------------------------------------------------------------------------------------------


def refused(path: Path) -> str:
    error = translate(path)
    assert error is not None
    return str(error)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("model M\nend\n".encode("utf-16"), "it is UTF-16"),
        ("model M\nend\n".encode("utf-16-le"), "contains zero bytes"),
        (b"model M\n  local x\n  x = \xff\nend\n", "the byte 0xff in line 3"),
        (b"\x7fELF" + bytes(range(256)) * 100, "it is a program"),
        (b"model M\0\nend\n", "contains zero bytes"),
        (b"x" * 50_000_000, "it has more than 2000000 bytes"),
    ],
    ids=["utf-16", "utf-16 without mark", "latin", "program", "zero", "large"],
)
def test_no_text(data, reason, tmp_path):
    path = tmp_path / "model.mo"
    path.write_bytes(data)
    assert reason in refused(path)


def test_no_file(tmp_path):
    """None of these is opened: reading a pipe or a device might not end."""
    pipe, at_socket, link = tmp_path / "pipe.mo", tmp_path / "socket.mo", tmp_path / "link.mo"
    os.mkfifo(pipe)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(at_socket))
    link.symlink_to(link)
    for path in (Path("/dev/zero"), Path("/dev/stdin"), pipe, at_socket):
        assert "it is not a regular file" in refused(path)
    assert "it is a folder" in refused(tmp_path)
    assert "it cannot be opened" in refused(link)
    assert "it cannot be opened" in refused(tmp_path / ("a" * 1000))
    assert "it cannot be opened" in refused(Path("a\0b"))
    secret = tmp_path / "secret.mo"
    secret.write_text("model M\nend\n")
    secret.chmod(0)
    if os.geteuid() != 0:
        assert "it cannot be opened" in refused(secret)


OTHER_PLACES = ["/dev/zero", "/etc/passwd", "../secret", "link", "pipe", "folder", "a" * 500, "../" * 500 + "dev/zero"]


@pytest.mark.parametrize("name", OTHER_PLACES)
def test_includes_of_what_is_no_library(name, tmp_path):
    folder = tmp_path / "inner"
    folder.mkdir()
    (folder / "folder").mkdir()
    os.mkfifo(folder / "pipe.mo")
    (tmp_path / "secret.mo").write_text("model class S\nend\n")
    (folder / "link.mo").symlink_to(tmp_path / "secret.mo")
    path = folder / "model.mo"
    path.write_text(f'@"{name}"\nmodel M\nend\n')
    assert "error[E20" in refused(path)


def test_a_long_chain_of_includes(tmp_path, monkeypatch):
    """The page of E128 has as many files as are read by default."""
    monkeypatch.setattr("cutset.compiler.instantiate.names.loader._MOST_FILES", 200)
    for k in range(250):
        (tmp_path / f"part{k}.mo").write_text(f"@part{k + 1}\n")
    assert "error[E128]" in refused(tmp_path / "part0.mo")


def test_a_circle_of_includes(tmp_path):
    for k in range(20):
        (tmp_path / f"part{k}.mo").write_text(f"@part{(k + 1) % 20}\nmodel class C{k}\nend\n")
    (tmp_path / "model.mo").write_text("@part0\nmodel M\n  local x\n  x = 1\nend\n")
    assert translate(tmp_path / "model.mo") is None
