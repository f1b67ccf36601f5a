"""Finds by the order of evaluation from which submodel the value of a variable comes."""

from __future__ import annotations

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.model import FlatModel, Origin
from cutset.compiler.sort.system import SolvedSystem

_Place = tuple[object, str]
# The number of a set of connected cuts; OWN for an equation that is not one of connections.
OWN = -1
# Names in an equation of the model, and its set.
_Equation = tuple[frozenset[str], int]


class Sources:
    """From where each variable gets its value: an equation computes it, or passes it on as the alias of a variable that
    is nearer to the equation which computes both."""

    def __init__(self, flat: FlatModel, solved: SolvedSystem):
        ordered = solved.sorted_system
        self._aliases = {alias.name: alias for alias in ordered.system.aliases}
        self._computed = {str(a.unknown.data): a.equation for a in solved.assignments}
        self._states = {str(state.data) for state in ordered.states}
        self._differentiated = {str(variable.data) for variable in flat.derivatives}
        self._together: set[str] = set()
        torn = {a.unknown for a in solved.assignments if a.is_torn}
        for block in ordered.blocks:
            if not torn.isdisjoint(block.unknowns):
                # The residuals of iteration variables need not contain them, but their matched equations do.
                matched = zip(block.unknowns, block.equations, strict=True)
                self._computed |= {str(unknown.data): equation for unknown, equation in matched}
                self._together |= {str(unknown.data) for unknown in block.unknowns}
        self._equations: dict[_Place, list[_Equation]] = {}
        for equation, number in zip(flat.equations, flat.set_of, strict=True):
            here = self._equations.setdefault((equation.span, equation.instance), [])
            for left, right in zip(equation.left.elements, equation.right.elements, strict=False):
                names = frozenset(str(v.data) for side in (left, right) for v in variables_of(side))
                here.append((names, number))
        self._members: dict[str, list[str]] = {}
        for name in self._aliases:
            self._members.setdefault(self._followed(name), []).append(name)
        self._found: dict[str, int] = {}
        self._searched: set[str] = set()

    def of(self, name: str) -> int | None:
        """The set of connected cuts through which it comes, or OWN; None for what comes from outside the model, and for
        a constant that equations with variables give."""
        followed = self._followed(name)
        if followed not in self._searched:
            self._searched.add(followed)
            self._found |= self._search(followed) if followed else self._constants()
        return self._found.get(name)

    def varies(self, name: str) -> bool:
        """False for a constant, and for an expression of parameters."""
        return self._followed(name) != ""

    def is_iterated(self, name: str) -> bool:
        """True if a system of equations contains it, in which what computes what is a matter of choice."""
        return self._followed(name) in self._together

    def _followed(self, name: str) -> str:
        """The variable that a variable is an alias of; empty for a constant."""
        while name in self._aliases:
            value = _bare(self._aliases[name].value)
            name = str(value.data) if value.op == "variable" else ""
        return name

    def _search(self, followed: str) -> dict[str, int]:
        """The source of a variable and its aliases, from the one that an equation computes on, breadth first: first by
        equations that contain nothing else that varies, then by others, in which it has the factor zero."""
        members = {followed, *self._members.get(followed, ())}
        passing = [e for name in members if name in self._aliases for e in self._of(self._aliases[name].origin)]
        reached = self._first(followed, members)
        for is_strict in (True, False):
            meeting: dict[str, list[_Equation]] = {}
            for names, number in dict.fromkeys(passing):
                if not is_strict or not any(map(self.varies, names - members)):
                    for name in names & members:
                        meeting.setdefault(name, []).append((names & members, number))
            waiting = list(reached)
            for name in waiting:
                for names, number in meeting.get(name, ()):
                    for other in sorted(names - reached.keys()):
                        reached[other] = number
                        waiting.append(other)
        return reached

    def _constants(self) -> dict[str, int]:
        """The sources of constants, in the order in which equations without a variable give one after the other."""
        members = set(self._members.get("", ()))
        passing = dict.fromkeys(e for name in sorted(members) for e in self._of(self._aliases[name].origin))
        closed = [e for e in passing if e[0] <= members]
        meeting: dict[str, list[int]] = {}
        for k, (names, _) in enumerate(closed):
            for name in names:
                meeting.setdefault(name, []).append(k)
        missing = [set(names) for names, _ in closed]
        reached: dict[str, int] = {}
        waiting = [k for k, names in enumerate(missing) if len(names) == 1]
        for k in waiting:
            for name in missing[k] - reached.keys():
                reached[name] = closed[k][1]
                for other in meeting[name]:
                    missing[other].discard(name)
                    waiting += [other] if len(missing[other]) == 1 else []
        return reached

    def _first(self, followed: str, members: set[str]) -> dict[str, int]:
        """The member that is a state, or one in the equation that computes them all."""
        if followed in self._states:
            return dict.fromkeys([n for n in (followed, *sorted(members)) if n in self._differentiated][:1], OWN)
        equation = self._computed.get(followed)
        if equation is None:
            return {}
        content, origin = {str(v.data) for v in variables_of(equation.residual)}, equation.origin
        # Several equations have the place of a statement `connect`, or of an equation of vectors.
        found = [({*map(self._followed, names)} - {""}, names & members, number) for names, number in self._of(origin)]
        known = [(varying != content, len(varying) < 2, n, number) for varying, names, number in found for n in names]
        begin = f"{origin.instance}." if origin.instance else ""
        known = sorted(known) or sorted((True, True, n, OWN) for n in members if n.startswith(begin))
        return {n: number for *_, n, number in known[:1]}

    def _of(self, origin: Origin) -> list[_Equation]:
        return self._equations.get((origin.span, origin.instance), [])


def _bare(value: Expr) -> Expr:
    return value.args[0] if value.op == "neg" else value
