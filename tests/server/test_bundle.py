"""The bundle of the workbench belongs to its sources, loads nothing from elsewhere, and names the parts of others."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUNDLE, SOURCES = ROOT / "runtime" / "bundle", ROOT / "workbench"


def hash_of(folder: Path) -> str:
    """As workbench/build.mjs computes it."""
    found = hashlib.sha256()
    names = [f"src/{path.name}" for path in sorted((folder / "src").iterdir(), key=lambda each: each.name)]
    for name in [*names, "build.mjs", "package.json", "package-lock.json", "tsconfig.json"]:
        found.update(f"{name}\n".encode())
        found.update((folder / name).read_bytes())
    return found.hexdigest()


def test_the_bundle_is_that_of_the_sources() -> None:
    """After a change in workbench/: make workbench."""
    assert (BUNDLE / "sources.txt").read_text().strip() == hash_of(SOURCES)


def test_a_changed_source_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    for name in ("src/main.tsx", "build.mjs", "package.json", "package-lock.json", "tsconfig.json"):
        (tmp_path / name).write_text(name)
    before = hash_of(tmp_path)
    (tmp_path / "src" / "main.tsx").write_text("changed")
    assert hash_of(tmp_path) != before


def test_the_page_needs_no_other_server() -> None:
    for path in BUNDLE.iterdir():
        if path.suffix in (".html", ".css"):
            assert not re.search(r"url\(['\"]?(https?:)?//|@import", path.read_text(encoding="utf-8"))


def test_the_widget_of_notebooks_is_one_module_without_others() -> None:
    """`make workbench` builds it too."""
    code = (BUNDLE / "explore.js").read_text(encoding="utf-8")
    assert re.search(r"export ?\{[\w$]+ as default\}", code) and not re.search(
        r"\bimport\b|\bfetch\(|https?:(?!//www\.w3\.org/)", code
    )
    assert not any("innerHTML" in path.read_text(encoding="utf-8") for path in (SOURCES / "src").glob("*.ts*"))
    assert not re.search(r"url\(|@import", (BUNDLE / "explore.css").read_text(encoding="utf-8"))


def test_parts_of_others_are_named() -> None:
    packages = json.loads((SOURCES / "package.json").read_text())["dependencies"]
    licenses = (BUNDLE / "LICENSE.txt").read_text(encoding="utf-8")
    assert [name for name in packages if not re.search(rf"^{re.escape(name)} \d", licenses, re.MULTILINE)] == []


def test_files_of_the_workbench_are_short() -> None:
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in (SOURCES / "src").iterdir()}
    assert {name: lines for name, lines in lengths.items() if lines > 400} == {}
    untyped = re.compile(r": any\b|<any\b|\bas any\b|@ts-")
    assert [path.name for path in (SOURCES / "src").glob("*.ts*") if untyped.search(path.read_text())] == []
