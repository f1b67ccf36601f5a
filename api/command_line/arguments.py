"""Separates the values of options that take several, so that the model file may follow them.

``--set a=1 b=2 model.mo`` becomes ``--set=a=1 --set=b=2 model.mo``. Knows no command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable


def _is_assignment(word: str) -> bool:
    return "=" in word


def _is_assignment_or_file(word: str) -> bool:
    return "=" in word or word.startswith("@")


def _is_no_model(word: str) -> bool:
    return not word.endswith(".mo")


# A test for each option: does a word count as its value?
_VALUES: dict[str, Callable[[str], bool]] = {
    "--set": _is_assignment_or_file,
    "--vary": _is_assignment,
    "--known": _is_no_model,
    "--find": _is_no_model,
    "--outputs": _is_no_model,
    "--against": _is_no_model,
    "--variables": _is_no_model,
}
# The value of an option that is given without one.
_WITHOUT_VALUE = {"--variables": "*"}


def separated(words: Iterable[str]) -> list[str]:
    """The words of a command line with one value for each of these options."""
    found: list[str] = []
    option, count = "", 0
    for word in [*words, ""]:  # the empty word ends an option at the end of the line
        if option and word and not word.startswith("-") and _VALUES[option](word):
            found.append(f"{option}={word}")
            count += 1
            continue
        if option and not count:
            found.append(f"{option}={_WITHOUT_VALUE[option]}" if option in _WITHOUT_VALUE else option)
        option, count = (word, 0) if word in _VALUES else ("", 0)
        if not option:
            found.append(word)
    return found[:-1]
