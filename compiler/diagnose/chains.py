"""Mistakes of mechanisms, seen in their skeleton: no base, an element the wrong way round, a loop, no inertia."""

from __future__ import annotations

from collections.abc import Sequence

from cutset.compiler.diagnose import messages
from cutset.compiler.diagnose.frames import Link, Part
from cutset.compiler.diagnose.messages import Evidence
from cutset.compiler.diagnose.wording import Wording, listed, short, some
from cutset.compiler.diagnostics import Diagnostic, Label


def explain_chains(words: Wording, parts: Sequence[Part], said: set[str]) -> tuple[list[Diagnostic], set[str]]:
    """What is wrong with the chains of a mechanism, and the elements of those that are. `said` are the submodels that a
    stage has complained of: elements that stand the wrong way round are blamed for that only."""
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
        elif part.reversed_links and (not said or said & set(part.instances)):
            found.append(_wrong_way(words, part, part.reversed_links))
        else:
            continue
        faulty |= set(part.instances)
    return found, faulty


def without_inertia(words: Wording, parts: Sequence[Part], said: Diagnostic) -> Diagnostic | None:
    """For what was said of a joint that is a link: what moves with it."""
    for part in parts:
        for link in part.links:
            if link.instance == said.instance and part.bases and not part.closing:
                behind = part.behind(link)
                hint = "give a body that moves with it a mass off the axis, or an inertia about it"
                if not behind:
                    hint = f"connect a body at {link.instance}:{_far(part, link)}"
                hint += f" ({said.message.rpartition(': ')[2]})"
                evidence = _evidence(words, [link.instance, *behind], ())
                return messages.no_inertia(link.instance, some(behind), hint, evidence)
    return None


def _no_base(words: Wording, part: Part, bases: Sequence[str]) -> Diagnostic:
    cut = part.links[0].cuts[0] if part.links else ""
    open_cuts = [name for name in words.open_cuts(part.instances) if name.rpartition(":")[2] == cut]
    notes = (f"nothing is connected to {', '.join(open_cuts[:3])}",) if open_cuts else ()
    known = f"'{bases[0]}'" if bases else ""
    one = len(part.instances) == 1
    return messages.no_base(some(part.instances), one, known, _evidence(words, part.instances, notes))


def _two_bases(words: Wording, part: Part) -> Diagnostic:
    bases = [instance for instance, _ in part.bases]
    between = part.loop_of(part.closing[0]) if part.closing else []
    way = f", with {some(between)} between them" if between else ""
    title = f"the motion of this chain is given twice: by {some(bases)}{way}"
    hint = f"take one of {some(bases)} away; a mechanism that is held at both ends cannot be computed this way"
    return messages.closed_chain(title, hint, _evidence(words, [*bases, *between], ()))


def _closed(words: Wording, part: Part, link: Link) -> Diagnostic:
    loop = part.loop_of(link)
    title = f"the mechanism is closed to a loop by {some(loop)}"
    hint = (
        f"the elements of a chain hand the motion on from '{part.bases[0][0]}' outward, each is reached one way only: "
        "open the loop at one element, and hold its ends together by a force, a stiff spring say"
    )
    return messages.closed_chain(title, hint, _evidence(words, loop, ()))


def _wrong_way(words: Wording, part: Part, links: Sequence[Link]) -> Diagnostic:
    elements = [link.instance for link in links]
    join = next(
        join.span for connection in words.model.sets for join in connection.joins
        if elements[0] in (join.first.instance, join.second.instance)
    )  # fmt: skip
    evidence = Evidence([Label(join, ""), *words.places(elements)], ", ".join(elements[:6]), ())
    first, second = links[0].cuts
    return messages.wrong_way(elements, some(elements), second, first, part.bases[0][0], evidence)


def _far(part: Part, link: Link) -> str:
    return link.cuts[1] if part.distance[link.second] > part.distance[link.first] else link.cuts[0]


def _evidence(words: Wording, instances: Sequence[str], notes: tuple[str, ...]) -> Evidence:
    """Places of the elements, and the connections among them."""
    chosen = set(instances)
    joins = {
        join.span: None for connection in words.model.sets for join in connection.joins
        if {join.first.instance, join.second.instance} & chosen
    }  # fmt: skip
    connected = listed("connected by", [f"{span.text}  ({short(span)})" for span in joins])
    return Evidence(words.places(instances), ", ".join(list(instances)[:6]), (*notes, *connected))
