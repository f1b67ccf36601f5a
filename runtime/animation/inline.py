"""Shows an animation in a notebook: the page in a frame."""

import html


class Inline:
    """An animation that a notebook shows in place; `page` is the whole page, which fetches nothing."""

    def __init__(self, page: str, height: int = 420):
        self.page, self.height = page, height

    def __repr__(self) -> str:
        return f"<animation, {len(self.page) // 1000} kB: a notebook shows it; run.animate('FILE.html') writes it>"

    def _repr_html_(self) -> str:
        """The page in a frame of its own: its code sees nothing of the notebook."""
        style = f"width: 100%; height: {self.height}px; border: 0; border-radius: 8px"
        return f'<iframe sandbox="allow-scripts" srcdoc="{html.escape(self.page)}" style="{style}"></iframe>'
