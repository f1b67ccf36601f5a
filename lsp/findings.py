"""Defines what a check finds, and what it tells while it goes on. Knows no protocol."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from cutset.compiler.diagnostics import Diagnostic


@dataclass(frozen=True)
class Findings:
    """The messages of a check of the file at `path`, errors and notes, in the order in which `cutset check` prints
    them. `looked_at` are the files on which they depend."""

    path: str
    messages: tuple[Diagnostic, ...] = ()
    looked_at: frozenset[str] = field(default_factory=frozenset)


class Progress(Protocol):
    """What a check tells while it goes on."""

    @property
    def shows_errors(self) -> bool:
        """True while errors of names, types and units are shown, so that it is of use to know that there are none."""

    def proceed(self) -> None:
        """Called between stages. Outdated if a text has changed since the check began."""

    def sound(self) -> None:
        """Called when names, types and units turn out to have no errors, long before the equations are solved."""

    def early(self, findings: Findings) -> None:
        """Called with the errors so far, while the check goes on."""

    def rest(self) -> None:
        """Called before the long stages, which find errors of equations only. Outdated if a text changes soon."""
