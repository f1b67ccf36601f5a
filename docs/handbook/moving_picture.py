"""Makes the moving picture of the README: simulates the robot, and takes pictures of its animation in a browser.

    python docs/handbook/moving_picture.py docs/r3.gif

It needs Chromium; set CHROMIUM if the program has another name.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import cutset

if TYPE_CHECKING:
    from PIL.Image import Image

MODEL = Path(__file__).parents[2] / "models" / "r3" / "r3.mo"
STOP, INTERVAL, HOLD = 1.86, 0.06, 1.2  # s of the motion, between pictures, and how long the last one stays
WINDOW, PANELS, SIZE = (760, 900), (112, 72), (380, 358)  # in pixels; the panels at the top and bottom are cut off
COLORS = 200
BROWSER = [
    *("--headless=new", "--no-sandbox", "--hide-scrollbars", "--virtual-time-budget=3000"),
    *("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"),  # draws without a graphics card
]


def main(target: Path) -> None:
    """Write the moving picture."""
    from PIL.Image import Dither, Quantize, Resampling

    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "r3.html"
        cutset.load(MODEL).simulate(STOP, points=400).animate(page)
        count = round(STOP / INTERVAL)
        pictures = [_picture(page, k * STOP / count) for k in range(count + 1)]
    left, right = 0, WINDOW[0]
    box = (left, PANELS[0], right, WINDOW[1] - PANELS[1])
    frames = [picture.crop(box).resize(SIZE, Resampling.LANCZOS) for picture in pictures]
    palette = _together(frames).quantize(COLORS, Quantize.FASTOCTREE)  # the others merge rare colors
    frames = [frame.quantize(palette=palette, dither=Dither.NONE) for frame in frames]
    durations = [*[round(2000 * INTERVAL)] * count, round(1000 * HOLD)]  # half as fast as the robot
    frames[0].save(target, save_all=True, append_images=frames[1:], duration=durations, loop=0, optimize=True)
    print(f"wrote {target}, {target.stat().st_size // 1000} kB")


def _together(frames: list[Image]) -> Image:
    """All pictures below each other: the colors of small parts count, whenever they are seen."""
    from PIL.Image import new

    sheet = new("RGB", (SIZE[0], SIZE[1] * len(frames)))
    for k, frame in enumerate(frames):
        sheet.paste(frame, (0, k * SIZE[1]))
    return sheet


def _picture(page: Path, time: float) -> Image:
    from PIL.Image import open as opened

    shot = page.with_suffix(".png")
    width, height = WINDOW
    subprocess.run(
        [os.environ.get("CHROMIUM", "chromium"), *BROWSER, f"--window-size={width},{height}", f"--screenshot={shot}",
         f"{page.as_uri()}#t={time:.3f}"],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    with opened(shot) as picture:
        return picture.convert("RGB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
