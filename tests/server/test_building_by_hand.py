"""Models built in headless Chromium without a line of text: with the mouse, and with the keyboard alone."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from workbench_page import BROWSER, eventually, opened_page, playwright, show, value_of

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
    page.dblclick(".part[data-path=R]")
    page.wait_for_selector("[data-test=form] input[name=R]")
    page.fill("[data-test=form] input[name=R]", "2 V")
    page.wait_for_selector("[data-test=form] input.wrong")
    page.fill("[data-test=form] input[name=R]", "1 kOhm")
    page.wait_for_selector("[data-test=form] input:not(.wrong)")
    page.click("[data-test=form] button.primary")
    page.click("[data-test=run]")
    assert value_of(page, "C.u") == pytest.approx(10 * (1 - 2.718281828**-10.0), rel=1e-4)


def test_a_motor_lifts_a_load_over_a_drum(page: playwright.Page) -> None:
    begin(page, "lift")
    place(page, "VConst", "battery", V="24 V")
    place(
        page, "DCMachine", "motor", VNominal="24 V", INominal="5 A", wNominal="300", Ra="0.5 Ohm", La="1 mH", J="1e-4"
    )
    place(page, "IdealGearR2T", "drum", name="drum", ratio="400 rad/m")
    place(page, "Mass", "sliding mass", name="load", m="30 kg")
    place(page, "ConstForce", "translational constant force", name="weight", F="-294.3 N")
    place(page, "Ground")
    for one, other in (
        ("V:A", "machine:A"), ("V:B", "machine:B"), ("ground:A", "V:B"), ("machine:flange", "drum:A"),
        ("drum:B", "load:A"), ("weight:A", "load:B"),
    ):  # fmt: skip
        connect(page, one, other)
    page.click("[data-test=run]")
    # The torque of the load is k*i, and the voltage Ra*i + k*w.
    k = (24 - 0.5 * 5) / 300
    i = 294.3 / 400 / k
    assert value_of(page, "load.v") == pytest.approx((24 - 0.5 * i) / k / 400, rel=1e-4)


def test_an_arm_of_two_axes_with_motors(page: playwright.Page) -> None:
    begin(page, "arm")
    for class_name, words, values in (
        ("Inertial", "inertial system", {"name": "world", "ng2": "-1"}),
        ("Revolute", "mbs revolute joint", {"name": "shoulder", "n3": "1"}),
        ("Bar", "massless rigid bar", {"name": "upper", "r1": "0.5 m"}),
        ("PointMass", "mbs mass", {"name": "m1", "m": "1 kg"}),
        ("Revolute", "mbs revolute joint", {"name": "elbow", "n3": "1"}),
        ("Bar", "massless rigid bar", {"name": "lower", "r1": "0.4 m"}),
        ("PointMass", "mbs mass", {"name": "m2", "m": "500 g"}),
        ("VConst", "battery", {"V": "2 V"}),
        ("Ground", "Ground", {}),
        ("DCMachine", "motor", {"name": "d1", "VNominal": "24", "INominal": "5", "wNominal": "10", "Ra": "1"}),
        ("DCMachine", "motor", {"name": "d2", "VNominal": "12", "INominal": "2", "wNominal": "12", "Ra": "2"}),
        ("RotationalFlange", "RotationalFlange", {"name": "f1"}),
        ("RotationalFlange", "RotationalFlange", {"name": "f2"}),
    ):
        place(page, class_name, words, **values)
    for one, other in (
        ("world:a", "shoulder:a"), ("shoulder:b", "upper:a"), ("upper:b", "m1:a"), ("elbow:a", "upper:b"),
        ("elbow:b", "lower:a"), ("lower:b", "m2:a"), ("V:A", "d1:A"), ("d2:A", "V:A"), ("V:B", "d1:B"), ("d2:B", "V:B"),
        ("ground:A", "V:B"), ("d1:flange", "f1:F"), ("d2:flange", "f2:F"),
        ("f1:a", "shoulder:ext"), ("f2:a", "elbow:ext"),
    ):  # fmt: skip
        connect(page, one, other)
    page.fill("[data-test=stop]", "60")
    page.keyboard.press("Enter")
    page.click("[data-test=run]")
    # The motors stall where their torques k*V/Ra hold the weights.
    upper, lower = 1.9 * 2 / 1, (12 - 2 * 2) / 12 * 2 / 2
    q = -math.acos(lower / (0.5 * 9.81 * 0.4)), -math.acos((upper - lower) / (1.5 * 9.81 * 0.5))
    assert value_of(page, "shoulder.q") == pytest.approx(q[1], rel=1e-3)
    assert value_of(page, "elbow.q") == pytest.approx(q[0] - q[1], rel=1e-2)


def press(page: playwright.Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_the_keyboard_alone_builds_saves_and_takes_back(page: playwright.Page, folder: Path) -> None:
    begin(page, "keys")
    for class_name, value in (("Inductor", "1 mH"), ("Resistor", "1 Ohm")):
        page.focus("[aria-label='Find a class']")
        press(page, "Control+a")
        page.keyboard.type(f"ideal {class_name.lower()}")
        page.wait_for_selector(f"[data-class={class_name}]")
        page.focus(f"[data-class={class_name}]")
        press(page, "Enter")
        page.wait_for_selector("[data-test=form] input[data-needed]:focus")
        page.keyboard.type(value)
        press(page, "Enter")
        page.wait_for_selector("[data-test=form]", state="detached")
    page.wait_for_selector(".part[data-path=R]", state="attached")
    page.locator("[data-cut='L:B']").focus()
    press(page, "Enter")
    page.wait_for_selector(".fits:focus")
    page.locator("[data-cut='R:A']").focus()
    press(page, "Enter")
    page.wait_for_selector(".net[data-ends~='R:A']", state="attached")
    page.locator(".part[data-path=R]").focus()
    press(page, "Alt+ArrowDown")
    eventually(page, lambda: "{ at " in text_of(page))
    page.locator(".net[data-ends~='R:A']").focus()
    press(page, "Delete")
    page.wait_for_selector(".net[data-ends~='R:A']", state="detached")
    page.locator(".part[data-path=R]").focus()
    press(page, "Control+z")
    page.wait_for_selector(".net[data-ends~='R:A']", state="attached")
    press(page, "Control+s")
    eventually(page, lambda: (folder / "keys.mo").exists())
    saved = (folder / "keys.mo").read_text()
    assert saved.splitlines()[:3] == ["@electrical", "", 'model Keys ""']
    assert "  submodel (Inductor) L(L=1 mH)\n" in saved
    for _ in range(12):
        press(page, "Control+z")
    page.wait_for_selector(f"{DIAGRAM}:has-text('Drag a class here')")
    assert text_of(page).split() == ["model", "Keys", '""', "end"]
    page.reload()
    page.wait_for_selector("[data-component=R]")
    show(page, "Files")
    page.click("[data-file='keys.mo'] .grow")
    show(page, "Text")
    page.wait_for_selector(".cm-line:has-text('connect')")


def test_nothing_was_reported(page: playwright.Page) -> None:
    assert page.reported == []
