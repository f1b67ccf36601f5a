"""Measures the workbench in headless Chromium: first paint, messages while one types, a slider to the picture.

    python benchmarks/workbench.py [--repeat N]

needs the extra `open`, the package playwright, and Chromium. Times are of the wall clock in ms: run it on a quiet
machine. First paint counts from the start of the command to the frame with the header of the page, and includes a new
tab; the browser runs already. The time of a slider counts from its event to the second frame after the curves, and for
the robot the animation, have changed. The last line has the processor time of the commands with all their processes.
"""

from __future__ import annotations

import argparse
import re
import resource
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
COMMAND = "import sys; from cutset.api.command_line.command import main; sys.exit(main())"
# Notes when the frame with the header was shown, in ms since 1970, and when a key was pressed.
NOTED = """addEventListener("keydown", () => { window.typed = performance.now(); }, true);
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
window.painted = new Promise((resolve) => new MutationObserver(async (_, observer) => {
  if (!document.querySelector("header.top")) return;
  observer.disconnect();
  await frame();
  await frame();
  resolve(performance.timeOrigin + performance.now());
}).observe(document, { childList: true, subtree: true }))"""
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
# Resolves in the frame after a message is underlined, or none is: ms since the last key.
UNDERLINED = """async (wanted) => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const changed = new Promise((resolve) => {
    const observer = new MutationObserver(() => look());
    const look = () => {
      if ((document.querySelector(".cm-lintRange-error") !== null) !== wanted) return;
      observer.disconnect();
      resolve();
    };
    observer.observe(document, { childList: true, subtree: true, attributes: true });
    look();
  });
  await changed;
  await frame();
  return performance.now() - window.typed;
}"""


@contextmanager
def opened(browser: Browser, model: Path) -> Iterator[tuple[Page, float]]:
    """A page with a model, and the ms from the start of the command to its first paint."""
    start = time.time()
    command = [sys.executable, "-c", COMMAND, "open", "--no-browser", str(model)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = re.search(r"http://\S+", process.stdout.readline())
        assert address is not None
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.add_init_script(NOTED)
        page.goto(address[0], wait_until="commit")
        painted = page.evaluate("() => window.painted")
        yield page, painted - start * 1e3
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
        page.evaluate(f"() => {{ window.underlined = ({UNDERLINED})(true); }}")
        page.keyboard.type("x")
        found.append(page.evaluate("() => window.underlined"))
        page.keyboard.press("Backspace")
        page.evaluate(UNDERLINED, False)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=7, help="the number of measurements of each kind")
    parser.add_argument("--starts", type=int, default=3, help="the number of measurements of the first paint")
    arguments = parser.parse_args()
    repeat = arguments.repeat
    executable = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        models = Path(folder) / "models"
        shutil.copytree(ROOT / "models" / "r3", models)
        shutil.copy(ROOT / "models" / "rc.mo", models)
        software = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        browser = driver.chromium.launch(executable_path=executable, args=software)
        for file, name, parameter, usual in (("rc.mo", "RC", "R.R", 1000.0), ("r3.mo", "R3", "mL", 15.0)):
            paints = []
            for _ in range(arguments.starts - 1):
                with opened(browser, models / file) as (_, paint):
                    paints.append(paint)
            with opened(browser, models / file) as (page, paint):
                page.wait_for_selector("[data-component]", timeout=120_000)
                show(f"{name}: first paint", [*paints, paint])
                if name == "RC":
                    page.click("[data-component=R] button.grow")
                values = [usual * (1.0 + 0.03 * k) for k in range(1, repeat + 2)]
                show(f"{name}: slider to picture", slides(page, parameter, values, name == "R3"))
                show(f"{name}: message while typing", typed(page, repeat))
        browser.close()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"processor time of all processes {used.ru_utime + used.ru_stime:.1f} s")


def show(what: str, times: list[float]) -> None:
    """Print the smallest, median and largest time."""
    print(f"{what:28}  {min(times):6.0f} {statistics.median(times):6.0f} {max(times):6.0f} ms", flush=True)


if __name__ == "__main__":
    main()
