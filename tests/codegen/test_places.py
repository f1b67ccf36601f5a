"""Places of stored values."""

from __future__ import annotations

from types import SimpleNamespace

from cutset.compiler.codegen.statements import _last_uses
from cutset.compiler.expressions.pool import Expr, Pool


class Known(set[Expr]):
    """Counts how often it is asked."""

    asked = 0

    def __contains__(self, node: object) -> bool:
        self.asked += 1
        return super().__contains__(node)


def test_shared_nodes_that_are_not_stored_are_walked_once_for_each_chunk():
    """The number of paths through a mechanism's expressions grows exponentially with its size."""
    pool = Pool()
    x = node = pool.variable("x")
    for _ in range(15):
        node = pool.add(pool.call("sin", node), pool.call("cos", node))
    known = Known()
    targets = [(pool.variable(f"y{k}"), node) for k in range(2)]
    last = _last_uses(
        SimpleNamespace(temporaries={x: None}, known=known, targets=targets),
        SimpleNamespace(count=3, number={x: 0}),
    )
    assert last == {x: 2} and known.asked < 100
