"""Broken models end in a message, never in a traceback: tokens or lines deleted, doubled, exchanged at random."""

import random
import re
from pathlib import Path

import pytest
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.pipeline import compile_model, emit
from cutset.compiler.verify import Verifier

ROOT = Path(__file__).parent.parent
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
SOURCES = [
    (ROOT / "tests/golden/models/divider.mo").read_text(),
    (ROOT / "tests/golden/models/gimbal.mo").read_text(),
    (ROOT / "tests/golden/models/ladder.mo").read_text(),
    (ROOT / "models/double_pendulum.mo").read_text(),
    (ROOT / "models/cauer_low_pass.mo").read_text(),
]
STRANGERS = ["0", "1", "-", "=", "(", ")", "[", "]", "end", "der", "time", "'", "\n", "1e400", "..", ":", "x", "A", "zeros", "@"]


def mutilated(text: str, rng: random.Random) -> str:
    tokens = TOKEN.findall(text)
    for _ in range(rng.randint(1, 3)):
        k, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        action = rng.randrange(5)
        if action == 0:
            del tokens[k]
        elif action == 1:
            tokens.insert(k, tokens[other])
        elif action == 2:
            tokens[k], tokens[other] = tokens[other], tokens[k]
        elif action == 3:
            tokens[k] = tokens[other]
        else:
            tokens[k] = rng.choice(STRANGERS)
    return "".join(tokens)


def confused(text: str, rng: random.Random) -> str:
    """Still a text of the language, mostly: names for names, numbers for numbers, lines lost or doubled."""
    for _ in range(rng.randint(1, 4)):
        lines = text.split("\n")
        k = rng.randrange(len(lines))
        action = rng.randrange(4)
        if action == 0:
            del lines[k]
        elif action == 1:
            lines.insert(rng.randrange(len(lines)), lines[k])
        else:
            kind = re.compile(r"[A-Za-z]\w*" if action == 2 else r"\b\d+(\.\d+)?")
            found = [m for m in kind.finditer(text)]
            m, other = rng.choice(found), rng.choice([*(f.group() for f in found), *(["0"] if action == 3 else [])])
            lines = (text[: m.start()] + other + text[m.end() :]).split("\n")
        text = "\n".join(lines)
    return text


@pytest.mark.parametrize("damage", [mutilated, confused])
@pytest.mark.parametrize("seed", range(80))
def test_a_broken_model_ends_in_a_message(seed, damage, write_model):
    rng = random.Random(seed)
    path = write_model(damage(rng.choice(SOURCES), rng))
    try:
        emit(compile_model(path, None, observe=Verifier()), "c")
    except ModelError as error:
        assert error.diagnostics
        assert re.match(r"error\[E\d\d\d\]: ", str(error))
