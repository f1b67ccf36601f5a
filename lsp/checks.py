"""Checks open files while a user types: in a thread, a moment after the last change.

A check that a further change overtakes ends between two stages and begins again.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Protocol

from lsprotocol import types

from cutset.compiler.diagnostics import Diagnostic
from cutset.lsp.findings import Findings, Progress
from cutset.lsp.report import reported
from cutset.lsp.session import Session

# The time in s without a change after which a check begins, and that before its long part: nothing ends a stage of the
# compiler, so that a key would wait for it.
DELAY, REST = 0.02, 0.15


class Outdated(Exception):
    """Ends a check because a text has changed since it began."""


class Check(Protocol):
    """The check of a file, as the command does it: all its messages. `unsaved` are texts to use instead of those on the
    disk, by resolved paths."""

    def __call__(self, path: str, unsaved: Mapping[Path, str], progress: Progress) -> Findings: ...


Publish = Callable[[str, list[types.Diagnostic]], None]


class Checker:
    """Checks the open files of a session; `publish` takes the diagnostics of a file, in the thread of the check."""

    def __init__(
        self, session: Session, check: Check, publish: Publish, delay: float = DELAY, rest: float = REST
    ) -> None:
        self._session, self._check, self._publish, self.delay, self.rest = session, check, publish, delay, rest
        self._known: dict[str, Findings] = {}
        self._states: dict[str, dict[str, object]] = {}
        self._sound: dict[str, tuple[dict[str, object], Findings]] = {}
        self._reported: dict[str, dict[str, list[types.Diagnostic]]] = {}
        self._shown: dict[str, list[types.Diagnostic]] = {}
        self._order: list[str] = []
        self._version = 0
        self._wake = threading.Condition()
        self._is_over = False
        self._is_idle = True
        self._thread: threading.Thread | None = None

    def changed(self, path: str = "") -> None:
        """Check again what depends on the file, or on any file if none is named."""
        with self._wake:
            self._version += 1
            self._is_idle = False
            if path:
                self._order = [path, *(each for each in self._order if each != path)]
            if self._thread is None and not self._is_over:
                self._thread = threading.Thread(target=self._work, name="cutset check", daemon=True)
                self._thread.start()
            self._wake.notify_all()

    def findings(self) -> list[Findings]:
        """The latest findings of all open files."""
        return list(self._known.values())

    def wait(self, timeout: float) -> bool:
        """Wait until all open files are checked; False if that takes longer than `timeout` in s."""
        with self._wake:
            return self._wake.wait_for(lambda: self._is_idle, timeout)

    def stop(self) -> None:
        """End the thread."""
        with self._wake:
            self._is_over = True
            self._version += 1
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join()

    def _work(self) -> None:
        done = 0
        while True:
            with self._wake:
                self._await_change(done, None)
                version = self._version
                while self._await_change(version, self.delay):
                    version = self._version
                if self._is_over:
                    return
                order = [*self._order]
            if self._check_all(order, version):
                done = version
                with self._wake:
                    self._is_idle = self._version == done
                    self._wake.notify_all()

    def _await_change(self, version: int, timeout: float | None) -> bool:
        """Wait for a later version or the end; True if a version came."""
        self._wake.wait_for(lambda: self._is_over or self._version != version, timeout)
        return self._version != version and not self._is_over

    def _check_all(self, order: Iterable[str], version: int) -> bool:
        """Check what needs it; False if a change came in between."""
        opened = dict(self._session.texts)
        for path in [*self._known]:
            if path not in opened:
                del self._known[path]
                self._reported.pop(path, None)
                self._sound.pop(path, None)
        unsaved = {Path(os.path.realpath(path)): text for path, text in opened.items()}

        def proceed() -> None:
            if self._version != version:
                raise Outdated

        def rest() -> None:
            with self._wake:
                self._wake.wait_for(lambda: self._version != version, self.rest)
            proceed()

        try:
            for path in sorted(opened, key=lambda each: _rank(each, order)):
                if self._is_current(path):
                    continue
                proceed()
                if self._returns_to_sound(path):
                    self._show()
                    continue
                # Nobody types yet when a file is opened.
                pause = rest if path in self._known else proceed
                self._examine(path, opened, unsaved, _Running(self, path, proceed, pause))
                self._show()
        except Outdated:
            return False
        self._show()
        return True

    def _examine(self, path: str, opened: Mapping[str, str], unsaved: Mapping[Path, str], progress: Progress) -> None:
        began, before = time.time_ns(), self._states.get(path, {})
        earlier = {each: self._session.state(each, opened) for each in before}
        try:
            findings = self._check(path, unsaved, progress)
        except Outdated:
            raise
        except Exception as error:
            # The server must go on; the command reports the same with more details.
            text = (
                f"internal error: {type(error).__name__}: {error}; this is a bug in Cutset, not an error in the model"
            )
            findings = Findings(path, (Diagnostic("", text),))
        self._known[path] = findings
        looked_at = findings.looked_at or map(str, unsaved)
        # A text may have changed while the last stage ran: the findings are those of the `opened` ones, and of files
        # as they were before the check.
        states = self._session.states((*looked_at, path), began, opened)
        self._states[path] = {each: earlier.get(each, state) for each, state in states.items()}
        self._reported[path] = reported(self._session, findings)
        if not any(each.severity == "error" for each in findings.messages):
            self._sound[path] = self._states[path], findings

    def _returns_to_sound(self, path: str) -> bool:
        """Take the findings of the last texts without errors, if all texts are these again: a mistake was undone."""
        states, findings = self._sound.get(path, ({}, None))
        if findings is None or not self._are_now(states):
            return False
        self._known[path], self._states[path] = findings, states
        self._reported[path] = reported(self._session, findings)
        return True

    def front_errors(self, path: str) -> bool:
        """True if the latest findings of a file have errors of its text, names, types or units."""
        known = self._known.get(path)
        return known is not None and any(each.code[:2] in _FRONT for each in known.messages)

    def clear_front(self, path: str) -> None:
        """Show no more of these errors."""
        known = self._known[path]
        left = tuple(each for each in known.messages if each.code[:2] not in _FRONT)
        self.show_early(Findings(path, left, known.looked_at))

    def show_early(self, findings: Findings) -> None:
        """Show the findings of a check that goes on."""
        path = findings.path
        self._known[path] = findings
        self._states.pop(path, None)
        self._reported[path] = reported(self._session, findings)
        self._show()

    def _is_current(self, path: str) -> bool:
        states = self._states.get(path)
        return path in self._known and states is not None and self._are_now(states)

    def _are_now(self, states: Mapping[str, object]) -> bool:
        return all(self._session.state(path) == state for path, state in states.items())

    def _show(self) -> None:
        """Publish what has changed; a message that several files cause is shown once."""
        merged: dict[str, list[types.Diagnostic]] = {path: [] for path in (*self._shown, *self._reported)}
        for of_root in self._reported.values():
            for path, found in of_root.items():
                known = merged.setdefault(path, [])
                known += [each for each in found if each not in known]
        for path, found in merged.items():
            if self._shown.get(path) != found:
                self._publish(path, found)
        self._shown = {path: found for path, found in merged.items() if found or path in self._reported}


# The codes of stages before the equations of a model are put together.
_FRONT = frozenset({"E1", "E2", "E3"})


class _Running:
    """The progress of the check of one file."""

    def __init__(self, checker: Checker, path: str, proceed: Callable[[], None], rest: Callable[[], None]) -> None:
        self._checker, self._path = checker, path
        self.proceed, self.rest = proceed, rest

    @property
    def shows_errors(self) -> bool:
        return self._checker.front_errors(self._path)

    def sound(self) -> None:
        self._checker.clear_front(self._path)

    def early(self, findings: Findings) -> None:
        self._checker.show_early(findings)


def _rank(path: str, order: Iterable[str]) -> int:
    """Recently changed files first."""
    return next((k for k, each in enumerate(order) if each == path), len(path) + 10**6)
