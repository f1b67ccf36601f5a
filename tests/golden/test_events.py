"""What becomes of events, discrete variables, delays and equations of the start, up to the sorted system."""

from pathlib import Path

import pytest

from cutset.compiler.pipeline import Observer, compile_model
from cutset.compiler.verify import Verifier

HERE = Path(__file__).parent


@pytest.mark.parametrize("model", sorted((HERE / "events").glob("*.mo")), ids=lambda p: p.stem)
def test_dumps(model, agrees):
    dumps, verify = {}, Verifier()

    def observe(stage, result):
        dumps[stage] = str(result)
        return verify(stage, result)

    program = compile_model(model, None, observer=Observer([observe]))
    for stage in ("flatten", "aliases", "sort", "start", "events"):
        agrees(dumps[stage].rstrip() + "\n", HERE / "expected" / f"{model.stem}.{stage}.txt")
    agrees(f"{program}\n", HERE / "expected" / f"{model.stem}.listing.txt")
