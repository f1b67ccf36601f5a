"""Writes an animation: a result -> a file, whose extension selects the format."""

from __future__ import annotations

import os
from collections.abc import Callable

from cutset.runtime.animation.drawing import scene_of
from cutset.runtime.animation.gltf import glb
from cutset.runtime.animation.inline import Inline
from cutset.runtime.animation.page import page
from cutset.runtime.animation.scene import Scene
from cutset.runtime.errors import RunError
from cutset.runtime.results.trajectories import Trajectories
from cutset.runtime.whole_files import write_whole

# A new format needs only a line here.
KINDS: dict[str, Callable[[Scene], bytes]] = {".html": lambda scene: page(scene).encode(), ".glb": glb}


def inline(trajectories: Trajectories) -> tuple[Inline, tuple[str, ...]]:
    """The animation for a notebook, and notes on meshes that are not drawn. RunError E646 if there is nothing to
    draw."""
    scene = scene_of(trajectories.description, trajectories)
    return Inline(page(scene)), scene.notes


def animate(trajectories: Trajectories, path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Write the file, and return notes on meshes that are not drawn. RunError E605 for another file extension, E646 if
    there is nothing to draw."""
    extension = os.path.splitext(path)[1].lower()
    if extension not in KINDS:
        hint = f"use a name that ends in {' or '.join(repr(kind) for kind in KINDS)}"
        raise RunError("E605", f"'{os.fspath(path)}' is not the name of an animation file", hint)
    scene = scene_of(trajectories.description, trajectories)
    written = KINDS[extension](scene)
    write_whole(path, written)
    return scene.notes
