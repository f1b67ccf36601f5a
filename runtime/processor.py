"""Tells which instructions the processor of this machine has, as flags of gcc and clang. Loads nothing."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

_INFORMATION = Path("/proc/cpuinfo")


def scalar_flags() -> tuple[str, ...]:
    """Flags for code without vectors: with AVX an operation keeps both operands, so that fewer moves are needed. No
    flag changes results."""
    return ("-mavx",) if "avx" in _known() else ()


def register_flags() -> tuple[str, ...]:
    """Flags for long functions without loops: with AVX-512 there are 32 registers instead of 16, so that fewer numbers
    wait in memory. No flag changes results."""
    return ("-mavx512f", "-mavx512vl") if {"avx512f", "avx512vl"} <= _known() else ()


def vector_flags() -> tuple[tuple[str, ...], int]:
    """The flags for the widest vectors, and how many doubles these hold."""
    if {"avx512f", "avx512dq"} <= _known():
        return ("-mavx512f", "-mavx512dq", "-mavx2"), 8
    return (("-mavx2",), 4) if "avx2" in _known() else ((), 4)


@cache
def _known() -> frozenset[str]:
    """The names that Linux gives them; none on other systems or processors."""
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        return frozenset()
    try:
        with _INFORMATION.open(encoding="utf-8", errors="replace") as lines:
            return next((frozenset(line.split()) for line in lines if line.startswith("flags")), frozenset())
    except OSError:
        return frozenset()
