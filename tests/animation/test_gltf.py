"""The .glb file keeps the rules of the specification of glTF 2.0, whose sections are named, and moves as the result
does."""

from __future__ import annotations

import json
import math
import shutil
import struct
import subprocess
from dataclasses import replace

import numpy as np
import pytest
from moving import TIMES, arm, origin, pendulum, scene

from cutset.runtime.animation.animate import glb

WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
KINDS = {5126: "<f4", 5123: "<u2"}
RUNS = pytest.mark.parametrize("run", [arm, pendulum], ids=["arm", "pendulum"])


def parsed(data: bytes) -> tuple[dict, bytes]:
    """The chunks (4.4): magic, version, lengths, alignment and padding."""
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON" and size % 4 == 0
    text = data[20 : 20 + size]
    more, kind = struct.unpack_from("<I4s", data, 20 + size)
    assert kind == b"BIN\0" and more % 4 == 0 and 28 + size + more == length
    return json.loads(text), data[28 + size :]


def values(document: dict, data: bytes, number: int) -> np.ndarray:
    """An accessor, with its rules (3.6.2): within its view, and aligned; min and max as they are."""
    accessor = document["accessors"][number]
    view = document["bufferViews"][accessor["bufferView"]]
    kind, width = np.dtype(KINDS[accessor["componentType"]]), WIDTHS[accessor["type"]]
    assert view["byteOffset"] % kind.itemsize == 0
    assert view["byteLength"] == accessor["count"] * width * kind.itemsize
    assert view["byteOffset"] + view["byteLength"] <= document["buffers"][0]["byteLength"] <= len(data)
    found = np.frombuffer(data, kind, accessor["count"] * width, view["byteOffset"]).reshape(-1, width)
    if "min" in accessor:
        assert np.array_equal(np.float32(accessor["min"]), found.min(axis=0))
        assert np.array_equal(np.float32(accessor["max"]), found.max(axis=0))
    return found


@RUNS
def test_meshes(run) -> None:
    """3.7.2: POSITION with min and max, as many normals of length 1, indices of corners that are there."""
    document, data = parsed(glb(scene(run())))
    for mesh in document["meshes"]:
        for primitive in mesh["primitives"]:
            corners, normals = (
                values(document, data, primitive["attributes"][name]) for name in ("POSITION", "NORMAL")
            )
            assert {"min", "max"} <= set(document["accessors"][primitive["attributes"]["POSITION"]])
            assert corners.shape == normals.shape
            assert np.allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-5)
            assert values(document, data, primitive["indices"]).max() < len(corners)
            assert 0 <= primitive["material"] < len(document["materials"])


@RUNS
def test_nodes_are_a_tree(run) -> None:
    """3.5.2: every node has one parent at most, and all hang below the root; rotations are of length 1."""
    document, _ = parsed(glb(scene(run())))
    children = [child for node in document["nodes"] for child in node.get("children", ())]
    assert sorted(children) == list(range(1, len(document["nodes"])))
    assert document["scenes"] == [{"nodes": [0]}]
    for node in document["nodes"]:
        assert math.hypot(*node.get("rotation", [1.0])) == pytest.approx(1.0, abs=1e-5)
        assert "children" not in node or node["children"]


@RUNS
def test_animation(run) -> None:
    """3.11: ascending times from 0 with min and max, as many values; a target is moved by one channel; quaternions are
    of length 1."""
    document, data = parsed(glb(scene(run())))
    [animation] = document["animations"]
    targets = [(channel["target"]["node"], channel["target"]["path"]) for channel in animation["channels"]]
    assert len(targets) == len(set(targets)) > 0
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        times, output = (values(document, data, sampler[name]) for name in ("input", "output"))
        assert {"min", "max"} <= set(document["accessors"][sampler["input"]])
        assert times[0] == 0.0 and (np.diff(times[:, 0]) > 0.0).all()
        assert len(times) == len(output)
        if channel["target"]["path"] == "rotation":
            assert np.allclose(np.linalg.norm(output, axis=1), 1.0, atol=1e-6)
        # What does not play shows the start.
        rest = document["nodes"][channel["target"]["node"]][channel["target"]["path"]]
        assert np.array_equal(np.float32(rest), output[0])


@RUNS
def test_frames_move_as_in_the_result(run) -> None:
    document, data = parsed(glb(scene(run())))
    [animation] = document["animations"]
    moved = {}
    for channel in animation["channels"]:
        if channel["target"]["path"] == "translation":
            sampler = animation["samplers"][channel["sampler"]]
            moved[channel["target"]["node"]] = [values(document, data, sampler[name]) for name in ("input", "output")]
    frames = 0
    for number, node in enumerate(document["nodes"]):
        for name in filter(lambda name: ":" in name, node["name"].split(", ")):
            for t in TIMES:
                place = node["translation"]
                if number in moved:
                    times, output = moved[number]
                    place = [np.interp(t, times[:, 0], output[:, k]) for k in range(3)]
                assert np.allclose(place, origin(run(), name, t), atol=1e-6)
                frames += 1
    assert frames > 30


def test_the_scene_stands_upright() -> None:
    document, _ = parsed(glb(scene(pendulum())))
    x, y, z, w = document["nodes"][0]["rotation"]
    up = np.array([0.0, 0.0, -1.0])
    q = np.array([x, y, z])
    assert np.allclose(up + 2.0 * np.cross(q, np.cross(q, up) + w * up), [0.0, 1.0, 0.0], atol=1e-6)


def test_an_instant_that_stands_twice_is_there_once() -> None:
    drawn = scene(arm())
    times = drawn.times.copy()
    times[50] = times[49]
    document, data = parsed(glb(replace(drawn, times=times + 7.0)))
    sampler = document["animations"][0]["samplers"][0]
    found = values(document, data, sampler["input"])
    assert len(found) == len(times) - 1 and found[0] == 0.0
    node = document["animations"][0]["channels"][0]["target"]["node"]
    course = next(n for n in drawn.nodes if ", ".join(n.names) == document["nodes"][node]["name"])
    assert np.allclose(
        values(document, data, sampler["output"])[49],
        (course.place if len(course.place) > 1 else course.turn)[50],
        atol=1e-6,
    )


VALIDATE = """
require("gltf-validator").validateBytes(new Uint8Array(require("fs").readFileSync(process.argv[1])))
  .then((report) => console.log(JSON.stringify(report.issues)));
"""


@RUNS
def test_validator_finds_nothing(run, tmp_path) -> None:
    """The Khronos validator: `npm install gltf-validator`, and NODE_PATH where node does not look for it by itself."""
    node = shutil.which("node")
    if (
        node is None
        or subprocess.run([node, "-e", "require('gltf-validator')"], capture_output=True, check=False).returncode
    ):
        pytest.skip("the package gltf-validator of node is not installed")
    file = tmp_path / "run.glb"
    run().animate(file)
    done = subprocess.run([node, "-e", VALIDATE, str(file)], capture_output=True, text=True, check=True)
    issues = json.loads(done.stdout)
    assert (issues["numErrors"], issues["numWarnings"]) == (0, 0), issues["messages"]
