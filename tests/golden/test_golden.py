"""Every stage's dump of small models is what it was. `pytest --update-golden` accepts a change."""

from pathlib import Path

import pytest

from cutset.compiler.pipeline import Observer, compile_model, emit
from cutset.compiler.verify import Verifier

HERE = Path(__file__).parent
STAGES = ("parse", "instantiate", "flatten", "aliases", "analyze", "sort", "solve")


@pytest.mark.parametrize("model", sorted((HERE / "models").glob("*.mo")), ids=lambda p: p.stem)
def test_dumps(model, agrees):
    dumps, verify = {}, Verifier()

    def observe(stage, result):
        dumps[stage] = str(result)
        return verify(stage, result)

    program = compile_model(model, None, observer=Observer([observe]))
    for target in ("c", "python"):
        dumps[target] = "\n".join(text for name, text in emit(program, target).items() if name != "model.json")
    for stage in (*STAGES, "c", "python"):
        agrees(dumps[stage].rstrip() + "\n", HERE / "expected" / f"{model.stem}.{stage}.txt")


def test_translation_is_deterministic(tmp_path):
    for model in (HERE / "models").glob("*.mo"):
        texts = [emit(compile_model(model, None), target) for target in ("c", "c")]
        assert texts[0] == texts[1]
