"""The workbench in headless Chromium: what a user does, in one page that all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from served import PATIENCE
from workbench_models import PART
from workbench_page import (  # noqa: F401 - fixtures
    BROWSER,
    ROOT,
    changed,
    eventually,
    folder,
    give,
    page,
    playwright,
    show,
    slide,
    value_of,
)

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed: apt-get install chromium")


def test_a_model_runs_when_it_is_opened(page: playwright.Page) -> None:
    assert page.inner_text("[data-component=R] .grow") == "R Resistor"
    assert value_of(page, "C.u") == pytest.approx(10 * (1 - 2.718281828**-9.0), rel=1e-4)


def test_a_click_in_the_diagram_selects_everywhere(page: playwright.Page) -> None:
    show(page, "Diagram")
    page.click("[data-test=diagram] .part[data-path=R]")
    page.wait_for_selector("[data-test=inspector]:has-text('ideal resistor')")
    page.wait_for_selector("[data-component=R].selected")
    page.wait_for_selector("[data-test=diagram] .part[data-path=R].selected")
    show(page, "Equations")
    page.wait_for_selector("[data-test=equations] .katex")
    formula = "[data-test=equations] .formula:nth-of-type(2) .katex"
    eventually(page, lambda: page.inner_text(formula).replace("\n", "") == "R⋅i=u")
    show(page, "Text")


def test_a_variable_is_dragged_into_a_plot(page: playwright.Page) -> None:
    page.drag_and_drop("[data-variable='R.i']", "[data-plot='1'] .chart")
    page.wait_for_selector("[data-series='R.i']")
    assert value_of(page, "R.i") == pytest.approx(0.01 * 2.718281828**-9.0, rel=1e-2)


def test_a_slider_runs_the_model(page: playwright.Page) -> None:
    value_of(page, "C.u")
    before = page.inner_text("[data-series='C.u'] .at")
    slide(page, "R.R", 2000.0)
    changed(page, "C.u", before)
    assert value_of(page, "C.u") == pytest.approx(10 * (1 - 2.718281828**-4.5), rel=1e-4)
    eventually(page, lambda: page.inner_text("[data-test=plots] .bar .chip").strip() == "R.R=2000")


def test_a_field_takes_a_number_with_a_unit(page: playwright.Page) -> None:
    field = page.locator("[data-parameter='R.R'] input.number")
    for text, number in (("3 kOhm", "3000"), ("2kOhm", "2000")):
        field.fill(text)
        field.press("Enter")
        page.wait_for_selector(f"[data-test=plots] .bar .chip:has-text('R.R={number}')")
        assert field.input_value() == number
    field.fill("2 V")
    field.press("Enter")
    page.wait_for_selector("[data-parameter='R.R'] input.wrong")
    field.fill("2000")
    field.press("Enter")
    page.wait_for_selector("[data-parameter='R.R'] input:not(.wrong)")


def test_runs_are_drawn_over_each_other(page: playwright.Page) -> None:
    page.click("button:has-text('Keep run')")
    page.wait_for_selector(".chip.kept")
    slide(page, "R.R", 500.0)
    page.wait_for_selector("[data-test=plots] .bar .chip:has-text('R.R=500')")
    eventually(page, lambda: page.inner_text(".chip.kept").strip().startswith("R.R=2000"))


def test_names_are_documented_and_proposed(page: playwright.Page) -> None:
    name = page.locator(".cm-line:has-text('(Capacitor)') span:text-is('Capacitor')")
    name.hover()
    page.wait_for_selector(".hover:has-text('model class Capacitor'):has-text('parameter C')")
    name.dblclick()
    page.keyboard.type("Capac")
    page.wait_for_selector(".cm-tooltip-autocomplete li:has-text('Capacitor')")
    page.wait_for_timeout(100)  # the editor ignores Enter just after the list has appeared
    page.keyboard.press("Enter")
    eventually(page, lambda: "(Capacitor) C" in page.inner_text(".cm-content"))


def test_a_mistake_is_underlined_and_its_remedy_applied(page: playwright.Page) -> None:
    page.locator(".cm-line:has-text('(Capacitor)') span:text-is('Capacitor')").dblclick()
    page.keyboard.type("Capacitr")
    page.keyboard.press("Escape")  # the proposals
    page.wait_for_selector(".cm-lintRange-error")
    eventually(page, lambda: page.inner_text(".cm-lintRange-error") == "Capacitr")
    page.wait_for_selector("[data-test=messages]:has-text('E205')")
    page.hover(".cm-lintRange-error")
    page.click(".cm-diagnosticAction")
    page.wait_for_selector(".cm-lintRange-error", state="detached")
    eventually(page, lambda: "(Capacitor) C" in page.inner_text(".cm-content"))


def test_the_declaration_of_a_class_is_shown(page: playwright.Page) -> None:
    page.locator(".cm-line:has-text('(Capacitor)') span:text-is('Capacitor')").click()
    page.keyboard.press("F12")
    page.wait_for_selector(".chip.file.on:has-text('electrical.mo')")
    page.wait_for_selector(".cm-line:has-text('ideal capacitor'), .cm-line:has-text('class Capacitor')")
    page.keyboard.type("no")
    assert page.locator(".dot").count() == 0
    page.click("[aria-label='close (the standard library)/electrical.mo']")
    page.wait_for_selector(".cm-line:has-text('(Capacitor)')")


def test_a_name_is_listed_and_changed_where_it_is_used(page: playwright.Page) -> None:
    page.locator(".cm-line:has-text('node n0')").click()
    page.keyboard.press("Home")
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+F12")
    page.wait_for_selector("[data-test=uses]:has-text('4 places with n0')")
    assert page.locator("[data-test=uses] li.message").count() == 4
    page.click("[data-test=uses] li:has-text('connect') >> nth=0")
    page.keyboard.press("F2")
    page.fill(".rename input", "ground")
    page.keyboard.press("Enter")
    page.wait_for_selector(".cm-line:has-text('node ground, n1')")
    text = page.inner_text(".cm-content")
    assert text.count("ground") == 4 and "n0" not in text
    page.keyboard.press("Control+z")
    page.wait_for_selector(".cm-line:has-text('node n0, n1')")
    page.keyboard.press("F2")
    page.fill(".rename input", "n1")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-test=notice]:has-text('already declared')")
    page.click("[data-test=notice] [aria-label=close]")
    show(page, "Messages")


def test_two_cursors_show_differences(page: playwright.Page) -> None:
    """The line of the second one stays where it was set."""
    box = page.locator("[data-plot='1'] .u-over >> nth=0").bounding_box()
    place = box["x"] + 0.3 * box["width"], box["y"] + 50
    page.mouse.move(*place)
    page.wait_for_selector("[data-test=cursor]")
    page.keyboard.down("Shift")
    page.mouse.click(*place)
    page.keyboard.up("Shift")
    page.mouse.move(box["x"] + 0.8 * box["width"], place[1])
    shown = "[data-series='C.u'] .difference"
    eventually(page, lambda: float(page.inner_text(shown).split()[1]) > 0.1)
    line = page.locator("[data-plot='1'] .mark-line >> nth=0").bounding_box()
    assert line["x"] == pytest.approx(place[0], abs=3) and line["height"] > 50
    page.evaluate("document.querySelector('[aria-label=\\'end the comparison\\']').click()")
    page.wait_for_selector(shown, state="detached")
    assert not page.locator("[data-plot='1'] .mark-line >> nth=0").is_visible()


def test_the_cursor_of_a_phase_plot_is_on_its_curve(page: playwright.Page) -> None:
    page.select_option("[data-plot='1'] [aria-label='horizontal axis']", "C.u")

    def points_at_the_middle() -> bool:
        page.mouse.move(0, 0)
        page.hover("[data-plot='1'] .u-over")
        shown = page.inner_text("[data-series='C.u'] .at")
        return page.locator("[data-plot='1'] .mark-point").count() > 0 and abs(float(shown) - 5.0) < 0.3

    eventually(page, points_at_the_middle)
    at = float(page.inner_text("[data-test=cursor] .faint").split()[1])
    assert at == pytest.approx(0.1 + 0.05 * 0.693, abs=0.01)  # R.R is 500, so that C.u is half of it by then
    page.select_option("[data-plot='1'] [aria-label='horizontal axis']", "time")
    page.mouse.move(0, 0)


def test_a_file_that_another_program_has_changed_is_not_overwritten(page: playwright.Page, folder: Path) -> None:
    file = folder / "rc.mo"
    other = "{ of another program }\n" + file.read_text()
    page.click(".cm-line >> nth=0")
    page.keyboard.type("# mine ")
    file.write_text(other)
    page.click("button:has-text('Save')")
    page.click("[data-test=notice] button:has-text('Load from the disk')")
    page.wait_for_selector(".cm-content:has-text('of another program')")
    assert file.read_text() == other and "# mine" not in page.inner_text(".cm-content")


def test_a_sweep_is_a_table(page: playwright.Page) -> None:
    show(page, "Studies")
    page.fill("[name=vary]", "R.R")
    page.fill("[name=from]", "500")
    page.fill("[name=to]", "1500")
    page.fill("[name=count]", "3")
    page.fill("[name=keep]", "C.u")
    page.click("button.primary:has-text('Sweep')")
    page.wait_for_selector("[data-test=table] tbody tr:nth-child(3)")
    rows = [row.split("\t") for row in page.inner_text("[data-test=table] tbody").splitlines()]
    assert [float(row[0]) for row in rows] == [500.0, 1000.0, 1500.0]
    expected = [10 * (1 - 2.718281828 ** (-9000.0 / r)) for r in (500.0, 1000.0, 1500.0)]
    assert [float(row[1]) for row in rows] == pytest.approx(expected, rel=1e-4)


def test_a_reload_restores_the_workspace(page: playwright.Page, folder: Path) -> None:
    workspace = folder / "rc.workspace.json"
    kept = ('"R.R": 500', '"R.R": 2000', '"studies"')  # it is saved a moment after the last change
    eventually(page, lambda: workspace.exists() and all(each in workspace.read_text() for each in kept))
    page.reload()
    page.wait_for_selector("[data-series='R.i']")
    page.wait_for_selector("[data-test=plots] .bar .chip.kept:has-text('R.R=2000')")
    page.wait_for_selector("[data-test=plots] .bar .chip:not(.kept):has-text('R.R=500')")
    assert page.locator("[data-series]").count() == 2
    page.click("[aria-label^='remove run']")
    page.wait_for_selector("[data-test=studies]")


def test_a_phone_shows_sliders_and_plots_together(page: playwright.Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for tab in ("Model", "Text", "Results", "Plots"):
        page.click(f".phone-tabs button:has-text('{tab}')")
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        tabs = page.locator(".phone-tabs").bounding_box()
        assert tabs["y"] + tabs["height"] <= 844
    slider = page.locator("[data-parameter='R.R'] .slider").bounding_box()
    chart = page.locator("[data-plot='1'] .chart").bounding_box()
    assert chart["height"] > 200 and chart["y"] + chart["height"] < slider["y"] < tabs["y"] - slider["height"]
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_selector("[data-test=studies]")


def open_model(page: playwright.Page, file: str) -> None:
    show(page, "Files")
    page.hover(f"[data-file='{file}']")
    page.click(f"[data-file='{file}'] button.small")
    show(page, "Components")


@pytest.mark.parametrize("file", ["evil.mo", "unit.mo"])
def test_texts_of_a_model_are_texts(page: playwright.Page, file: str) -> None:
    """Nothing in a model becomes markup, neither in the page nor in the picture."""
    open_model(page, file)
    page.wait_for_selector(
        f".title:has-text('{file}')"
        if file == "evil.mo"
        else "[data-test=messages] .message, .title:has-text('unit.mo')"
    )
    if file == "evil.mo":
        page.click("[data-component=a] button.grow")
        eventually(page, lambda: "<script>window.wrong = 1</script>" in page.inner_text("[data-test=inspector]"))
        for tab in ("Diagram", "Equations", "Blocks"):
            show(page, tab)
            page.wait_for_timeout(300)
        show(page, "Text")
    assert page.evaluate(
        "() => [window.wrong, document.querySelectorAll('script:not([src]), img, [onerror]').length]"
    ) == [None, 0]


def test_texts_that_are_not_saved_count(page: playwright.Page, folder: Path) -> None:
    """A mistake in an included file is underlined there; a changed value counts in the next run."""
    open_model(page, "whole.mo")
    assert value_of(page, "p.x") == pytest.approx(2.718281828**-2.0, rel=1e-4)
    show(page, "Files")
    page.click("[data-file='part.mo'] button.plain")
    page.locator(".cm-line:has-text('parameter k') span:text-is('2')").dblclick()
    page.keyboard.type("y")
    eventually(page, lambda: page.inner_text(".cm-lintRange-error >> nth=0") == "y")
    show(page, "Messages")
    page.wait_for_selector("[data-test=messages] .message button:text-is('part.mo:2')")
    page.locator(".cm-lintRange-error >> nth=0").dblclick()
    page.keyboard.type("3")
    page.wait_for_selector(".cm-lintRange-error", state="detached")
    page.click("[data-test=run]")
    eventually(page, lambda: value_of(page, "p.x") == pytest.approx(2.718281828**-3.0, rel=1e-4))
    assert (folder / "part.mo").read_text() == PART
    show(page, "Components")


def test_a_file_that_was_opened_with_an_error_runs_after_its_correction(page: playwright.Page) -> None:
    open_model(page, "broken.mo")
    page.wait_for_selector("text=The text has errors.")
    page.locator(".cm-line:has-text('der(x)') span:text-is('y')").dblclick()
    page.keyboard.type("x")
    page.wait_for_selector(".cm-lintRange-error", state="detached")
    page.click("[data-test=run]")
    assert value_of(page, "x") == pytest.approx(2.718281828**-2.0, rel=1e-4)
    # A run that fails is among the messages.
    page.locator(".cm-line:has-text('der(x)')").click()
    page.keyboard.press("End")
    page.keyboard.type("*sqrt(-x)")
    page.click("[data-test=run]")
    assert "E613" in page.inner_text("[data-test=failed-run]")
    page.locator(".cm-line:has-text('der(x)')").click()
    page.keyboard.press("Control+z")
    page.click("[data-test=run]")
    page.wait_for_selector("[data-test=failed-run]", state="detached")


def test_a_new_file_is_listed_when_it_is_saved(page: playwright.Page, folder: Path) -> None:
    show(page, "Files")
    page.fill("[name=name]", "fresh")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-test=diagram]:has-text('Drag a class here')")
    show(page, "Text")
    page.wait_for_selector(".cm-line:has-text('model Fresh')")
    assert not (folder / "fresh.mo").exists()
    page.click("button:has-text('Save')")
    show(page, "Files")
    page.wait_for_selector("[data-file='fresh.mo']")
    assert (folder / "fresh.mo").read_text().startswith('model Fresh ""\n')
    page.click("[aria-label='close fresh.mo']")
    open_model(page, "fast.mo")
    show(page, "Components")


def test_the_robot_follows_its_sliders(page: playwright.Page) -> None:
    """A load changes curves and the pose of an arm, at the time of the cursor, which both show."""
    open_model(page, "swing.mo")
    page.wait_for_selector("[data-component=m1]")
    page.wait_for_selector("[data-test=animation] canvas[data-drawn]")
    give(page, "[aria-label=time]", 0.7)
    page.wait_for_selector("[data-test=cursor]:has-text('at 0.7 s')")
    at, pose = page.inner_text("[data-series='r2.q'] .at"), pose_of(page)
    slide(page, "mL", 0.0)
    changed(page, "r2.q", at)
    eventually(page, lambda: pose_of(page) != pose)
    assert page.inner_text("[data-test=animation] output") == "0.700 s"


def test_the_grid_follows_the_color_scheme(page: playwright.Page) -> None:
    canvas = "[data-test=animation] canvas"
    # How often it was drawn, and how bright: it is the grid above all, for the background is transparent.
    reading = """canvas => {
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, canvas.height / 2, canvas.width, canvas.height / 2);
        let sum = 0, count = 0;
        for (let k = 0; k < data.length; k += 4) if (data[k + 3] > 200) { sum += data[k]; count++; }
        return [Number(canvas.dataset.drawn), sum / count];
    }"""
    drawn, light = page.eval_on_selector(canvas, reading)
    page.emulate_media(color_scheme="dark")
    eventually(page, lambda: page.eval_on_selector(canvas, reading)[1] < light - 20)
    assert page.eval_on_selector(canvas, reading)[0] > drawn
    page.emulate_media(color_scheme="light")
    eventually(page, lambda: abs(page.eval_on_selector(canvas, reading)[1] - light) < 2)


def pose_of(page: playwright.Page) -> bytes:
    return page.screenshot(clip=page.locator("[data-test=animation] canvas").bounding_box())


def test_nothing_was_reported(page: playwright.Page) -> None:
    """No error of the page, and nothing that its security policy refused."""
    assert page.reported == []


# The side of the kernel, as anywidget shows it to the widget: an answer to each request with the curve x = k.
KERNEL = """async (code) => {
    const view = (numbers) => new DataView(new Float64Array(numbers).buffer);
    const slider = (name, value, more) => ({ name, label: name, value, low: 0, high: 4, unit: "1/s", documentation: "",
        choices: [], first: 0, whole: false, slow: false, ...more });
    const listeners = {}, traits = {
        about: { title: "Decay", first: 2, names: ["x", "v"],
                 sliders: [slider("k", 2), slider("on", 1, { choices: ["false", "true"] }), slider("deep.c", 1)] },
        values: {}, shown: ["x"], stop: 1, asked: 0, is_running: false,
    };
    const picture = () => ({
        number: traits.asked, names: traits.shown, labels: traits.shown, units: traits.shown.map(() => "m"),
        time: view([0, traits.stop]), columns: traits.shown.map(() => view([0, traits.values.k ?? 2])), events: [],
        notes: [`k is ${traits.values.k ?? 2}`], scene: "", error: null });
    traits.picture = picture();
    window.model = {
        traits, get: (name) => traits[name], set: (name, value) => { traits[name] = value; },
        on: (event, listener) => { listeners[event] = listener; }, off: (event) => { delete listeners[event]; },
        save_changes: () => setTimeout(() => { traits.picture = picture(); listeners["change:picture"](); }),
        tell: (name, value) => { traits[name] = value; listeners[`change:${name}`](); }, listeners,
        widget_manager: { kernel: { interrupt: async () => { window.interrupted = true; } } },
    };
    const { default: widget } = await import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
    window.end = widget.render({ model, el: document.body });
}"""


def test_the_widget_of_notebooks_follows_its_sliders(page: playwright.Page) -> None:
    notebook = page.context.browser.new_page()
    notebook.set_default_timeout(1000 * PATIENCE)
    notebook.evaluate(KERNEL, (ROOT / "runtime" / "bundle" / "explore.js").read_text(encoding="utf-8"))
    notebook.wait_for_selector(".message:text-is('k is 2')")
    slide(notebook, "k", 3.0)
    notebook.wait_for_selector(".message:text-is('k is 3')")
    assert notebook.input_value("[data-parameter=k] .number") == "3"
    notebook.fill("[data-parameter=k] .number", "nothing")
    notebook.keyboard.press("Enter")
    notebook.wait_for_selector("[data-parameter=k] .number.wrong")
    notebook.click("[data-parameter=k] .reset")
    notebook.wait_for_selector(".message:text-is('k is 2')")
    notebook.select_option("[data-parameter=on] select", "false")
    notebook.fill(".find", "deep")
    notebook.fill("[data-parameter='deep.c'] .number", "2")
    notebook.fill(".add", "v")
    notebook.keyboard.press("Enter")
    notebook.wait_for_selector(".entry:has-text('v')")
    notebook.fill(".until .number", "5")
    notebook.keyboard.press("Enter")
    notebook.wait_for_function("model.traits.stop === 5 && document.querySelector('.time').max === '5'")
    assert notebook.evaluate("model.traits.values") == {"on": 0, "deep.c": 2}
    assert notebook.evaluate("model.traits.shown") == ["x", "v"]
    notebook.click(".play")
    notebook.wait_for_function("Number(document.querySelector('.time').value) > 0")
    notebook.click("[aria-label=pause]")
    notebook.evaluate("model.tell('is_running', true)")
    notebook.click(".cancel")
    assert notebook.evaluate("interrupted") is True
    notebook.evaluate("model.tell('is_running', false)")
    notebook.wait_for_selector(".cancel", state="detached")
    notebook.evaluate("end()")
    assert notebook.evaluate("[document.body.children.length, Object.keys(model.listeners).length]") == [0, 0]
    notebook.close()
