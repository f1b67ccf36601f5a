"""Operations by submodel: all are counted, each once, where they are asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

import cutset

ROOT = Path(__file__).parents[2]
TWO = """
model class Cheap
  terminal y
  y = 3*time
end
model class Costly
  terminal y, x
  y = sin(x) + exp(x)*cos(x)/(1 + x^2)
end
model M
  submodel (Costly) a
  submodel (Cheap) b
  local s
  a.x = b.y
  der(s) = a.y + b.y
end
"""


def test_the_costly_submodel_comes_first(write_model) -> None:
    work = cutset.load(write_model(TWO)).inspect()["work"]
    assert work[0]["instance"] == "a" and work[0]["functions"] == 3
    assert {each["instance"] for each in work} == {"a", "b", "M"}


def test_what_several_need_is_counted_once(write_model) -> None:
    text = (
        TWO.replace("submodel (Costly) a", "submodel (Costly) a, c")
        .replace("a.x = b.y", "a.x = b.y\n  c.x = b.y")
        .replace("a.y +", "a.y + c.y +")
    )
    work = cutset.load(write_model(text)).inspect()["work"]
    assert sum(each["functions"] for each in work) == 3
    assert "c" not in {each["instance"] for each in work}


@pytest.mark.parametrize("name", ["r3_arm", "cauer_low_pass", "double_pendulum", "cartesian_pendulum"])
def test_the_parts_are_the_whole(name: str) -> None:
    facts = cutset.load(ROOT / "models" / f"{name}.mo").inspect()
    for kind, total in facts["operations"].items():
        assert sum(each[kind] for each in facts["work"]) == total
