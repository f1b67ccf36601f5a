"""Checks the types of values in the classes of a tree of submodels.

Types are declared, so that nothing has to be inferred across connections: each class is read once. Evaluates nothing.
"""

from __future__ import annotations

from functools import cached_property

from cutset.compiler.diagnostics import Diagnostic, Label
from cutset.compiler.instantiate.instance import BOOLEAN, INTEGER, OPEN, REAL, TEXT, ValueType
from cutset.compiler.instantiate.names import meanings
from cutset.compiler.instantiate.names.classes import Declared
from cutset.compiler.instantiate.names.spelled_vectors import elements_named
from cutset.compiler.instantiate.tree.externals import owner_of
from cutset.compiler.instantiate.tree.scope import Node, Tree
from cutset.compiler.instantiate.types import messages
from cutset.compiler.instantiate.types.expressions import Found, Names, Signatures, TypeReader, is_number
from cutset.compiler.syntax import tree
from cutset.contract.names import split

# The kinds of variables that only equations of their class determine.
_OF_EQUATIONS = ("local", "output", "internal")
_OWN_TYPE = ("start", "min", "max", "nominal")


def check_types(submodels: Tree, signatures: Signatures) -> list[Diagnostic]:
    """All errors, class by class. `signatures` are those of the functions of the model."""
    classes = (_ClassTypes(submodels, node, signatures) for node in submodels.of_each_class())
    return [d for each in classes for d in each.diagnostics()]


def _internal(node: Node, name: str) -> Declared | None:
    """The declaration of an external variable of a submodel in the surrounding model."""
    owner = owner_of(node, name)
    return None if owner is None else owner.body.variables[name]


class _Names(Names):
    """The names of a class, seen from one of its instances."""

    def __init__(self, submodels: Tree, node: Node):
        super().__init__(node.body.meanings, node.body.statements)
        self._tree = submodels
        self._node = node

    def variable(self, e: tree.Reference) -> Found:
        """The type and place of its declaration in its class."""
        owner = self._node
        *outer, last = e.parts
        for part in outer:
            children = self._tree.children.get((owner, part.name))
            if not children:
                return None, None
            owner = children[0]
        declared = owner.body.variables.get(last.name)
        if declared is not None and declared.kind == "external":
            declared = _internal(owner, declared.name)
        if declared is None or declared.type == OPEN:
            return None, None
        return declared.type, declared.span


