"""What becomes of any input: a program, or an error that can be shown to its author. Nothing else may happen."""

from __future__ import annotations

import os
import random
import re
import resource
import signal
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
import pytest
from fuzz.damaged_texts import ROOT, damaged
from fuzz.grammar_texts import GrammarTexts

import cutset.compiler.diagnose.causes  # noqa: F401 - loaded before memory is counted
from cutset.compiler.codegen.emit import TARGETS
from cutset.compiler.codegen.program import Program
from cutset.compiler.diagnostics import Diagnostic, ModelError, Source, Span
from cutset.compiler.pipeline import Observer, Options, check_library, compile_model, emit, read_library
from cutset.compiler.syntax.format import format_text
from cutset.compiler.verify import Verifier
from cutset.runtime.errors import RunError
from cutset.runtime.events.event_failure import EventFailure
from cutset.runtime.runs.initialize import starting
from cutset.runtime.targets.build import build

T = TypeVar("T")
SECONDS = 5.0
MEMORY = 2**30
# An error message is read by a person.
LONGEST_MESSAGE = 20_000
# The file has classes alone: each is checked by itself.
NO_OBJECT = "E206"
_GRAMMAR = GrammarTexts()


class Input(NamedTuple):
    """The bytes of a file, and the folder in which it finds what it includes."""

    data: bytes
    folder: Path


class Outcome(NamedTuple):
    """`kind` is 'evaluated', 'translated' (with external functions, which are not run), 'checked' (classes alone), the
    code of the first error, or 'fault'; then `detail` says where. `stage` is the last that had a result."""

    kind: str
    detail: str = ""
    stage: str = ""


class TooSlow(BaseException):
    """The time is over. No Exception, so that nothing takes it for an error of the model."""


def input_number(seed: int, number: int) -> Input:
    """The input of a number: every other one is made by the grammar, the rest are damaged texts."""
    rng = random.Random(f"{seed} {number}")
    if number % 2:
        return Input(*damaged(rng))
    return Input(_GRAMMAR.model(rng).encode(), ROOT / "models")


def outcome_of(given: Input, path: Path, seconds: float = SECONDS) -> Outcome:
    """Takes the input through all stages, under limits of time and memory; it is written to `path`."""
    path.write_bytes(given.data)
    stages = _Stages()
    try:
        with within_limits(seconds):
            kind = _kind_of(path, given.folder, stages, seconds)
    except Exception as error:
        return Outcome("fault", _place_of(error), stages.last)
    except TooSlow as error:
        return Outcome("fault", _place_of(error), stages.last)
    return Outcome(kind, "", stages.last)


class _Stages:
    """The observer that knows the last stage, and checks all promises."""

    def __init__(self) -> None:
        self.last = "text"
        self._verify = Verifier()

    def __call__(self, stage: str, result: T) -> T:
        self.last = stage
        return self._verify(stage, result)


def _kind_of(path: Path, folder: Path, stages: _Stages, seconds: float) -> str:
    options = Options(library_path=(folder,), allow_external=True)
    try:
        _format(path)
        program = compile_model(path, None, options, Observer([stages]))
        for target in TARGETS:
            emit(program, target)
        if program.info.externals:
            return "translated"  # to build it is to import what a damaged text names
        stages.last = "run"
        try:
            with within_limits(seconds):
                _evaluate(program, "python")
        except TooSlow:  # it spares a compiler for all others, and takes ten times as long
            with within_limits(seconds):
                _evaluate(program, "c")
        return "evaluated"
    except ModelError as error:
        check_error(error)
        code = error.diagnostics[0].code
        return _check_classes(path, options) if code == NO_OBJECT else code
    except RunError as error:
        assert re.match(r"error\[E6\d\d\]: ", str(error)), f"an odd message: {error}"
        assert len(str(error)) <= LONGEST_MESSAGE, f"{error.code} is too long"
        return error.code


