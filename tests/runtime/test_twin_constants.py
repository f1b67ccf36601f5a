"""The constants of an algorithm that is written in C and in Python are the same in both."""

import re
from pathlib import Path

import pytest

from cutset.runtime import jumps

JUMPS = {"JUMPS", "JUMP_RATE", "PROPORTIONAL", "UNSEEN", "ACCURATE", "CLOSE", "STALLED", "LEAST"}
JUMPS |= {"RELATIVE", "ABSOLUTE", "MOST_JUMP_STEPS", "MOST_DECISIONS"}
_HEADERS = Path(__file__).parents[2] / "runtime" / "c"
_NUMBER = r"(\w+) = ([0-9.e/ -]+)"


def constants_of(header: str) -> dict[str, float]:
    """The names and values of `static const double` and of `enum`."""
    text = (_HEADERS / header).read_text(encoding="utf-8")
    declared = re.findall(r"static const double (\w+ = [^;]+);|enum \{([^}]+)\};", text)
    pairs = re.findall(_NUMBER, "\n".join(name or names for name, names in declared))
    return {name: _value(words) for name, words in pairs}


def _value(words: str) -> float:
    number, _, divisor = words.partition("/")
    return float(number) / float(divisor or 1)


@pytest.mark.parametrize(
    ("module", "header", "names"),
    [
        (jumps, "jumps.h", JUMPS),
    ],
)
def test_both_have_the_same(module, header, names):
    in_c = constants_of(header)
    assert set(in_c) == names
    assert {name: getattr(module, f"_{name}") for name in names} == in_c
