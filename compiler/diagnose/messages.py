"""Constructs the diagnostics of models that cannot be solved (E401 to E431, E503)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cutset.compiler.diagnostics import Diagnostic, Label
from cutset.contract.abridged import quoted
from cutset.contract.names import rpartition
from cutset.contract.quick_dataclass import dataclass

_MOST_LABELS = 6


@dataclass(frozen=True)
class Evidence:
    """The common contents of these messages: places (the first one is the main one), submodels, and notes."""

    places: Sequence[Label]
    instances: str
    notes: tuple[str, ...]


def too_many(title: str, hint: str, evidence: Evidence) -> Diagnostic:
    return _diagnostic("E401", title, hint, evidence)


def too_few(title: str, hint: str, evidence: Evidence) -> Diagnostic:
    return _diagnostic("E402", title, hint, evidence)


def none_fits(instances: str, open_names: str, missing: int, evidence: Evidence) -> Diagnostic:
    what = "1 equation" if missing == 1 else f"{missing} equations"
    title = f"no condition of the 'if' in {instances} holds, so nothing determines {open_names}: {what} too few"
    hint = "give a parameter a value for which one of them holds, or add 'else' with the equations for all other cases"
    return _diagnostic("E413", title, hint, evidence)


def floating(quantities: str, named: str, hint: str, evidence: Evidence) -> Diagnostic:
    title = f"the {quantities} in {named} are determined only up to a constant: none of them is fixed"
    return _diagnostic("E403", title, hint, evidence)


def loop(title: str, other: str, apart: bool, evidence: Evidence) -> Diagnostic:
    hint = f"remove one of them: the {other} around the loop is undetermined"
    if apart:
        hint = (
            f"remove one of them, or insert an element into the loop that depends on the {other} (a resistance, a "
            f"stiffness): the {other} around the loop is undetermined"
        )
    return _diagnostic("E404", title, hint, evidence)


def tied_joints(joints: str, between: str, evidence: Evidence) -> Diagnostic:
    """`between` tells what ties them: a connection, or elements of a drive line."""
    title = f"joints {joints} each have their own motion, but {between} their coordinates together"
    hint = (
        "in mbssim a drive line leads to one joint: a gear between two joints is a JointGear; another element can act "
        "between them if it has two cuts of three across variables and a force: (q, qd, qdd / f). The library mbs has "
        "the same classes, and no such limit"
    )
    return _diagnostic("E431", title, hint, evidence)


def meeting(named: str, quantity: str, other: str, evidence: Evidence) -> Diagnostic:
    title = f"{named} are connected directly, and each prescribes the {quantity}: nothing determines the {other} there"
    return _diagnostic(
        "E411", title, f"connect one of them elsewhere, or insert an element that depends on the {other}", evidence
    )


def given_twice(names: str, surplus: str, hint: str, evidence: Evidence) -> Diagnostic:
    title = f"the model has {surplus} too many: two equations determine {names}"
    return _diagnostic("E412", title, hint, evidence)


def cutset(title: str, other: str, evidence: Evidence) -> Diagnostic:
    hint = f"remove one of them, or add an element in parallel: nothing determines the {other} there"
    return _diagnostic("E405", title, hint, evidence)


def no_base(named: str, start: str, known: str, evidence: Evidence) -> Diagnostic:
    title = f"the position of {named} is undetermined: no element of this chain has a prescribed motion"
    return _diagnostic("E406", title, f"connect {start} to {known or 'an Inertial'}", evidence)


def wrong_way(elements: Sequence[str], named: str, far: str, near: str, base: str, evidence: Evidence) -> Diagnostic:
    is_, its = ("is", "its cut") if len(elements) == 1 else ("are", "the cut")
    title = f"{named} {is_} reversed: {its} {far} is nearer to '{base}' than {its} {near}"
    turned = rpartition(elements[0])[2]
    hint = (
        f"motion passes through such an element from cut {near} to cut {far}: begin the chain at '{base}', or reverse "
        f"the element with 'reversed {turned}' (or remove 'reversed' if it is already there)"
    )
    return _diagnostic("E407", title, hint, evidence)


def closed_chain(title: str, hint: str, evidence: Evidence) -> Diagnostic:
    return _diagnostic("E408", title, hint, evidence)


def redundant_conditions(joint: str, loop: str, not_searched: int, evidence: Evidence) -> Diagnostic:
    title = f"'{joint}' over-constrains its loop, and its conditions contradict each other: the loop cannot be closed"
    check = f"check the lengths and axes of {loop}"
    if not_searched:
        title = (
            f"'{joint}' over-constrains its loop, and {not_searched} equations close loops: too many to find those "
            "that are redundant"
        )
        check = "use mbs, where fewer equations close a loop"
    hint = (
        f"{check}; if {loop if not_searched else 'these'} should move in one plane, use a PlanarCutRevolute for "
        f"'{joint}', which has only the conditions "
        "in the plane; otherwise use a joint with fewer conditions, such as a CutSpherical, or add a joint to "
        "the loop"
    )
    return _diagnostic("E423", title, hint, evidence)


def no_inertia(joint: str, behind: str, hint: str, evidence: Evidence) -> Diagnostic:
    what = f"it moves only {behind}" if behind else "nothing is connected after it"
    title = f"joint '{joint}' moves no mass or inertia about its axis, so its acceleration is undetermined: {what}"
    return _diagnostic("E409", title, hint, evidence)


def start_only(named: str, hint: str, evidence: Evidence) -> Diagnostic:
    title = f"an equation always holds if it holds at the start, so nothing determines {named}"
    return _diagnostic("E410", title, hint, evidence)


def dependent(count: int, how: str, named: str, hint: str, evidence: Evidence) -> Diagnostic:
    title = f"{count} equations {how}" if count > 1 else "this equation has no unknown"
    return _diagnostic("E503", title + (f", so nothing determines {named}" if named else ""), hint, evidence)


def drops_out(count: int, named: str, one: bool, evidence: Evidence) -> Diagnostic:
    these, determine, them = (
        ("this equation", "determines", "it") if count == 1 else (f"{count} equations", "determine", "them")
    )
    cancel = "cancels" if one else "cancel"
    title = f"{these} {determine} nothing: {named} {cancel} in {them}"
    hint = f"change {them} so that {'it determines' if count == 1 else 'they determine'} {named}"
    return _diagnostic("E417", title, hint, evidence)


def no_joint(line: Sequence[str], opened: Sequence[str], free: Sequence[str], evidence: Evidence) -> Diagnostic:
    """`opened` are the cuts at which it ends, `free` unconnected cuts of other drive lines."""
    named = ", ".join(f"'{path}'" for path in line)
    title = f"the drive line of {named} leads to no joint, so nothing moves {'it' if len(line) == 1 else 'them'}"
    if opened:
        title = f"nothing is connected to {quoted(opened, 4)}: {title}"
    start = f"'{opened[0]}'" if len(opened) == 1 else "one end of it" if opened else "it"
    also = f"; nothing is connected to {quoted(free, 4)} either" if free else ""
    return _diagnostic(
        "E424",
        title,
        f"connect {start} to the joint that it should move, or to an element that leads to one{also}",
        evidence,
    )


def drive_turned(path: str, cuts: Sequence[str], evidence: Evidence) -> Diagnostic:
    """`cuts` are that on the motor's side and that on the joint's."""
    motor, joint = cuts
    title = f"'{path}' is reversed in its drive line: its cut {motor} leads to the joint, but its cut {joint} should"
    name = rpartition(path)[2]
    hint = (
        f"exchange the connections of '{path}:{motor}' and '{path}:{joint}', or reverse the element with 'reversed "
        f"{name}'"
    )
    return _diagnostic("E425", title, f"{hint} (or remove 'reversed' if it is already there)", evidence)


def no_place(
    givers: Sequence[str], carried: Iterable[str], lacking: str, wanted: tuple[str, str], evidence: Evidence
) -> Diagnostic:
    """`givers` are cuts that transmit the variables `carried`, which the cut `lacking` does not have; `wanted` is the
    cut class that has them, and the class of the element."""
    passes = "passes" if len(givers) == 1 else "pass"
    shown = quoted(carried, 4)
    title = f"{quoted(givers, 4)} {passes} on {shown} in addition to motion and force, but '{lacking}' cannot"
    cut_class, owner = wanted
    hint = (
        f"cuts of the class '{cut_class}' can: declare the cuts of '{owner}' as 'cut ({cut_class})' with all "
        "variables of the class, and "
        f"write the equations for them; or make '{owner}' a subclass of an element that has these, such as a gear"
    )
    return _diagnostic("E426", title, hint, evidence)


def _diagnostic(code: str, title: str, hint: str, evidence: Evidence) -> Diagnostic:
    labels = tuple(evidence.places[1:])
    left = len(labels) - _MOST_LABELS + 1
    notes = ((f"and {left} more {'place' if left == 1 else 'places'}",) if left > 0 else ()) + evidence.notes
    span = evidence.places[0].span if evidence.places else None
    return Diagnostic(code, title, span, hint, evidence.instances, labels[: _MOST_LABELS - 1], notes)
