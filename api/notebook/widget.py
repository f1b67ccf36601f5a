"""Shows an `Exploration` in a notebook, as a widget of the package anywidget. Loaded by `Model.explore` only."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import anywidget
import traitlets

from cutset.notebook.exploration import Exploration
from cutset.runtime.result import Result


class Explorer(anywidget.AnyWidget):
    """Sliders, curves and the animation of a model; what one of them changes, the others follow.

    `values` holds the changed values by name, `shown` the names of the curves, `stop` the end of the runs: the page and
    Python may set them. `run` is the latest result.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    about = traitlets.Dict().tag(sync=True)
    values = traitlets.Dict().tag(sync=True)
    shown: traitlets.List[str] = traitlets.List().tag(sync=True)
    stop = traitlets.Float().tag(sync=True)
    # The page counts its requests, and sends the next one when it has the picture of the last one.
    asked = traitlets.Int(0).tag(sync=True)
    picture = traitlets.Dict().tag(sync=True)

    def __init__(self, exploration: Exploration, title: str):
        self._exploration = exploration
        self._made_of: tuple[dict[str, float], float] = ({}, exploration.stop)
        self._error: str | None = None
        first = exploration.picture(exploration.shown)
        about = {"title": title, "sliders": exploration.rows, "first": exploration.n_first, "names": exploration.names}
        super().__init__(
            _esm=_code(has_scene=bool(first["scene"])), _css=_text("explore.css"), about=about, stop=exploration.stop,
            shown=exploration.shown, picture={**first, "number": 0, "error": None},
        )  # fmt: skip
        self.observe(self._follow, names=["values", "shown", "stop", "asked"])

    def __repr__(self) -> str:
        return f"<sliders of {self.about['title']}: a notebook shows them>"

    @property
    def run(self) -> Result:
        """The result of the latest run."""
        return self._exploration.run

    def _follow(self, _: Any) -> None:
        """Run again if values have changed, and show the result. One message of the page may change several traits,
        each of which calls this."""
        made_of = (dict(self.values), float(self.stop))
        if made_of != self._made_of:
            try:
                self._error = self._exploration.again(*made_of)
                self._made_of = made_of
            except KeyboardInterrupt:  # the page must get an answer, and may ask for the same again
                self._error = "the run was interrupted"
        elif self.picture["number"] == self.asked and self.picture["names"] == self.shown:
            return
        self.picture = {**self._exploration.picture(self.shown), "number": self.asked, "error": self._error}


def _text(name: str) -> str:
    return (files("cutset.notebook") / "page" / name).read_text(encoding="utf-8")


def _code(has_scene: bool) -> str:
    """One JavaScript module. It has three.js only for models that can be drawn."""
    parts = [_text("explore.js")]
    if has_scene:
        home = files("cutset.runtime.animation")
        scene = ("three/three.min.js", "viewer/scene.js")
        parts = [*((home / name).read_text(encoding="utf-8") for name in scene), *parts]
    return "\n".join(parts)