def _check_classes(path: Path, options: Options) -> str:
    try:
        check_library(read_library(path, options), options)
    except ModelError as error:
        check_error(error)
        return error.diagnostics[0].code
    return "checked"


def _evaluate(program: Program, target: str) -> None:
    """One right-hand side and one row of results: generated functions and tables run. As a run does, it ends where
    something fails."""
    model = build(emit(program, target), target)
    values = model.bind({})
    u = np.zeros(len(model.info.inputs) + len(model.info.delays))
    try:
        state = starting(model, values, 0.0, u)
    except EventFailure:
        return
    if model.fault():
        return
    rates = model.derivatives(0.0, state.x, u, values, state.m)
    if model.fault():
        return
    row = model.variables(np.zeros(1), state.x[None], u[None], values, state.m[None])
    assert rates.shape == state.x.shape and row.shape == (1, model.info.n_results)


def _format(path: Path) -> None:
    """A text that can be read has a layout, and that is the layout of itself."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        laid_out = format_text(Source("text", text))
    except (UnicodeDecodeError, ModelError):
        return
    assert format_text(Source("text", laid_out)) == laid_out, "the layout is not stable"


def check_error(error: ModelError) -> None:
    """An error has a code, places inside the texts, and words of a bearable length."""
    assert error.diagnostics, "an error that says nothing"
    shown = str(error)
    assert re.match(r"error\[E\d\d\d\]: ", shown), f"an odd message: {shown[:80]}"
    for diagnostic in error.diagnostics:
        longest = max(map(len, (diagnostic.message, diagnostic.hint, *diagnostic.notes)))
        assert longest <= LONGEST_MESSAGE, f"{diagnostic.code} is too long"
        for span in _spans(diagnostic):
            _check_span(span)


def _spans(diagnostic: Diagnostic) -> Iterator[Span]:
    if diagnostic.span is not None:
        yield diagnostic.span
    yield from (label.span for label in diagnostic.labels)


def _check_span(span: Span) -> None:
    lines = (span.source.text.removeprefix("\ufeff") + "x").splitlines()
    assert (span.line, span.column) <= (span.end_line, span.end_column), span
    assert 1 <= span.line <= span.end_line <= len(lines), span
    assert 1 <= span.column <= len(lines[span.line - 1]) + 1, span
    assert 1 <= span.end_column <= len(lines[span.end_line - 1]) + 1, span


def _place_of(error: BaseException) -> str:
    """The innermost places of ours: what two inputs have in common that find the same mistake."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if str(ROOT) in f.filename]
    places = " < ".join(f"{Path(f.filename).name}:{f.lineno}" for f in reversed(frames[-3:]))
    return f"{type(error).__name__}: {str(error)[:200]} at {places}"


def lower_limits(patch: pytest.MonkeyPatch) -> None:
    """The limits of the compiler are what takes seconds to reach; lower ones show the same."""
    patch.setattr("cutset.compiler.expressions.nodes.MOST_WORK", 300_000)
    patch.setattr("cutset.compiler.instantiate.tree.control_flow._MOST", 10_000)
    patch.setattr("cutset.compiler.instantiate.tree.declarations._MOST_SCALARS", 100_000)
    patch.setattr("cutset.compiler.instantiate.tree.submodels._MOST", 5_000)


@contextmanager
def within_limits(seconds: float = SECONDS, memory: int = MEMORY) -> Iterator[None]:
    """So much computing, then TooSlow; so many bytes above what is used at the start, then MemoryError."""

    def stop(number: int, frame: object) -> None:
        raise TooSlow(f"{seconds:g} s")

    before = resource.getrlimit(resource.RLIMIT_AS)
    handler = signal.signal(signal.SIGPROF, stop)
    resource.setrlimit(resource.RLIMIT_AS, (_used() + memory, before[1]))
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)
        resource.setrlimit(resource.RLIMIT_AS, before)


def _used() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * os.sysconf("SC_PAGE_SIZE")
