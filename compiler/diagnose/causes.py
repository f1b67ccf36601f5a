"""Finds the error in a model for which a stage has failed, from the most to the least specific.

Mechanisms are judged by their skeleton, everything else by the smallest sets of dependent equations and of undetermined
unknowns (`groups`). Does not guess: each hint rests on a fact of the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from cutset.compiler.diagnose import messages
from cutset.compiler.diagnose.frames import Link, Part, parts_of
from cutset.compiler.diagnose.groups import Group, groups_of
from cutset.compiler.diagnose.matrix import matrix_of
from cutset.compiler.diagnose.messages import Evidence
from cutset.compiler.diagnose.networks import explain_group
from cutset.compiler.diagnose.wording import Wording, in_short, listed, short
from cutset.compiler.diagnostics import Diagnostic, Label
from cutset.compiler.expressions.dependent_rows import TooLong
from cutset.compiler.flatten.aliases import eliminated
from cutset.compiler.flatten.connect import connection_sets
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.instantiate.instance import End, Join, Parameter, around
from cutset.contract.abridged import quoted
from cutset.contract.names import rpartition

# The limit on independent sets; a class that is used often causes as many.
_MOST_GROUPS = 20
# The search visits all rows of the model for each set: in large models fewer sets are explained, but at least this
# many.
_MOST_ROWS, _FEWEST_GROUPS = 100_000, 3


def explain(
    model: FlatModel, reported: tuple[Diagnostic, ...], residuals: tuple[str, ...], not_searched: int = 0
) -> list[Diagnostic]:
    """The causes of what was `said` about single equations; empty if none is found. `residuals` are the remains of
    equations that cannot hold; `not_searched` is the number of equations that close loops if redundant ones were not
    searched. Raises TooLong if none is found and the search takes too long."""
    matrix = matrix_of(model, eliminated(model))
    words = Wording(matrix)
    parts = parts_of(matrix)
    found, faulty = explain_chains(words, parts, {d.instance for d in reported})
    if not found:
        found = [d for d in (without_inertia(words, parts, d) for d in reported) if d is not None]
    try:
        groups = groups_of(matrix)
    except TooLong:
        if not found:
            raise
        return found
    loops, blamed = redundant_loops(words, parts, groups, not_searched)
    found += loops
    faulty |= blamed
    if not found:
        # A variable that is in no equation says nothing about the motion of its submodel.
        used = {j for row in matrix.rows for j in row}
        related = [group for group in groups if group.rows or not used.isdisjoint(group.columns)]
        touched = {name for group in related for name in words.instances(group.rows, group.columns)}
        touched |= {d.instance for d in reported}
        # After differentiation, equations may be singular that are not as they are written.
        ends, blamed = massless(words, parts, touched or (set() if groups else set(model.classes)))
        found += ends
        faulty |= blamed
    if faulty:
        groups = [g for g in groups if not faulty & set(words.instances(g.rows, g.columns))]
    contradicting = [g for g in groups if g.equations]
    # If something is undetermined and something else is determined twice, a connection is wrong: the open end shows
    # which.
    most = max(_FEWEST_GROUPS, min(_MOST_GROUPS, _MOST_ROWS // max(1, len(matrix.rows))))
    for group in sorted(groups, key=lambda g: bool(g.equations))[:most]:
        only = len(contradicting) == 1 and group.equations
        found.append(explain_group(words, group, residuals if only else ()))
    found = together(found, model.classes)
    left = len(groups) - most
    if left > 0:
        more = f"{left} more sets of equations or unknowns have such an error: fix these first"
        found[-1] = replace(found[-1], notes=(*found[-1].notes, more))
    return found


# --- alike ----------------------------------------------------------------------------------------


def together(found: Iterable[Diagnostic], classes: Mapping[str, str]) -> list[Diagnostic]:
    """The first of those that differ only in the path of a submodel, in order; it names the others."""
    alike: dict[tuple[str, ...], list[tuple[Diagnostic, str]]] = {}
    for k, diagnostic in enumerate(found):
        path = _common(diagnostic.instance.split(", "))
        key = _text(diagnostic, path, classes[path]) if path in classes and path else (str(k),)
        alike.setdefault(key, []).append((diagnostic, path))
    return [_of_all(members) for members in alike.values()]


def _of_all(members: list[tuple[Diagnostic, str]]) -> Diagnostic:
    first, path = members[0]
    if len(members) == 1:
        return first
    paths = [other for _, other in members]
    note = f"the same holds for {in_short(paths[1:], 6)}; this message shows '{path}'"
    return replace(first, notes=(note, *first.notes))


def _common(paths: list[str]) -> str:
    """The submodel that contains all of them."""
    return next((p for p in reversed(around(paths[0])) if all(p in around(path) for path in paths)), "")


def _text(diagnostic: Diagnostic, path: str, class_name: str) -> tuple[str, ...]:
    """The text without the path, and without the spaces that depend on its length in a table."""
    texts = (
        diagnostic.message,
        diagnostic.hint,
        diagnostic.instance,
        *diagnostic.notes,
        *(label.text for label in diagnostic.labels),
    )
    own = re.compile(rf"(?<![\w.)]){re.escape(path)}(?![\w(])")
    return class_name, diagnostic.code, *(" ".join(own.sub("*", text).split()) for text in texts)


# --- chains ---------------------------------------------------------------------------------------


_OF_MASS = frozenset({"kg", "kg.m2"})


def explain_chains(words: Wording, parts: Sequence[Part], reported: set[str]) -> tuple[list[Diagnostic], set[str]]:
    """The errors in the kinematic chains, and the elements of those chains. `said` are the submodels that a stage has
    reported: only these are blamed for being reversed."""
    found: list[Diagnostic] = []
    faulty: set[str] = set()
    bases = [instance for part in parts for instance, _ in part.bases]
    for part in parts:
        if not part.bases:
            found.append(_no_base(words, part, bases))
        elif len(part.bases) > 1:
            found.append(_two_bases(words, part))
        elif part.closing:
            found += [_closed(words, part, link) for link in part.closing]
        elif part.reversed_links and (not reported or reported & set(part.instances)):
            found.append(_wrong_way(words, part, part.reversed_links))
        else:
            continue
        faulty |= set(part.instances)
    return found, faulty


def redundant_loops(
    words: Wording, parts: Sequence[Part], groups: Sequence[Group], not_searched: int
) -> tuple[list[Diagnostic], set[str]]:
    """For joints that close loops: the redundant loops among the dependent equations, and these joints. `not_searched`
    is the number of equations that close loops if redundant ones were not searched."""
    touched = {words.instance(row) for group in groups if group.equations and group.unknowns for row in group.rows}
    found: dict[str, Diagnostic] = {}
    blamed: set[str] = set()
    for part in parts:
        for joint in part.cut_joints:
            if joint.instance not in touched or not {joint.first, joint.second} <= set(part.distance):
                continue
            name, *loop = words.known([joint.instance, *part.loop_of(joint)])
            blamed.add(joint.instance)
            # Without other elements they are constraints within one joint; wrong loops are reported as such.
            if loop and name not in found and not part.closing:
                evidence = _evidence(words, [name, *loop], ())
                found[name] = messages.redundant_conditions(name, quoted(loop), not_searched, evidence)
    return list(found.values()), blamed


def without_inertia(words: Wording, parts: Sequence[Part], reported: Diagnostic) -> Diagnostic | None:
    """For a reported joint that is a link: the parts that move with it have no inertia."""
    moving = _moving(words.model)
    for part in parts:
        for link in part.links:
            if link.instance == reported.instance and link.instance in moving and part.bases and not part.closing:
                joint, *behind = words.known([link.instance, *part.behind(link)])
                # A joint without mass behind one with mass leaves no solution for that one either.
                inner = massless(words, [part], behind)[0] if _is_any_of(_heavy(words.model), behind) else []
                if inner:
                    return inner[0]
                hint = "give a body that the joint moves a mass off the axis, or an inertia about the axis"
                if not behind:
                    hint = f"connect a body at {joint}:{_far(part, link)}"
                if set(words.known(part.closers)) & set(behind):
                    hint += f"; or, because its motion follows from a loop, connect a LoopJoint at {joint}:ext"
                hint += f" ({reported.message.rpartition(': ')[2]})"
                evidence = _evidence(words, [joint, *behind], ())
                return messages.no_inertia(joint, quoted(behind), hint, evidence)
    return None


def massless(words: Wording, parts: Sequence[Part], touched: Iterable[str]) -> tuple[list[Diagnostic], set[str]]:
    """The joints among the `touched` submodels that move no element with a mass or an inertia, each the first of its
    branch; and what they move. Joints with something at their cut for drives may be driven."""
    model, found, faulty = words.model, list[Diagnostic](), set[str]()
    moving = _moving(model)
    heavy = _heavy(model)
    drives = [words.known(e.instance for e in s.ends if not _is_frame_end(model, e)) for s in model.sets]
    driven = {name for names in drives if len(names) > 1 for name in names}
    for part in parts:
        if part.closing or not part.bases:
            continue
        closers = set(words.known(part.closers))
        for link in sorted(part.links, key=lambda k: max(part.distance[k.first], part.distance[k.second])):
            joint, *moved = words.known([link.instance, *part.behind(link)])
            others = [name for name in moved if name != joint]
            if link.instance not in moving or joint in faulty or joint in driven or closers & {*others}:
                continue
            if _is_any_of(heavy, [joint, *others]) or not _is_any_of(touched, [joint]):
                continue
            hint = f"connect a body at {joint}:{_far(part, link)}" + (", or further outward" if others else "")
            evidence = _evidence(words, [joint, *others], ())
            found.append(messages.no_inertia(joint, quoted(others), hint, evidence))
            faulty |= {joint, *moved}
    return found, faulty


def _moving(model: FlatModel) -> set[str]:
    """The submodels with a variable that has a derivative."""
    return {rpartition(str(variable.data))[0] for variable in model.derivatives}


def _heavy(model: FlatModel) -> set[str]:
    """The submodels with a mass or an inertia."""
    return {rpartition(p.name)[0] for p in model.parameters if p.unit in _OF_MASS and not _is_zero(p)}


def _is_any_of(paths: Iterable[str], elements: Sequence[str]) -> bool:
    """True if one of the paths is one of the elements or in it."""
    return any(f"{path}.".startswith(f"{element}.") for path in paths for element in elements)


def _is_zero(parameter: Parameter) -> bool:
    return all(e.op == "constant" and e.data == 0.0 for e in parameter.binding.elements)


def _is_frame_end(model: FlatModel, end: End) -> bool:
    return end.side == "node" or model.cuts[end.instance, end.name].is_frame


def _no_base(words: Wording, part: Part, bases: Sequence[str]) -> Diagnostic:
    first_cuts = {link.cuts[0] for link in part.links[:1]} or {name for _, name in words.model.cuts}
    open_cuts = [name for name in words.open_cuts(part.instances) if rpartition(name, ":")[2] in first_cuts]
    notes = (f"nothing is connected to {', '.join(open_cuts[:3])}",) if open_cuts else ()
    known = f"'{bases[0]}' or to an element that it leads to" if bases else ""
    if bases and not part.links:
        known = f"the part of the mechanism that moves with it and begins at '{bases[0]}'"
    first = [rpartition(name, ":")[0] for name in open_cuts]
    elements = words.known([*first, *part.instances])  # the chain should start where a cut is open
    start = f"'{open_cuts[0]}'" if len(open_cuts) == 1 else "its first element"
    return messages.no_base(quoted(elements), start, known, _evidence(words, elements, notes))


def _two_bases(words: Wording, part: Part) -> Diagnostic:
    bases = [instance for instance, _ in part.bases]
    between = words.known(part.loop_of(part.closing[0])) if part.closing else []
    way = f", with {quoted(between)} between them" if between else ""
    title = f"the motion of this chain is prescribed twice: by {quoted(bases)}{way}"
    hint = f"remove one of {quoted(bases)}; a mechanism that is held at both ends cannot be computed this way"
    return messages.closed_chain(title, hint, _evidence(words, [*bases, *between], ()))


def _closed(words: Wording, part: Part, link: Link) -> Diagnostic:
    links = part.loop_of(link)
    loop = words.known(links)
    closed = f"forms a loop of {quoted(loop)}"
    opening = (
        "close the loop with a joint that has neither closing=false nor a JointState, or with one made for this, such "
        "as a CutRevolute"
    )
    joins = [join for join in joins_of(words.model, {*links, *loop}) if not join.span.source.is_shipped]
    between = [join for join in joins if not leaves_loop(part, loop, join)]
    last = tuple(Label(join.span, "") for join in between[-1:])
    for frame in dict.fromkeys(f for k in part.links if k.instance in links for f in (k.first, k.second)):
        for element, own, cuts in connected_twice(words.model, part, frame):
            title = f"'{element}' is connected twice, to {quoted(cuts)}, so the mechanism {closed}"
            if own[0].span == own[-1].span:
                continue  # a ring, as written
            is_base = any(element == base for base, _ in part.bases)
            other = f"if the loop is real, {opening}" if is_base else "or use a separate element at each place"
            hint = f"remove one of these connections; {other}"
            places = [Label(own[-1].span, ""), Label(own[0].span, "the other one")]
            evidence = _evidence(words, [element, *loop], ())
            return messages.closed_chain(title, hint, replace(evidence, places=[*places, *evidence.places]))
    hint = (
        f"the elements of a chain pass the motion on from '{part.bases[0][0]}' outward, along one path only: {opening}"
    )
    evidence = _evidence(words, loop, ())
    title = f"the mechanism {closed}"
    return messages.closed_chain(title, hint, replace(evidence, places=[*last, *evidence.places]))


def _wrong_way(words: Wording, part: Part, links: Sequence[Link]) -> Diagnostic:
    elements = words.known(link.instance for link in links)
    join = next(
        join.span for connection in words.model.sets for join in connection.joins
        if elements[0] in (join.first.instance, join.second.instance)
    )  # fmt: skip
    evidence = Evidence([Label(join, ""), *words.places(elements)], in_short(elements, 6), ())
    first, second = links[0].cuts
    return messages.wrong_way(elements, quoted(elements), second, first, part.bases[0][0], evidence)


def _far(part: Part, link: Link) -> str:
    return link.cuts[1] if part.distance[link.second] > part.distance[link.first] else link.cuts[0]


def _evidence(words: Wording, instances: Sequence[str], notes: tuple[str, ...]) -> Evidence:
    """The places of the elements, and the connections between them, without those within an element."""
    chosen = set(instances)
    joins = {
        join.span: None for connection in words.model.sets for join in connection.joins
        if {join.first.instance, join.second.instance} & chosen and not join.span.source.is_shipped
    }  # fmt: skip
    connected = listed("connected by", [f"{span.text}  ({short(span)})" for span in joins])
    return Evidence(words.places(instances), in_short(list(instances), 6), (*notes, *connected))


# --- joints ---------------------------------------------------------------------------------------


def joins_of(model: FlatModel, instances: Iterable[str]) -> list[Join]:
    """The connections of frames of these elements, in the order of the text."""
    chosen = set(instances)
    found = [
        join for connection in model.sets for join in connection.joins
        if any(end.instance in chosen and _joins_frames(model, end) for end in (join.first, join.second))
    ]  # fmt: skip
    return sorted(found, key=lambda join: (join.span.source.name, join.span.line, join.span.column))


def leaves_loop(part: Part, loop: Iterable[str], join: Join) -> bool:
    """True if an element that passes no motion on and is not in the loop, such as a body, is at one end of the
    connection."""
    single = {instance for instance, _ in part.others}.difference(loop)
    return join.first.instance in single or join.second.instance in single


def connected_twice(model: FlatModel, part: Part, frame: int) -> Iterator[tuple[str, list[Join], list[str]]]:
    """Elements with one frame whose connections alone merge several frames into one: each with these connections and
    the other cuts."""
    for element, at in [*part.others, *part.bases]:
        if at != frame or sum(i == element and cut.is_frame for (i, _), cut in model.cuts.items()) != 1:
            continue
        own = joins_of(model, [element])
        connection = next(s for s in model.sets if own and own[0] in s.joins)
        without = connection_sets([join for join in connection.joins if join not in own])
        apart: dict[int, tuple[Join, str]] = {}
        for join in own:
            other = join.second if join.first.instance == element else join.first
            number = next((k for k, s in enumerate(without) if other in s.ends), -1 - len(apart))
            apart.setdefault(number, (join, f"{other.instance}:{other.name}" if other.side != "node" else other.name))
        if len(apart) > 1:
            yield element, [join for join, _ in apart.values()], [cut for _, cut in apart.values()]


def _joins_frames(model: FlatModel, end: End) -> bool:
    return end.side != "node" and model.cuts[end.instance, end.name].is_frame
