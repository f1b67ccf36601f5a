"""Creates equations of terminals: bound in the parentheses of a submodel, or by default.

`submodel (A) a(x = e)` is the equation `a.x = e` of the surrounding model. `default x = e` is the equation `x = e`
unless the terminal is used from outside: an equation of another submodel or of a surrounding model contains it, it is
bound, or a cut that contains it is connected from outside. Uses in its own class do not count. Does not check whether
those equations could be solved for it.
"""

from __future__ import annotations

from collections.abc import Iterable

from cutset.compiler.diagnostics import ModelError, Span
from cutset.compiler.expressions.array import Array, fitted, shape_words
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.instance import ArrayEquation, Join
from cutset.compiler.instantiate.names.classes import TERMINALS, ClassBody
from cutset.compiler.instantiate.tree.scope import Within
from cutset.compiler.instantiate.tree.submodels import spread
from cutset.compiler.instantiate.values.evaluate import evaluate
from cutset.compiler.syntax import tree
from cutset.contract.names import partition

Stated = tuple[list[ArrayEquation], list[Join]]


def bound_terminals(here: Within) -> list[ArrayEquation]:
    """The equations `a.x = e` of the submodels of one node; errors are reported."""
    equations = []
    for name, (item, _) in here.node.body.submodels.items():
        children = [child for child in here.submodels.children[here.node, name] if not child.is_absent]
        for binding in item.bindings if children else ():
            declared = children[0].body.variables.get(binding.name)
            if declared is None or declared.kind not in TERMINALS:
                continue
            value = _value(here, binding.value)
            values = (child.values.get(binding.name) for child in children)
            terminals = [terminal for terminal in values if terminal is not None]
            if value is None or len(terminals) < len(children):
                continue
            shape, of_one = here.submodels.shapes[here.node, name], len(terminals[0].shape)
            elements = spread(here, value, of_one, shape, binding.name, binding.span)
            for terminal, element in zip(terminals, elements or (), strict=False):
                own = _shaped(here, element, terminal, binding.name, binding.value, binding.span)
                if own is None:
                    break
                equations.append(ArrayEquation(terminal, own, binding.span, here.node.path))
    return equations


def default_equations(scopes: list[Within], statements: list[Stated]) -> dict[str, list[ArrayEquation]]:
    """The effective defaults, by the path of the node."""
    waiting = [(here, item) for here in scopes for item in here.node.body.defaults.values()]
    waiting = [(here, item) for here, item in waiting if item.name in here.node.values]
    if not waiting:
        return {}
    derivatives = scopes[0].translation.derivatives
    users = _users([equation for equations, _ in statements for equation in equations], derivatives)
    connected = {
        (end.instance, partition(end.name, "(")[0])
        for _, joins in statements
        for join in joins
        for end in (join.first, join.second)
        if end.side == "outside"
    }
    held: dict[str, list[ArrayEquation]] = {}
    for here, item in waiting:
        node, terminal = here.node, here.node.values[item.name]
        if node.parent is None and node.body.variables[item.name].kind == "input":
            here.report(messages.default_of_input(item.name, item.span, here.instance))
            continue
        # An error in a default is reported even if the default has no effect.
        assert item.value is not None
        value = _value(here, item.value)
        value = None if value is None else _shaped(here, value, terminal, item.name, item.value, item.span)
        is_used = any(users.get(leaf, set()) - {node.path} for leaf in terminal.elements)
        if value is None or is_used or any((node.path, cut) in connected for cut in _cuts_with(node.body, item.name)):
            continue
        origin = f"default of {node.full_name(item.name)}"
        held.setdefault(node.path, []).append(ArrayEquation(terminal, value, item.span, node.path, default_of=origin))
    return held


def _users(equations: Iterable[ArrayEquation], derivatives: dict[Expr, Expr]) -> dict[Expr, set[str]]:
    """The submodels whose equations contain each variable, itself or as a derivative."""
    users: dict[Expr, set[str]] = {}
    for equation in equations:
        for e in (*equation.left.elements, *equation.right.elements):
            for leaf in variables_of(e):
                users.setdefault(leaf, set()).add(equation.instance)
    # A derivative's own derivatives follow it.
    for variable, derivative in reversed(derivatives.items()):
        users.setdefault(variable, set()).update(users.get(derivative, ()))
    return users


def _cuts_with(body: ClassBody, name: str) -> list[str]:
    return [cut.name for cut in body.cuts.values() if name in (e.name for e in cut.entries)]


def _value(here: Within, expression: tree.Expression) -> Array | None:
    try:
        return evaluate(expression, here)
    except ModelError as error:
        here.report(*error.diagnostics)
        return None


def _shaped(
    here: Within, value: Array, terminal: Array, name: str, written: tree.Expression, span: Span
) -> Array | None:
    if isinstance(written, tree.Number | tree.Quantity) and written.value == 0:
        return terminal.map(lambda _: here.pool.zero)
    value = fitted(value, terminal.shape)
    if value.shape == terminal.shape:
        return value
    text = f"'{name}' is {shape_words(terminal.shape)}, but its value is {shape_words(value.shape)}"
    here.report(messages.wrong_shape(text, span, here.instance))
    return None
