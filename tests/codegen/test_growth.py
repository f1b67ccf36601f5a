"""Chains of revolute links: operations and statements grow linearly, and nothing recurses over the length."""

import sys

import pytest
from chain import chain_text

from cutset.compiler.codegen.emit import emit
from cutset.compiler.pipeline import compile_model


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("chains")
    result = {}
    limit = sys.getrecursionlimit()
    for links in (6, 12, 36):
        path = folder / f"chain{links}.mo"
        path.write_text(chain_text(links))
        sys.setrecursionlimit(400)  # the depth may not depend on the length
        try:
            result[links] = compile_model(path, None)
        finally:
            sys.setrecursionlimit(limit)
    return result


def test_operations_grow_linearly(programs):
    for count in ("mul_div", "add_sub", "functions"):
        n6, n12, n36 = (getattr(programs[n].statistics, count) for n in (6, 12, 36))
        assert n36 - n12 == pytest.approx(4 * (n12 - n6), rel=0.05), count


def test_no_system_is_larger_than_one(programs):
    assert all(not p.statistics.linear_systems and not p.statistics.nonlinear_systems for p in programs.values())


def test_c_functions_stay_short(programs):
    text = emit(programs[36], "c")["model.c"]
    for function in text.split("\nstatic void ")[1:]:
        assert function.split("\n}")[0].count(";") < 600
