"""The diagnostics of models that cannot be solved (E401 to E431, E503), one constructor each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cutset.compiler.diagnostics import Diagnostic, Label

_MOST_LABELS = 6


@dataclass(frozen=True)
class Evidence:
    """What all these messages show: places (the first one leads), the submodels they are about, and notes."""

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
    hint = "give a parameter a value for which one of them holds, or write 'else' and what holds in all other cases"
    return _diagnostic("E413", title, hint, evidence)


def floating(quantities: str, named: str, hint: str, evidence: Evidence) -> Diagnostic:
    title = f"the {quantities} in {named} are known only up to a common value: nothing gives one of them"
    return _diagnostic("E403", title, hint, evidence)


def loop(title: str, other: str, apart: bool, evidence: Evidence) -> Diagnostic:
    hint = f"take one of them away: as it is, any {other} could go round"
    if apart:
        hint = (
            f"take one of them away, or put something into the loop that depends on the {other} (a resistance, a "
            f"stiffness): as it is, any {other} could go round"
        )
    return _diagnostic("E404", title, hint, evidence)


def tied_joints(joints: str, between: str, evidence: Evidence) -> Diagnostic:
    """`between` says what ties them: a connection, or elements of a drive line."""
    title = f"joints {joints} each give a motion of their own, but {between} their coordinates together"
    hint = (
        "in a tree of mbssim a drive line leads to one joint; the library mbs, with the same classes, has joints that "
        "depend on each "
        "other. Between two joints of mbssim there can be an element with two cuts of three across variables and a "
        "force: (q, qd, qdd / f)"
    )
    return _diagnostic("E431", title, hint, evidence)


def meeting(named: str, quantity: str, other: str, evidence: Evidence) -> Diagnostic:
    title = (
        f"{named} are connected directly, and each gives the {quantity} there: any {other} could go round between them"
    )
    return _diagnostic(
        "E411", title, f"connect one of them elsewhere, or put something between that depends on the {other}", evidence
    )


def given_twice(names: str, surplus: str, hint: str, evidence: Evidence) -> Diagnostic:
    title = f"the model has {surplus} too many: two equations say what {names}"
    return _diagnostic("E412", title, hint, evidence)


def cutset(title: str, other: str, evidence: Evidence) -> Diagnostic:
    hint = f"take one of them away, or give it a way round: as it is, nothing determines the {other} there"
    return _diagnostic("E405", title, hint, evidence)


def no_base(named: str, one: bool, start: str, known: str, evidence: Evidence) -> Diagnostic:
    title = f"nothing says where {named} {'is' if one else 'are'}: no element of this chain has a given motion"
    return _diagnostic("E406", title, f"connect {start} to {known or 'an Inertial'}", evidence)


def wrong_way(elements: Sequence[str], named: str, far: str, near: str, base: str, evidence: Evidence) -> Diagnostic:
    stands, its = ("stands", "its cut") if len(elements) == 1 else ("stand", "the cut")
    title = f"{named} {stands} the wrong way round: {its} {far} is nearer to '{base}' than {its} {near}"
    turned = elements[0].rpartition(".")[2]
    hint = (
        f"motion passes through such an element from cut {near} to cut {far}: begin the chain at '{base}', or turn the "
        f"element round with 'reversed {turned}' (take that word away where it stands already)"
    )
    return _diagnostic("E407", title, hint, evidence)


def closed_chain(title: str, hint: str, evidence: Evidence) -> Diagnostic:
    return _diagnostic("E408", title, hint, evidence)


def redundant_conditions(joint: str, loop: str, evidence: Evidence) -> Diagnostic:
    title = (
        f"'{joint}' asks for more than its loop leaves open, and its conditions contradict each other: the loop cannot "
        "be closed"
    )
    hint = (
        f"check the lengths and axes of {loop}; where these are meant to move in one plane, PlanarCutRevolute for "
        f"'{joint}' asks for the conditions "
        "in the plane alone; elsewhere take a joint with fewer conditions, such as CutSpherical, or one joint more in "
        "the loop"
    )
    return _diagnostic("E423", title, hint, evidence)


def no_inertia(joint: str, behind: str, hint: str, evidence: Evidence) -> Diagnostic:
    what = f"all that moves with it is {behind}" if behind else "nothing is connected behind it"
    title = f"joint '{joint}' moves no mass or inertia about its axis, so its acceleration has no value: {what}"
    return _diagnostic("E409", title, hint, evidence)


def start_only(named: str, hint: str, evidence: Evidence) -> Diagnostic:
    title = f"an equation holds by itself once it holds at the start, so it determines nothing: {named} stay open"
    return _diagnostic("E410", title, hint, evidence)


def dependent(count: int, how: str, named: str, hint: str, evidence: Evidence) -> Diagnostic:
    title = f"{count} equations {how}" if count > 1 else "this equation has no unknown"
    return _diagnostic("E503", title + (f"; so {named} stay open" if named else ""), hint, evidence)


def drops_out(count: int, named: str, one: bool, evidence: Evidence) -> Diagnostic:
    these, determines, them = (
        ("this equation", "determines", "it") if count == 1 else (f"{count} equations", "determine", "them")
    )
    drop, stay = ("drops", "stays") if one else ("drop", "stay")
    title = f"{these} {determines} nothing: {named} {drop} out of {them}, and so {stay} open"
    hint = f"write into {them} what {named} {'depends' if one else 'depend'} on"
    return _diagnostic("E417", title, hint, evidence)


def no_joint(line: Sequence[str], opened: Sequence[str], free: Sequence[str], evidence: Evidence) -> Diagnostic:
    """`opened` are the cuts at which it ends, `free` cuts of other drive lines that nothing is connected to."""
    named = ", ".join(f"'{path}'" for path in line)
    title = f"the drive line of {named} leads to no joint, so nothing moves {'it' if len(line) == 1 else 'them'}"
    if opened:
        title = f"nothing is connected to {_some(opened)}: {title}"
    start = f"'{opened[0]}'" if len(opened) == 1 else "one end of it" if opened else "it"
    also = f"; nothing is connected to {_some(free)} either" if free else ""
    return _diagnostic(
        "E424", title, f"connect {start} to the joint that it is to move, or to what leads to one{also}", evidence
    )


def drive_turned(path: str, cuts: Sequence[str], evidence: Evidence) -> Diagnostic:
    """`cuts` are that of the motor's side and that of the joint's."""
    motor, joint = cuts
    title = (
        f"'{path}' stands the wrong way round in its drive line: its cut {motor} leads to the joint, where its cut "
        f"{joint} belongs"
    )
    name = path.rpartition(".")[2]
    hint = (
        f"exchange what is connected to '{path}:{motor}' and to '{path}:{joint}', or turn it round with 'reversed "
        f"{name}'"
    )
    return _diagnostic("E425", title, f"{hint} (take that word away where it stands already)", evidence)


def no_place(
    givers: Sequence[str], carried: Iterable[str], lacking: str, wanted: tuple[str, str], evidence: Evidence
) -> Diagnostic:
    """`givers` are cuts that hand on the variables `carried`, for which the cut `lacking` has no place; `wanted` is the
    class of cuts that has it, and the class of the element."""
    hands = "hands" if len(givers) == 1 else "hand"
    title = (
        f"{_some(givers)} {hands} on {_some([*carried])} beside motion and force, and '{lacking}' has no place for it"
    )
    cut_class, owner = wanted
    hint = (
        f"cuts of the class '{cut_class}' have it: declare those of '{owner}' as 'cut ({cut_class})' with all "
        "variables of the class, and "
        f"write what it hands on; or make '{owner}' a subclass of an element that does so, as a gear does"
    )
    return _diagnostic("E426", title, hint, evidence)


def _some(names: Sequence[str], most: int = 4) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")


def _diagnostic(code: str, title: str, hint: str, evidence: Evidence) -> Diagnostic:
    labels = tuple(evidence.places[1:])
    left = len(labels) - _MOST_LABELS + 1
    notes = ((f"and {left} more {'place' if left == 1 else 'places'}",) if left > 0 else ()) + evidence.notes
    span = evidence.places[0].span if evidence.places else None
    return Diagnostic(code, title, span, hint, evidence.instances, labels[: _MOST_LABELS - 1], notes)
