"""Runs of multibody models for the tests of animations, and their pages in node and in a browser."""

from __future__ import annotations

import functools
import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

import cutset
from cutset.runtime.animation.drawing import scene_of
from cutset.runtime.animation.scene import Scene
from cutset.runtime.bundled import bundled
from cutset.runtime.results.result import Result

MODELS = Path(__file__).parents[2] / "models"
TIMES = (0.0, 0.333, 0.9)


@functools.cache
def arm() -> Result:
    """One second of the falling r3."""
    return cutset.load(MODELS / "r3_arm.mo").simulate(stop=1.0, points=101)


@functools.cache
def pendulum() -> Result:
    """The double pendulum with its spring, which swings."""
    model = cutset.load(MODELS / "double_pendulum.mo")
    return model.simulate(stop=1.0, points=101, initial={"r1.q": 1.0, "r2.q": 0.5})


def scene(run: Result) -> Scene:
    """What is drawn of it."""
    return scene_of(run.description, run)


def origin(run: Result, frame: str, t: float) -> np.ndarray:
    """The origin of the frame `element:a` at a time, linear between the rows of the result."""
    name, _, cut = frame.partition(":")
    return np.array([np.interp(t, run.time, run[f"{name}.r{cut}({k})"]) for k in (1, 2, 3)])


def node_positions(data: str) -> list[dict[str, list[float]]]:
    """The scene graph of the page at TIMES, built by the page's own code in node: world positions by the names of the
    frames."""
    three, graph = (bundled(name) for name in ("three.min.js", "page.js"))
    ask = f"""
      const motion = new Motion(JSON.parse({json.dumps(data)}));
      const found = {list(TIMES)}.map((t) => {{ motion.set(t); return motion.positions(); }});
      console.log(JSON.stringify(found));"""
    done = subprocess.run(
        ["node", "-"], input=three + "\n" + graph + ask, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def browser() -> str | None:
    """A Chromium, if there is one."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def in_browser(page: str, script: str, folder: Path) -> Any:
    """What a script on the page hands to `tell`: the page as it is, in a browser without a screen and without a
    network."""
    ask = f"""<script>
      const tell = (found) => document.body.append(
        Object.assign(document.createElement("pre"), {{ id: "found", textContent: JSON.stringify(found) }}));
      {script}
    </script></body>"""
    file = folder / "page.html"
    file.write_text(page.replace("</body>", ask), encoding="utf-8")
    options = [
        "--headless=new",
        "--no-sandbox",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
        "--disable-dev-shm-usage",
    ]
    command = [
        browser(),
        *options,
        f"--user-data-dir={folder / 'profile'}",
        "--virtual-time-budget=2000",
        "--dump-dom",
        file.as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    shown = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.DOTALL)
    assert shown, done.stderr[-2000:]
    return json.loads(html.unescape(shown[1]))


def browser_positions(page: str, folder: Path) -> list[dict[str, list[float]]]:
    """As `node_positions`, by the page in a browser."""
    script = f"tell({list(TIMES)}.map((t) => {{ page.go(t); return page.motion.positions(); }}));"
    return in_browser(page, script, folder)
