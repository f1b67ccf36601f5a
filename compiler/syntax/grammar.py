"""Makes the parser of the grammar with lark, and keeps it in the disk cache: grammar.lark -> parser."""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import lark

from cutset.compiler.syntax.build import Rules
from cutset.compiler.syntax.lexemes import Lexer
from cutset.contract.cache import package_cache, user_cache

GRAMMAR = Path(__file__).with_name("grammar.lark")
# A statement: all that is parsed.
START = "statement"


@cache
def parser() -> lark.Lark:
    """The parser of statements. lark takes three times as long to make it as to load it, which is a pickle: it comes
    from folders only that nobody else can write."""
    text = GRAMMAR.read_text(encoding="utf-8")
    name = f"{sha256(f'{sys.version} {lark.__version__} {text}'.encode()).hexdigest()[:32]}.parser"
    stores = [store for store in (package_cache(), user_cache()) if store]
    for store in stores:
        content = store.get(name)
        with suppress(Exception):  # written by another version
            if content is not None:
                return lark.Lark.load(BytesIO(content))
    made, saved = _made(text), BytesIO()
    made.save(saved)
    any(store.put(name, saved.getvalue()) for store in stores)
    return made


@cache
def lexer() -> Lexer:
    """The lexer of the grammar."""
    return Lexer(parser().lexer_conf)


def _made(text: str) -> lark.Lark:
    return lark.Lark(
        text,
        parser="lalr",
        lexer=Lexer,
        start=[START, "outside"],
        keep_all_tokens=True,
        maybe_placeholders=False,
        transformer=Rules(),
    )
