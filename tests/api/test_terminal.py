"""What a model says cannot give commands to a terminal, and a terminal that lacks characters is no internal error."""

import os
import subprocess
import sys

import pytest

from cutset.api.command_line.command import main

ESCAPE, TURNED = "\x1b[2J\x1b]0;title\x07\x9b2J", "\u202e"
ODD = ESCAPE + TURNED
CLASS = f"""model class Part "part {ODD}"
  parameter k (unit="m") = 1 "size {ODD}"
  terminal y
  y = k*time
end
"""
ASSERTION = f"""model A
  local x
  der(x) = 1
  assert x {{ {ODD} }} < 0.5, "too large {ODD}"
end
"""
NO_VALUE = f"""function f(x) result y "f {ODD}"
  assert x < 0.5, "in f {ODD}"
  y := x
end
model B
  local x
  der(x) = f(time {{ {ODD} }})
end
"""
STOP = f'model C\n  local x\n  der(x) = 1\n  terminate x > 0.5, "enough {ODD}"\nend\n'
WRONG = f'model D "{ODD}"\n  local x\n  x = y {{ {ODD} }} + "{ODD}"\nend\n'
SINGULAR = f"model E\n  local x, y\n  x + y = 1 {{ {ODD} }}\n  2*x + 2*y = time {{ {ODD} }}\nend\n"


@pytest.mark.parametrize("text", [CLASS, ASSERTION, NO_VALUE, STOP, WRONG, SINGULAR])
def test_no_text_of_a_model_is_a_command(text, write_model, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = str(write_model(text))
    for words in (["check"], ["simulate", "--target", "python"], ["classes"], ["inspect", "--components",
        "--variables"], ["inspect", "--json"],
                  ["fmt", "--diff"], ["translate", "--target", "listing"], ["translate", "--dump",
                  "flatten"]):  # fmt: skip
        main([words[0], path, *words[1:]])
        captured = capsys.readouterr()
        for output in (captured.out, captured.err):
            assert not any(c in output for c in "\x1b\x07\x9b\u202e"), (words, output)


def test_a_stream_without_utf_8(write_model, tmp_path):
    path = write_model('model M "é"\n  local x\n  x = yé + "größe"\nend\n')
    program = "import sys; from cutset.api.command_line.command import main; sys.exit(main())"
    environment = {**os.environ, "PYTHONIOENCODING": "ascii:strict", "XDG_CACHE_HOME": str(tmp_path)}
    for words in (["check"], ["classes"], ["fmt", "--diff"]):
        command = [sys.executable, "-c", program, words[0], str(path), *words[1:]]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=300)
        assert done.returncode == 1 and "error[E101]" in done.stderr and "\\xe9" in done.stderr, (words, done)
