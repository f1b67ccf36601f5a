"""Which unknowns stand in which equation."""

from __future__ import annotations

from dataclasses import replace

from models_from_text import translate

from cutset.compiler.sort.incidence import incidence_of


def test_rows_are_numbered_as_the_unknowns_and_ascend() -> None:
    system = translate(
        "model M\n input u\n local x(start=1), y, z\n der(x) = y + z*u\n x + y^2 = z\n y*x = u\nend\n"
    ).system
    names = [str(v.node.data) for v in system.unknowns]
    incidence = incidence_of(system)
    found = [{names[v] for v in row} for row in incidence.rows]
    assert found == [{"der(x)", "y", "z"}, {"x", "y", "z"}, {"x", "y"}]
    turned = incidence_of(replace(system, unknowns=system.unknowns[::-1]))
    last = len(names) - 1
    assert turned.rows == tuple(tuple(sorted(last - v for v in row)) for row in incidence.rows)
    assert turned.derivative[last - names.index("x")] == last - names.index("der(x)")


def test_an_attribute_weighs_more_than_a_start_value() -> None:
    system = translate(
        "model M\n local a(start=1), b(state=prefer), c(state=avoid, start=1), d\n der(a) = 1\n der(b) = 1\n der(c) = "
        "1\n der(d) = 1\nend\n"
    ).system
    preferences = dict(zip((str(u.node.data) for u in system.unknowns), incidence_of(system).preference, strict=False))
    assert (preferences["a"], preferences["b"], preferences["c"], preferences["d"]) == (1, 2, -1, 0)
