"""Each fault that a newcomer met in the workbench, in one page that all tests share."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from served import client, served
from workbench_models import FAST, SWING
from workbench_page import BROWSER, ROOT, eventually, opened_page, playwright, show

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed: apt-get install chromium")

# Its constraint makes the compiler choose states, which have names of its own.
CHOSEN = """model Chosen
  local x (start=0.6), y (start=-0.8), vx, vy, F
  der(x) = vx
  der(y) = vy
  der(vx) = -F*x
  der(vy) = -F*y - 9.81
  x^2 + y^2 = 1
end
"""
WITH_EVENTS = """model Ticks
  local n (start=0)
  local x (start=0)
  der(x) = 1
  when sample(0, 0.001) then
    new(n) = n + 1
  endwhen
  experiment (stop=5)
end
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("faults")
    shutil.copy(ROOT / "models" / "rc.mo", made)
    for name, text in {"fast": FAST, "swing": SWING, "chosen": CHOSEN, "ticks": WITH_EVENTS}.items():
        (made / f"{name}.mo").write_text(text)
    return made


@pytest.fixture(scope="module")
def page(folder: Path) -> Iterator[playwright.Page]:
    with opened_page(folder / "rc.mo") as found:
        yield found


def run(page: playwright.Page, file: str, title: str) -> None:
    show(page, "Files")
    page.hover(f"[data-file='{file}']")
    page.click(f"[data-file='{file}'] button.small")
    show(page, "Components")
    page.wait_for_selector(f".title:has-text('{title}')")


def until(page: playwright.Page, stop: str) -> None:
    page.fill("[data-test=stop]", stop)
    page.keyboard.press("Enter")


def test_each_unit_has_a_lane_and_numbers_have_prefixes(page: playwright.Page) -> None:
    page.click("[data-component=R] button.grow")
    page.click("[data-variable='R.i'] .add >> nth=0")
    eventually(page, lambda: page.locator("[data-plot='1'] .u-over").count() == 2)
    assert page.inner_text("[data-series='R.i'] b").endswith("\u00b5A")
    left, right = (page.locator("[data-plot='1'] .u-over").nth(k).bounding_box() for k in (0, 1))
    assert (left["x"], left["width"]) == (right["x"], right["width"]) and left["y"] + left["height"] < right["y"]


def test_a_phase_plot_does_not_draw_its_horizontal_variable(page: playwright.Page, folder: Path) -> None:
    """And the current has an axis of its own; after a reload, where data come later, nothing is reported."""
    page.select_option("[data-plot='1'] [aria-label='horizontal axis']", "C.u")
    eventually(page, lambda: page.locator("[data-plot='1'] .u-over").count() == 1)
    workspace = folder / "rc.workspace.json"
    eventually(page, lambda: workspace.exists() and '"over": "C.u"' in workspace.read_text())
    page.reload()
    page.wait_for_selector("[data-plot='1'] .u-over")
    page.hover("[data-plot='1'] .u-over")
    eventually(page, lambda: page.locator("[data-plot='1'] .mark-point").count() == 1)
    assert page.reported == []
    page.select_option("[data-plot='1'] [aria-label='horizontal axis']", "time")


def test_settings_close_with_escape_and_with_a_click_elsewhere(page: playwright.Page) -> None:
    for close in (lambda: page.keyboard.press("Escape"), lambda: page.click("[data-component=C] button.grow")):
        page.click("button:has-text('Settings')")
        page.wait_for_selector("[data-test=rtol]:visible")
        assert [page.input_value(f"[data-test={name}]") for name in ("rtol", "atol")] == ["1e-6", "1e-8"]
        close()
        page.wait_for_selector("[data-test=rtol]", state="hidden")


def test_old_curves_are_marked_after_an_edit_with_errors(page: playwright.Page) -> None:
    page.locator(".cm-line:has-text('(Capacitor)') span:text-is('Capacitor')").dblclick()
    page.keyboard.type("Capacitr")
    page.keyboard.press("Escape")
    page.click("[data-test=run]")
    page.wait_for_selector(".plots.old")
    assert page.locator("[data-test=old]").is_visible()
    page.locator(".cm-line:has-text('(Capacitr)')").click()
    page.keyboard.press("Control+z")
    page.wait_for_selector(".cm-lintRange-error", state="detached")
    page.click("[data-test=run]")
    page.wait_for_selector(".plots:not(.old)")


