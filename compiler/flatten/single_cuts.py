"""Reports single cuts with several connections. Knows no equations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cutset.compiler.diagnostics import Diagnostic, Label
from cutset.compiler.flatten import messages
from cutset.compiler.flatten.model import ConnectionSet
from cutset.compiler.instantiate.instance import Cut, End

Key = tuple[str, str]


def crowded(sets: Sequence[ConnectionSet], cuts: Mapping[Key, Cut], name: str) -> Iterator[Diagnostic]:
    """E314 for each set of more than two cuts one of which is single. A cut that passes on an inner single cut is
    single too. `name` is that of the model."""
    single = {key: key for key, cut in cuts.items() if cut.single}
    if not single:
        return
    within = [(end, connection) for connection in sets for end in connection.ends if end.side == "inside"]
    for end, connection in sorted(within, key=lambda pair: -len(pair[0].instance)):  # inner cuts have the longer path
        for key in _held(connection, single)[:1]:
            single.setdefault((end.instance, end.name), single[key])
    for connection in sets:
        ends = [end for end in connection.ends if end.side != "node"]
        held = _held(connection, single)
        if held and len(ends) > 2:
            yield _refused(connection, ends, single[held[0]], held[0], cuts, name)


def _held(connection: ConnectionSet, single: Mapping[Key, Key]) -> list[Key]:
    """The single cuts of a set that have a connection from outside."""
    keys = [(end.instance, end.name) for end in connection.ends if end.side == "outside"]
    return [key for key in keys if key in single]


def _refused(
    connection: ConnectionSet, ends: Sequence[End], declared: Key, here: Key, cuts: Mapping[Key, Cut], name: str
) -> Diagnostic:
    others = [_name((end.instance, end.name)) for end in ends if (end.instance, end.name) != here]
    joins = [j for j in connection.joins if here in {(e.instance, e.name) for e in (j.first, j.second)}]
    join = (joins or connection.joins)[-1]
    label = Label(cuts[declared].span, f"{_name(declared)} is declared as single here")
    return messages.single_cut_shared(_name(here), others, join.span, (label,), join.instance or name)


def _name(key: Key) -> str:
    instance, cut = key
    return f"{instance}:{cut}" if instance else cut
