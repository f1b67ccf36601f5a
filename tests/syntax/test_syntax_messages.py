"""The full text of each message: errors/NAME.mo holds wrong statements, errors/NAME.txt what is said about them."""

import re
from pathlib import Path

import pytest

from cutset.compiler.diagnostics import ModelError, Source
from cutset.compiler.syntax import parse as stage
from cutset.compiler.syntax.parse import parse

MODELS = sorted((Path(__file__).parent / "errors").glob("*.mo"))


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.stem)
def test_message(model, agrees):
    with pytest.raises(ModelError) as caught:
        parse(Source(model.name, model.read_text(encoding="utf-8")))
    agrees(f"{caught.value}\n", model.with_suffix(".txt"))


def test_every_code_has_a_message():
    shown = "".join(path.with_suffix(".txt").read_text(encoding="utf-8") for path in MODELS)
    listed = set(re.findall(r"E1\d\d", stage.__doc__)) | {"E106"}
    assert (
        set(re.findall(r"\[(E\d\d\d)\]", shown))
        == listed
        == {f"E1{k:02}" for k in (*range(1, 28), *range(30, 33))} - {"E111"}
    )


def test_every_error_of_a_file_is_found():
    wrong = ["x = ", "y = )", "local 3", "submodel R", "z = (a", "connect a b", "w = $"]
    text = "model M\n" + "\n".join(f"ok = 1\n{line};" for line in wrong) + "\nend\n"
    with pytest.raises(ModelError) as caught:
        parse(Source("wrong.mo", text))
    assert [diagnostic.span.line for diagnostic in caught.value.diagnostics] == [3, 5, 7, 9, 11, 13, 15]