def test_a_new_file_is_listed_before_it_is_saved(page: playwright.Page) -> None:
    show(page, "Files")
    page.fill("[name=name]", "fresh")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-test=diagram]:has-text('Drag a class here')")
    show(page, "Files")
    page.wait_for_selector("[data-file='fresh.mo'] .dot")
    show(page, "Text")
    page.click("[aria-label='close fresh.mo']")
    page.wait_for_selector("[data-file='fresh.mo']", state="detached")


def test_the_first_plot_shows_no_variable_of_the_compiler(page: playwright.Page) -> None:
    run(page, "chosen.mo", "Chosen")
    page.wait_for_selector("[data-series]")
    shown = [each.get_attribute("data-series") for each in page.query_selector_all("[data-series]")]
    assert shown and set(shown) <= {"x", "y", "vx", "vy"}


def test_a_joint_shows_its_motion_first_and_a_matrix_is_one_row(page: playwright.Page) -> None:
    run(page, "swing.mo", "Swing")
    page.wait_for_selector("[data-component=r1]")
    page.click("[data-component=r1] button.grow")
    page.wait_for_selector("[data-test=motion] .spark")
    rows = page.locator("[data-test=motion] .name").all_inner_texts()
    assert rows == ["q", "qd", "qdd", "torque"]
    assert page.locator("[data-parameter='r1.n1'] .slider").count() == 0
    page.click("[data-component=m1] button.grow")
    page.wait_for_selector(".group summary:has-text('Cut a')")
    assert page.locator(".array summary .name").all_inner_texts()[0] == "Ta(3,3)"
    assert page.locator("[data-variable]").count() < 10
    page.click(".array summary >> nth=0")
    page.wait_for_selector("[data-variable='m1.Ta(2,1)']")


def test_marks_of_events_reach_the_end_of_a_run(folder: Path) -> None:
    """More events than are listed: their times are of the whole run."""
    with served(folder / "ticks.mo") as server, client(server) as asked:
        text = (folder / "ticks.mo").read_text()
        asked.ask("open", "ticks.mo", file="ticks.mo", text=text, name=None)
        ran = asked.ask("run", "ticks.mo", settings={}, number=None, curves=[], scene_rows=0)
        found = asked.ask("events", "ticks.mo", run=ran.data["run"]["number"])
        (times,) = found.arrays
        assert found.data["count"] > len(found.data["events"]) and 1000 < len(times) <= 2001 and times[-1] > 4.99
        # A request that is canceled as soon as it is sent has an answer, too.
        number = asked.start("run", "ticks.mo", settings={}, number=None, curves=[], scene_rows=0)
        asked.cancel(number)
        assert asked.answer(number)


def test_a_change_cancels_a_run_that_it_makes_stale(page: playwright.Page) -> None:
    """Without that it would wait for some days."""
    run(page, "fast.mo", "Fast")
    until(page, "1e5")
    page.wait_for_selector("[data-what=running]")
    until(page, "1e-5")
    page.wait_for_selector("[data-test=progress]", state="detached")
    page.wait_for_selector("[data-test=time]:has-text('steps')")


def test_a_canceled_run_is_no_error(page: playwright.Page) -> None:
    until(page, "1e5")
    page.click("[data-what=running] [data-test=cancel]")
    page.wait_for_selector("[data-test=time]:has-text('Canceled at ')")
    assert page.locator("[data-test=failed-run], [data-test=messages] .message, .badge, .notice.error").count() == 0
    assert page.reported == []


DOCUMENT = """<div class="page"><aside class="sidebar-drawer"><div class="sidebar-container"></div></aside>
<div class="main"><div class="content"><div class="article-container"><article>text</article></div></div>
<aside class="toc-drawer"><div class="toc-sticky"></div></aside></div></div>"""


def test_pages_of_the_documentation_do_not_scroll_sideways(page: playwright.Page) -> None:
    furo = pytest.importorskip("furo")
    styles = [Path(furo.__file__).parent / "theme/furo/static/styles/furo.css", ROOT / "docs/_static/cutset.css"]
    other = page.context.browser.new_page()
    for width in (390, 1100, 1320, 1366, 1400, 1439, 1440, 1920):
        other.set_viewport_size({"width": width, "height": 800})
        other.set_content(DOCUMENT)
        for path in styles:
            other.add_style_tag(content=path.read_text())
        assert other.evaluate("document.documentElement.scrollWidth") == width
    other.close()
