"""Measures the workbench in headless Chromium: first paint, messages while one types, a slider to the picture.

    python benchmarks/workbench.py [--repeat N]

needs the extra `open`, the package playwright, and Chromium. Times are of the wall clock in ms: run it on a quiet
machine. First paint counts from the start of the command; the browser runs already. The time of a slider counts from
its event to the second frame after the curves, and for the robot the animation, have changed.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parent.parent
COMMAND = "import sys; from cutset.command import main; sys.exit(main())"
# Moves a slider, and resolves after the frame that shows what follows: ms.
SLIDE = """async ([name, value, hasScene]) => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const shown = () => document.querySelector("[data-test=plots] .bar .chip").innerText;
  const drawn = () => document.querySelector("[data-test=animation] canvas")?.dataset.drawn;
  const before = shown(), pose = drawn(), slider = document.querySelector(`[data-parameter='${name}'] .slider`);
  const start = performance.now();
  slider.value = value;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  while (shown() === before || (hasScene && drawn() === pose)) await frame();
  await frame();
  return performance.now() - start;
}"""
# Resolves when a message is underlined, or none is: ms.
UNDERLINED = """async (wanted) => {
  const start = performance.now();
  while ((document.querySelector(".cm-lintRange-error") !== null) !== wanted)
    await new Promise((resolve) => requestAnimationFrame(resolve));
  return performance.now() - start;
}"""


@contextmanager
def opened(browser: Browser, model: Path) -> Iterator[tuple[Page, float]]:
    """A page with a model, and the ms from the start of the command to its first paint."""
    start = time.perf_counter()
    command = [sys.executable, "-c", COMMAND, "open", "--no-browser", str(model)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = re.search(r"http://\S+", process.stdout.readline())
        assert address is not None
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(address[0], wait_until="commit")
        page.wait_for_selector("header.top")
        yield page, (time.perf_counter() - start) * 1e3
        page.close()
    finally:
        process.terminate()
        process.wait()


def slides(page: Page, name: str, values: list[float], has_scene: bool) -> list[float]:
    """The ms of each move of a slider. The first one, which loads code, is not counted."""
    found = []
    for value in values:
        found.append(page.evaluate(SLIDE, [name, value, has_scene]))
        page.wait_for_timeout(300)
    return found[1:]


def typed(page: Page, repeat: int) -> list[float]:
    """The ms from a wrong name in the text to its underline."""
    found = []
    for _ in range(repeat):
        page.locator(".cm-line:has-text('submodel')").first.click()
        page.keyboard.press("Home")
        page.keyboard.press("Control+ArrowRight")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.keyboard.type("x")
        found.append(page.evaluate(UNDERLINED, True))
        page.keyboard.press("Backspace")
        page.evaluate(UNDERLINED, False)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=7, help="the number of measurements of each kind")
    repeat = parser.parse_args().repeat
    executable = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        models = Path(folder) / "models"
        shutil.copytree(ROOT / "models" / "r3", models)
        shutil.copy(ROOT / "models" / "rc.mo", models)
        software = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        browser = driver.chromium.launch(executable_path=executable, args=software)
        for file, name, parameter, usual in (("rc.mo", "RC", "R.R", 1000.0), ("r3.mo", "R3", "mL", 15.0)):
            with opened(browser, models / file) as (page, paint):
                page.wait_for_selector("[data-component]", timeout=120_000)
                show(f"{name}: first paint", [paint])
                if name == "RC":
                    page.click("[data-component=R] button.grow")
                values = [usual * (1.0 + 0.03 * k) for k in range(1, repeat + 2)]
                show(f"{name}: slider to picture", slides(page, parameter, values, name == "R3"))
                show(f"{name}: message while typing", typed(page, repeat))
        browser.close()


def show(what: str, times: list[float]) -> None:
    """Print the smallest, median and largest time."""
    print(f"{what:28}  {min(times):6.0f} {statistics.median(times):6.0f} {max(times):6.0f} ms", flush=True)


if __name__ == "__main__":
    main()
