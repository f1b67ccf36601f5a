"""Makes the pictures of the gallery's cards: runs its pages, and takes pictures of what they draw in a browser.

    python docs/handbook/gallery_pictures.py docs/gallery/pictures

It needs Chromium; set CHROMIUM if the program has another name.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from handbook.moving_picture import BROWSER
from handbook.running import run_page

GALLERY = Path(__file__).parents[1] / "gallery"
# What each page draws that its card shows, an animation with the time in s.
SHOWN = {
    "ur5": "ur5.html#t=1.2",
    "cart_pendulum": "cart.html#t=0.4",
    "furuta_pendulum": "furuta.html#t=2",
    "gripper": "gripper.html#t=1.5",
    "mobile_robot": "robot.html#t=6",
    "quadruped_leg": "leg.html#t=0.3",
    "identification": "r3.html#t=0.8",
    "buck_converter": "jump.svg",
    "fluid_loop": "tanks.svg",
    "estimation": "filter.svg",
}
WINDOW, MIDDLE, SIZE = (960, 700), (200, 160, 840, 560), (400, 250)  # in pixels; panels are outside of the middle
COLORS = 128


def main(folder: Path) -> None:
    """Write a picture for each card."""
    from PIL import Image

    folder.mkdir(exist_ok=True)
    for name, shown in SHOWN.items():
        with tempfile.TemporaryDirectory() as beside:
            run_page((GALLERY / f"{name}.md").read_text(encoding="utf-8"), Path(beside), GALLERY)
            is_plot, shot = shown.endswith(".svg"), Path(beside) / "shot.png"
            width, height = WINDOW
            subprocess.run(
                [os.environ.get("CHROMIUM", "chromium"), *BROWSER, f"--window-size={width},{height}",
                 f"--screenshot={shot}", f"{Path(beside).as_uri()}/{shown}"],
                check=True, capture_output=True, timeout=120,
            )  # fmt: skip
            with Image.open(shot) as picture:
                seen = picture.convert("RGB")
        seen = _without_margins(seen) if is_plot else seen.crop(MIDDLE)
        seen = seen.resize(SIZE, Image.Resampling.LANCZOS).quantize(COLORS, dither=Image.Dither.NONE)
        seen.save(folder / f"{name}.png", optimize=True)
        print(f"wrote {folder / name}.png")


def _without_margins(picture):
    """The part that is not white."""
    from PIL import Image, ImageChops

    box = ImageChops.difference(picture, Image.new("RGB", picture.size, "white")).getbbox()
    return picture.crop(box)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
