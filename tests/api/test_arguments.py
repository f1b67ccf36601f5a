"""Options that take several values leave the model file to the command."""

import pytest

from cutset.api.command_line.command import main, separated


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("simulate --set R.R=5 rc.mo", "simulate --set=R.R=5 rc.mo"),
        ("simulate rc.mo --set R.R=5 C.C=1 --stop 2", "simulate rc.mo --set=R.R=5 --set=C.C=1 --stop 2"),
        ("simulate --outputs C.* R.u rc.mo", "simulate --outputs=C.* --outputs=R.u rc.mo"),
        ("inspect --variables rc.mo", "inspect --variables=* rc.mo"),
        ("inspect rc.mo --variables", "inspect rc.mo --variables=*"),
        ("inspect rc.mo --against a.json b.json", "inspect rc.mo --against=a.json --against=b.json"),
        ("sweep --vary a=1,2 b=1 m.mo --outputs x", "sweep --vary=a=1,2 --vary=b=1 m.mo --outputs=x"),
        ("simulate rc.mo --set", "simulate rc.mo --set"),
        ("simulate rc.mo --set --set=a=1", "simulate rc.mo --set --set=a=1"),
        ("", ""),
    ],
)
def test_one_value_for_each(words, expected):
    assert separated(words.split()) == expected.split()


def test_the_model_may_stand_behind_a_value(write_model, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = str(write_model("model M\n  parameter a = 2, b = 3\n  local x\n  der(x) = a + b\nend\n"))
    for words in (["--set", "a=3", path], ["--set", "a=1", "b=5", path], [path, "--set", "a=1", "--set", "b=5"]):
        assert main(["simulate", *words, "--target", "python"]) == 0
        assert capsys.readouterr().out.splitlines()[1].split() == ["x", "0", "6"]
    assert main(["simulate", path, "--set", "a"]) == 2
    assert "'a' is not of the form NAME=NUMBER" in capsys.readouterr().err
    assert main(["simulate", path, "--set"]) == 2
