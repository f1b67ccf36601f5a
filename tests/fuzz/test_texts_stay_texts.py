"""What a model says in words reaches generated code as data, and a terminal as words."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from cutset.compiler.codegen.emit import TARGETS
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.pipeline import compile_model, emit
from cutset.runtime.targets.build import build
from cutset.runtime.targets.toolchain import find_compiler

# Ends of comments and strings, a trigraph for a backslash, a line of its own.
TEXT = "x*/ evil() /* ??/ \\ ''' % {0} <!-- $(evil) `evil` //"
# The same as a name, without what no name can have.
NAME = "'x*/ evil() /* ??/ % {0} <!-- $(evil) `evil` //'"
MODEL = f"""
model {NAME} "{TEXT}"
  parameter k (unit="1") = 2 "{TEXT}"
  local x (start=3) "{TEXT}"
  local {NAME}(2) (start=1)
  node n
  der({NAME}) = -k*[1, 2]
  der(x) = -k*x*x {{ {TEXT.replace("{0}", "")} }} # {TEXT}
end
"""
FILE = "evil\"'*/ ??/\\\nevil();\n#include <evil.h>\n.mo"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, dict[str, str]]:
    path = tmp_path / FILE.replace("/", "_")
    path.write_text(MODEL, encoding="utf-8")
    program = compile_model(path, None)
    return {target: emit(program, target) for target in TARGETS}


def test_code_holds_no_text(files):
    for target in ("c", "python"):
        for name, text in files[target].items():
            if not name.endswith(".json"):
                assert "evil" not in text and "??" not in text and "\\" not in text


def test_data_holds_the_texts_unchanged(files):
    data = json.loads(files["c"]["model.json"])
    assert any("evil.h" in field for origin in data["origins"]["rows"] for field in origin)


@pytest.mark.parametrize("target", ["c", "python"])
def test_it_runs(files, target):
    if target == "c" and find_compiler() is None:
        pytest.skip("without a C compiler")
    assert build(files[target], target).info.states == ("x", f"{NAME}(1)", f"{NAME}(2)")


def test_a_message_cannot_command_a_terminal(tmp_path):
    path = tmp_path / "clear\x1b[2J\n.mo"
    path.write_text(
        'model M\n  local x "\x1b]0;evil\x07\u202e"\n  x = \x1b[31m y + "\x9b"\nend\n@"a\x1b[2Jb"\n', encoding="utf-8"
    )
    with pytest.raises(ModelError) as caught:
        compile_model(path, None)
    shown = str(caught.value)
    assert not {character for character in shown if character < " " and character != "\n"}
    assert not {"\x7f", "\x9b", "\u202e"} & set(shown)
    assert shutil.os.fspath(path) not in shown