class _ClassTypes:
    """Checks one class, in the first of its instances."""

    def __init__(self, submodels: Tree, node: Node, signatures: Signatures):
        self._tree = submodels
        self._node = node
        self._names = _Names(submodels, node)
        self._signatures = signatures
        self._reader = TypeReader(self._names, node.instance, signatures)

    def diagnostics(self) -> list[Diagnostic]:
        body = self._node.body
        for declared in body.variables.values():
            self._declaration(declared)
        for name, (item, _) in body.submodels.items():
            self._submodel(name, item)
        self._reader.conditions(body.statements)
        for member in tree.with_inner(body.statements):
            if isinstance(member, tree.Equation):
                self._equation(member)
        return self._reader.complaints

    # --- declarations ------------------------------------------------------------------------------

    def _declaration(self, declared: Declared) -> None:
        if declared.type == OPEN:
            return
        if declared.kind == "external":
            self._external(declared)
            return
        if declared.default is not None:
            self._reader.value(f"'{declared.name}'", declared.type, declared.default)
        for attribute in declared.attributes:
            if attribute.value is None or isinstance(attribute.value, tree.Text):
                continue
            what = f"'{attribute.name}' of '{declared.name}'"
            if attribute.name in _OWN_TYPE and (declared.type != BOOLEAN or attribute.name == "start"):
                self._reader.value(what, declared.type, attribute.value)
            elif attribute.name == "fixed":
                self._reader.value(what, BOOLEAN, attribute.value)

    def _external(self, declared: Declared) -> None:
        """Without a type it has that of the surrounding model; its own type must be the same."""
        inner = _internal(self._node, declared.name)
        if inner is None or declared.type in (REAL, inner.type) or inner.type == OPEN:
            return
        hint = f"declare both with the type ({inner.type})"
        label = Label(inner.span, f"{inner.type}, declared here")
        at = declared.span, hint, self._node.instance, (label,)
        what = f"the external '{declared.name}'"
        self._reader.complaints.append(messages.value_of_type(what, str(declared.type), str(inner.type), *at))

    def _submodel(self, name: str, item: tree.SubmodelItem) -> None:
        if item.condition is not None:
            self._reader.condition(item.condition, f"the condition of '{name}'")
        children = self._tree.children[self._node, name]
        for binding in item.bindings if children else ():
            *path, last = split(binding.name)
            node: Node | None = children[0]
            for inner in path:
                node = next(iter(self._tree.children.get((node, inner), ())), None) if node is not None else None
            names = elements_named(node.body, last) if node is not None else ()
            declared = node.body.variables.get(names[0][0] if names else last) if node is not None else None
            if declared is not None:
                labels = (Label(declared.span, f"{declared.type}, declared here"),)
                self._reader.value(f"the parameter '{name}.{binding.name}'", declared.type, binding.value, labels)

    # --- statements --------------------------------------------------------------------------------

    def _equation(self, equation: tree.Equation) -> None:
        left, right = (self._reader.type_of(side) for side in (equation.left, equation.right))
        if left is None or right is None:
            return
        fits = left == right or (is_number(left) and is_number(right))
        name = hint = ""
        if fits and left != right:
            # An Integer variable cannot be a Real value, but x = n assigns the value of an Integer to a Real variable.
            if right == REAL and self._is_open(equation.left):
                fits, name = False, equation.left.span.text
            elif left == REAL and not self._is_variable(equation.left) and self._is_open(equation.right):
                fits, name = False, equation.right.span.text
            hint = "" if fits else f"use floor, or declare '{name}' without the type (Integer)"
        if not fits:
            labels = self._reader.labels(equation.left, equation.right)
            at = equation.span, hint or self._sides_hint(equation, left, right), self._node.instance, labels
            self._reader.complaints.append(messages.sides_of_types(str(left), str(right), *at))

    def _sides_hint(self, equation: tree.Equation, left: ValueType, right: ValueType) -> str:
        if TEXT in (left, right):
            return 'texts are values of parameters and constants; an equation may compare them: mode == "fast"'
        for side, own, other in ((equation.left, left, right), (equation.right, right, left)):
            if self._is_variable(side) and own == REAL:
                return f"declare '{side.span.text}' with the type ({other})"
        if BOOLEAN in (left, right):
            return "both sides must have the same type; a relation, such as x > 0, gives a Boolean"
        return "both sides must have the same type"

    def _is_open(self, e: tree.Expression) -> bool:
        """True for the name of an Integer unknown, or `new` of it, that no other equation of the class determines."""
        if not (isinstance(e, tree.Reference) and self._is_variable(e)):
            return False
        name = e.parts[0].name
        if isinstance(self._names.meaning(e), meanings.Variable):
            return self._node.body.variables[name].kind in _OF_EQUATIONS and name not in self._whole
        return name in ("new", "init")

    @cached_property
    def _whole(self) -> set[str]:
        """The variables that equations determine as whole numbers."""
        found: set[str] = set()
        reader = TypeReader(self._names, self._node.instance, self._signatures)  # whose complaints are not needed
        for equation in (e for e in tree.with_inner(self._node.body.statements) if isinstance(e, tree.Equation)):
            for side, other in ((equation.left, equation.right), (equation.right, equation.left)):
                inner = side.parts[0] if isinstance(side, tree.Reference) else None
                if inner is not None and inner.name in ("new", "init") and inner.arguments:
                    side = inner.arguments[0]
                if isinstance(side, tree.Reference) and reader.type_of(other) == INTEGER:
                    found.add(side.parts[0].name)
        return found

    def _is_variable(self, e: tree.Expression) -> bool:
        """True for the name of an unknown of the equations, or `new` of it."""
        if not isinstance(e, tree.Reference):
            return False
        part = e.parts[0]
        match self._names.meaning(e):
            case meanings.Variable():
                return self._node.body.variables[part.name].kind not in ("parameter", "constant", "external")
            case meanings.Member():
                return True
            case meanings.EventCall() if part.name in ("new", "init") and part.arguments:
                return self._is_variable(part.arguments[0])
        return False
