"""The page: one file that needs no other, in which no name can become code, and whose scene graph is the result."""

from __future__ import annotations

import base64
import re
import shutil
from dataclasses import replace

import numpy as np
import pytest
from moving import TIMES, arm, browser, browser_positions, in_browser, node_positions, origin, pendulum, scene

import cutset
from cutset.runtime.animation.page import data_of, page

RUNS = pytest.mark.parametrize("run", [arm, pendulum], ids=["arm", "pendulum"])


def assert_positions(found: list[dict[str, list[float]]], run) -> None:
    for t, positions in zip(TIMES, found, strict=True):
        assert len(positions) > 10
        for name, place in positions.items():
            # Numbers of 32 bits.
            assert np.allclose(place, origin(run, name, t), atol=1e-6)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@RUNS
def test_scene_graph_is_the_result(run) -> None:
    assert_positions(node_positions(data_of(scene(run()))), run())


@pytest.mark.skipif(browser() is None, reason="no Chromium is installed")
@pytest.mark.parametrize("run", [arm], ids=["arm"])
def test_page_in_a_browser_is_the_result(run, tmp_path) -> None:
    assert_positions(browser_positions(page(scene(run())), tmp_path), run())


@pytest.mark.skipif(browser() is None, reason="no Chromium is installed")
def test_play_and_switches_in_a_browser(tmp_path) -> None:
    script = """
      const seen = [page.motion.now];
      for (const name of ["frames", "forces", "torques", "names"]) document.getElementById(name).click();
      document.getElementById("play").click();
      page.player.advance(1000);  // as the browser does at each of its pictures, in ms
      page.player.advance(1400);
      seen.push(page.motion.now, page.player.isPlaying);
      page.player.advance(2100);
      seen.push(page.motion.now, page.player.isPlaying);
      tell({ seen, axes: page.axes.every((axes) => axes.visible), arrows: page.arrows.forces.group.visible,
             labels: page.labels.group.visible, names: page.labels.group.children.length, slider:
             Number(document.getElementById("time").value),
             scales: document.getElementById("scales").textContent, trouble:
             document.getElementById("trouble").hidden });"""
    found = in_browser(page(scene(arm())), script, tmp_path)
    start, middle, going, end, still_going = found["seen"]
    assert start == 0.0 and middle == pytest.approx(0.4) and going
    assert end == 1.0 == found["slider"] and not still_going
    assert found["axes"] and found["arrows"] and found["labels"] and found["names"] == 20
    assert "N.m" in found["scales"] and found["trouble"]


def test_page_needs_no_other_file() -> None:
    text = page(scene(arm()))
    own = re.sub(r"<script>\s*/\* three.js.*?</script>", "", text, flags=re.DOTALL)
    assert not re.search(r"""(src|href)\s*=|https?://|import\(|fetch\(""", own)
    assert len(text) < 1_500_000
    assert "The MIT License" in text and "three.js authors" in text


@pytest.mark.parametrize("nasty", ["</script><script>alert(1)</script>", "<!--<script>", "@@DATA@@", "\u2028'\"&"])
def test_names_stay_names(nasty: str) -> None:
    drawn = scene(pendulum())
    parts = tuple(replace(part, name=nasty) for part in drawn.nodes[0].parts)
    node = replace(drawn.nodes[0], names=(nasty,), parts=parts)
    text = page(replace(drawn, title=nasty, nodes=(node, *drawn.nodes[1:])))
    harmless = page(replace(drawn, title="x"))
    for tag in ("<script", "</script", "<!--", '"times":'):
        assert text.count(tag) == harmless.count(tag)


def test_times_are_exact() -> None:
    encoded = re.search(r'"times":"([^"]*)"', page(scene(arm())))
    assert np.array_equal(np.frombuffer(base64.b64decode(encoded[1]), "<f8"), arm().time)


def test_what_does_not_move(write_model, tmp_path) -> None:
    path = write_model(
        "@mbssim\nmodel M\n submodel (Inertial) i(ng2=-1)\n submodel (Body) b(m=1)\n connect i to b\nend"
    )
    run = cutset.load(path).simulate(stop=1.0, points=2)
    run.animate(tmp_path / "m.html")
    run.animate(tmp_path / "m.glb")
    assert (tmp_path / "m.html").stat().st_size > 500_000
