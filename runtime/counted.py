"""Writes a number with its noun, for messages and reprs."""


def counted(number: int, noun: str) -> str:
    """`1 state`, `2 states`: the plural has an s."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
