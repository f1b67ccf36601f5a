"""Defines Program: a translated model as functions of statements, without names of the model or target syntax."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from cutset.compiler.codegen.code import Function, LoweredFunction
from cutset.compiler.codegen.python_printer import Printer
from cutset.compiler.codegen.statistics import Domain, Statistics
from cutset.contract.metadata import ModelInfo
from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True)
class Program:
    """All functions of the contract in its order; `domains` of the parameters that do not take every number; `tables`
    are the numbers of all constant tables, one after the other; `foreign` are the files with functions in C that the
    model calls, by name. `unreduced` is the program for the method bdf, if it is wanted."""

    info: ModelInfo
    statistics: Statistics
    functions: tuple[Function, ...] = field(repr=False)
    domains: Mapping[str, Domain] = field(default_factory=dict, repr=False)
    tables: tuple[float, ...] = field(default=(), repr=False)
    user_functions: tuple[LoweredFunction, ...] = field(default=(), repr=False)
    foreign: Mapping[str, str] = field(default_factory=dict, repr=False)
    unreduced: Program | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return self.printed(Printer())

    def printed(self, printer: Printer) -> str:
        """All functions, printed as Python."""
        return printer.text(self.functions, self.user_functions, self.tables)
