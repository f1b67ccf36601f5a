"""Models built in headless Chromium without a line of text: with the mouse, and with the keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from workbench_page import BROWSER, opened_page, playwright, show, value_of

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed: apt-get install chromium")

DIAGRAM = "[data-test=diagram]"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("building")
    (made / "rc.mo").write_text((Path(__file__).parents[2] / "models" / "rc.mo").read_text())
    return made


@pytest.fixture(scope="module")
def page(folder: Path) -> Iterator[playwright.Page]:
    """One page for all tests; whatever it reports to the console fails the last one."""
    with opened_page(folder / "rc.mo") as found:
        yield found


def begin(page: playwright.Page, name: str) -> None:
    show(page, "Files")
    page.fill("[name=name]", name)
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{DIAGRAM}:has-text('Drag a class here')")


def place(page: playwright.Page, class_name: str, words: str = "", **values: str) -> None:
    """Drag a class into the diagram, and fill in its form, where the name of the part is `name`."""
    page.fill("[aria-label='Find a class']", words or class_name)
    page.wait_for_selector(f"[data-class={class_name}]")
    page.drag_and_drop(f"[data-class={class_name}]", f"{DIAGRAM} .canvas-home")
    page.wait_for_selector("[data-test=form] form")
    for name, value in values.items():
        page.fill(f"[data-test=form] input[name='{'name of the part' if name == 'name' else name}']", value)
    page.click("[data-test=form] button.primary")
    page.wait_for_selector("[data-test=form]", state="detached")
    if "name" in values:
        page.wait_for_selector(f".part[data-path='{values['name']}']", state="attached")


def connect(page: playwright.Page, one: str, other: str) -> None:
    """Drag from cut to cut."""
    for port, press in ((one, page.mouse.down), (other, page.mouse.up)):
        if port == other:
            page.wait_for_selector(f"[data-cut='{other}'].fits")
        page.locator(f"[data-cut='{port}'] rect").scroll_into_view_if_needed()
        box = page.locator(f"[data-cut='{port}'] rect").bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        press()
    page.wait_for_selector(f".net[data-ends~='{one}'][data-ends~='{other}']", state="attached")


def text_of(page: playwright.Page) -> str:
    show(page, "Text")
    text = str(page.locator(".cm-content").inner_text())
    show(page, "Diagram")
    return text


def test_a_circuit(page: playwright.Page, folder: Path) -> None:
    begin(page, "first")
    place(page, "VConst", "battery", V="10 V")
    place(page, "Resistor", R="1 kOhm")
    place(page, "Capacitor", C="100 uF")
    place(page, "Ground")
    for one, other in (("V:A", "R:A"), ("R:B", "C:A"), ("C:B", "ground:A"), ("V:B", "ground:A")):
        connect(page, one, other)
    page.click("[data-test=run]")
    assert value_of(page, "C.u") == pytest.approx(10 * (1 - 2.718281828**-10.0), rel=1e-4)
