"""The page of the workbench in headless Chromium, and what a user does in it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from served import PATIENCE, served
from workbench_models import EVIL, FAST, PART, SWING, WHOLE, WITHOUT_UNIT

playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")

ROOT = Path(__file__).parents[2]
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

PREFIXES = {"m": 1e-3, "\u00b5": 1e-6, "n": 1e-9}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("workbench") / "r3"
    shutil.copytree(ROOT / "models" / "r3", made)
    shutil.copy(ROOT / "models" / "rc.mo", made)
    (made / "evil.mo").write_text(WITHOUT_UNIT)
    (made / "unit.mo").write_text(EVIL)
    (made / "fast.mo").write_text(FAST)
    (made / "swing.mo").write_text(SWING)
    (made / "part.mo").write_text(PART)
    (made / "broken.mo").write_text(PART.replace("model class", "model").replace("k*x", "k*y"))
    (made / "whole.mo").write_text(WHOLE)
    (made / "<img src=x onerror=wrong=1>.mo").write_text("model M\nend\n")
    return made


@pytest.fixture(scope="module")
def page(folder: Path) -> Iterator[playwright.Page]:
    """A page with the model rc; whatever it reports to the console fails the last test."""
    with opened_page(folder / "rc.mo") as found:
        yield found


@contextmanager
def opened_page(file: Path) -> Iterator[playwright.Page]:
    """The page of a model, with all that it has `reported` to the console."""
    with served(file) as server, playwright.sync_playwright() as driver:
        # WebGL is computed by the processor; the rest of the page it draws faster without.
        software = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        software += ["--disable-gpu-compositing", "--disable-gpu-rasterization"]
        browser = driver.chromium.launch(executable_path=BROWSER, args=software)
        found = browser.new_page(viewport={"width": 1280, "height": 800})
        found.set_default_timeout(1000 * PATIENCE)
        found.reported = []
        found.on("console", lambda each: found.reported.append(each.text) if each.type == "error" else None)
        found.on("pageerror", lambda each: found.reported.append(str(each)))
        found.on("dialog", lambda each: found.reported.append("a dialog"))
        found.goto(server.url)
        found.wait_for_selector("[data-component=R]")
        yield found
        browser.close()


def show(page: playwright.Page, tab: str) -> None:
    page.click(f"[role=tab]:has-text('{tab}')")


def eventually(page: playwright.Page, holds: Callable[[], bool]) -> None:
    """Wait until it holds: the page follows a moment later; the last look fails the test."""
    for _ in range(int(10 * PATIENCE)):
        if holds():
            return
        page.wait_for_timeout(100)
    assert holds()


def value_of(page: playwright.Page, name: str) -> float:
    """The last value of a plotted variable, in its unit without a prefix."""
    page.mouse.move(0, 0)
    if page.locator("[data-test=cursor] button").count():
        page.click("[data-test=cursor] button.close")
    page.wait_for_selector(f"[data-series='{name}'] .at:not(:empty)")
    number, *unit = page.inner_text(f"[data-series='{name}'] b").split()
    words = "".join(unit)
    return float(number) * (PREFIXES.get(words[:1], 1.0) if words[1:2].isalpha() else 1.0)


def changed(page: playwright.Page, name: str, before: str) -> None:
    differs = "([name, before]) => document.querySelector(`[data-series='${name}'] .at`).innerText !== before"
    page.wait_for_function(differs, arg=[name, before])


def give(page: playwright.Page, selector: str, value: float) -> None:
    """Move a slider as a pointer does: one event on the way, one at the end."""
    move = """(slider, value) => {
        slider.value = value;
        for (const kind of ["input", "change"]) slider.dispatchEvent(new Event(kind, { bubbles: true }));
    }"""
    page.eval_on_selector(selector, move, value)


def slide(page: playwright.Page, name: str, value: float) -> None:
    give(page, f"[data-parameter='{name}'] .slider", value)
