"""Repeats the structures of the loops of events in C for ctypes. A test compares their sizes with those in C."""

from __future__ import annotations

from ctypes import Structure, c_double, c_long, c_void_p
from typing import Any

from cutset.runtime.c_records import Report


def _fields(kind: Any, names: str) -> list[tuple[str, Any]]:
    return [(name, kind) for name in names.split()]


class Moment(Structure):
    """``struct cutset_moment``."""

    _fields_ = [
        ("t", c_double),
        *((name, c_void_p) for name in ("x", "m", "conditions", "truths", "samples", "scales", "at", "reach")),
        ("acted", c_long),
    ]


class Tally(Structure):
    """``struct cutset_tally``."""

    _fields_ = [
        *((name, c_double) for name in ("calm_step", "calm_until", "latest_event")),
        *((name, c_long) for name in ("rows", "rounds", "steps", "rejected", "evaluations")),
        *((name, c_long) for name in ("state_events", "sample_events", "time_events")),
        *((name, c_long) for name in ("stiff", "gentle", "segments", "stiff_segments", "left", "trust")),
        ("stiff_since", c_double),
    ]


class Limit(Structure):
    """``struct cutset_limit``."""

    _fields_ = [("parameter", c_long), ("least", c_double), ("most", c_double)]


class Written(Structure):
    """``struct cutset_written``."""

    _fields_ = [("array", c_long), ("index", c_long), ("sign", c_double)]


class Wanted(Structure):
    """``struct cutset_wanted``."""

    _fields_ = [("variable", Written), *_fields(c_long, "value of_loop")]


class StartData(Structure):
    """``struct cutset_start``."""

    _fields_ = [
        *_fields(c_long, "n_parameters n_used n_limits n_starts n_startable n_conditions n_iterations n_copies"),
        *_fields(c_long, "n_written n_wanted n_loops"),
        *_fields(c_void_p, "p given c s nominals tolerance begins first_w start_given start_value guesses"),
        *_fields(c_void_p, "used iterations copies loops limits written wanted"),
        ("has_large_states", c_long),
    ]


class JumpData(Structure):
    """``struct cutset_jumps``."""

    _fields_ = [
        *_fields(c_long, "n n_before"),
        *_fields(c_void_p, "places made"),
        ("t", c_double),
        *_fields(c_void_p, "x m flags"),
        *_fields(c_long, "has_after restarted"),
        *_fields(c_void_p, "key after found sizes held decided slow size one two k"),
    ]


class EventData(Structure):
    """``struct cutset_events``."""

    _fields_ = [
        *_fields(
            c_long, "n_modes n_relations n_discrete n_branches n_whens n_assertions n_variables n_known n_isolated"
        ),
        *_fields(c_long, "n_samples n_rivals n_continuous n_work n_kept"),
        *_fields(c_void_p, "kinds places opposites timed samples whens branch_of terminates rivals continuous"),
        *_fields(c_void_p, "rounds settled"),
        *_fields(c_void_p, "truths directions isolation start"),
        *_fields(c_void_p, "outputs limits breaks break_jumps"),
        ("n_breaks", c_long),
        *_fields(c_long, "n_outputs capacity is_automatic is_implicit rows_are_checked"),
        ("solver", c_void_p),
        *_fields(c_double, "span run_span max_step last_row"),
        ("control", c_void_p),
        *_fields(c_void_p, "history row_t row_x row_m row_guesses row_delayed"),
        ("past", c_void_p),
        ("inputs_changed", c_long),
        *_fields(Moment, "now state before"),
        ("jumps", JumpData),
        ("tally", Tally),
        ("kept_tally", Tally),
        ("report", Report),
        *_fields(c_double, "kept_pace y_t"),
        *_fields(c_void_p, "kept_w kept_sizes kept_history w_copy work"),
        *_fields(c_void_p, "y y_x y_m y_row te acting updated m values seen moved"),
        *_fields(c_void_p, "g g_ahead slopes rest dx dx_ahead z crossed delayed constant searched"),
        *_fields(c_void_p, "due near turned arrived"),
        *_fields(c_long, "has_y has_start is_alone ended failed refused arrives stops_at_events is_ticked"),
        *_fields(c_double, "resumes_at first_step"),
    ]


class Quantity(Structure):
    """``struct cutset_quantity``."""

    _fields_ = [*_fields(c_long, "array index how"), ("sign", c_double)]


class ManyData(Structure):
    """``struct cutset_many``."""

    _fields_ = [
        *_fields(c_long, "n_set n_kept"),
        *_fields(c_void_p, "set kept values strides at_ends"),
        *_fields(c_long, "has_trajectories needs_variables"),
        *_fields(c_void_p, "results seconds status is_over"),
    ]
