"""Finds elements of a mechanism that impose only some conditions: joints that close loops, wheels. Judges nothing."""

from __future__ import annotations

from cutset.compiler.diagnose.frames import conditional_elements, parts_of
from cutset.compiler.diagnose.matrix import matrix_of
from cutset.compiler.flatten.aliases import eliminated
from cutset.compiler.flatten.model import FlatModel


def closing_elements(model: FlatModel) -> dict[str, tuple[str, ...]]:
    """Each such element with the elements of the loop that it closes, as the user knows them; empty if there is no
    loop. Constraints of which the library makes a single joint close none."""
    matrix = matrix_of(model, eliminated(model))
    loops, inner = {}, set()
    for part in parts_of(matrix):
        for joint in part.cut_joints:
            if {joint.first, joint.second} <= set(part.distance):
                known = dict.fromkeys(map(model.written, part.loop_of(joint)))
                loops[joint.instance] = tuple(name for name in known if name != model.written(joint.instance))
                if known and not loops[joint.instance]:
                    inner.add(joint.instance)
    return {name: loops.get(name, ()) for name in conditional_elements(matrix) if name not in inner}
