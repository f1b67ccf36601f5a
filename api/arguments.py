"""Separates the values of an option that takes several, so that the model file may stand behind them.

``--set a=1 b=2 model.mo`` becomes ``--set=a=1 --set=b=2 model.mo``. Knows no command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable


def _is_assignment(word: str) -> bool:
    return "=" in word


def _is_no_model(word: str) -> bool:
    return not word.endswith(".mo")


# What a word must be to count as a value of the option.
_VALUES: dict[str, Callable[[str], bool]] = {
    "--set": _is_assignment,
    "--vary": _is_assignment,
    "--outputs": _is_no_model,
    "--against": _is_no_model,
    "--variables": _is_no_model,
}
# What an option means that is given no value.
_WITHOUT_VALUE = {"--variables": "*"}


def separated(words: Iterable[str]) -> list[str]:
    """The words of a command line with one value for each of these options."""
    found: list[str] = []
    option, count = "", 0
    for word in [*words, ""]:  # the last one closes an option at the end
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
