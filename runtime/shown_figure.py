"""Defines the figure of plots: one that a notebook shows, also if pyplot is not loaded. Loads matplotlib."""

import io

from matplotlib.figure import Figure


class ShownFigure(Figure):
    """A figure of matplotlib, which is a picture in a notebook."""

    def _repr_png_(self) -> bytes:
        """The picture. IPython shows figures by itself only after pyplot was imported."""
        file = io.BytesIO()
        self.savefig(file, format="png", dpi=96)
        return file.getvalue()
