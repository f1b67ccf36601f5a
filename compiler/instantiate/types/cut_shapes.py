"""Cuts of one submodel -> a diagnostic for each variable whose shape is not that of its cut class."""

from __future__ import annotations

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.expressions.tensor import shape_words
from cutset.compiler.instantiate.declarations import whole_size
from cutset.compiler.instantiate.scope import Node
from cutset.compiler.instantiate.types import messages


def check_cut_shapes(node: Node) -> None:
    """After the variables of `node` are declared."""
    for name, cut_class in node.body.cut_classes.items():
        cut = node.body.cuts[name]
        own = (*(cut.across or ()), *(cut.through or ()))
        for entry, general in zip(own, (*cut_class.across, *cut_class.through), strict=False):
            value = node.values.get(entry.name)
            if value is None:
                continue
            try:
                what = f"a dimension of '{general.name}'"
                shape = tuple(whole_size(node, dimension, what) for dimension in general.dimensions)
            except ModelError as error:
                node.report(*error.diagnostics)
                continue
            if value.shape != shape:
                words = (
                    f"'{entry.name}' is {shape_words(value.shape)}, '{general.name}' of the class {shape_words(shape)}"
                )
                at = cut_class.name, entry.span, general.span, node.instance
                node.report(messages.cut_class_differs(words, *at))
