"""Parsed files on disk: the same tree, and no harm from what lies there."""

import os
import pickle
from pathlib import Path

import pytest

from cutset.compiler.diagnostics import Source
from cutset.compiler.syntax import cache as cache_module
from cutset.compiler.syntax.cache import TreeCache
from cutset.compiler.syntax.parse import parse
from cutset.compiler.syntax.print import print_tree
from cutset.contract.cache import DiskCache

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("path", sorted(ROOT.glob("stdlib/*.mo")), ids=lambda p: p.stem)
def test_the_tree_comes_back_with_its_places(path, tmp_path):
    text = path.read_text(encoding="utf-8")
    written = Source("written", text)
    TreeCache(DiskCache(tmp_path)).put(written, parse(written))
    source = Source("elsewhere", text)
    found = TreeCache(DiskCache(tmp_path)).get(source)
    assert found is not None and found.source is source
    assert print_tree(found) == print_tree(parse(source))
    spans = [(str(c.span), c.span.source is source) for c in found.classes]
    assert spans == [(str(c.span), True) for c in parse(source).classes]
    assert text not in "".join(p.read_bytes().decode("latin-1") for p in tmp_path.iterdir())


def test_other_texts_and_other_compilers_have_files_of_their_own(tmp_path, monkeypatch):
    source = Source("a", "model A\nend\n")
    TreeCache(DiskCache(tmp_path)).put(source, parse(source))
    assert TreeCache(DiskCache(tmp_path)).get(Source("a", "model B\nend\n")) is None
    monkeypatch.setattr(cache_module, "_version", lambda: "another")
    assert TreeCache(DiskCache(tmp_path)).get(source) is None


def test_the_version_is_the_content_of_the_compiler(tmp_path, monkeypatch):
    """Not names, sizes and times, which may be equal in two images."""
    versions = []
    for text in ("a = 1", "a = 2"):
        (tmp_path / "parse.py").write_text(text)
        os.utime(tmp_path / "parse.py", (1, 1))
        monkeypatch.setattr(cache_module, "__file__", str(tmp_path / "cache.py"))
        cache_module._version.cache_clear()
        versions.append(cache_module._version())
    cache_module._version.cache_clear()
    assert versions[0] != versions[1]


class Harmful:
    def __reduce__(self):
        return os.system, ("touch harm",)


@pytest.mark.parametrize(
    "data", [b"", b"nonsense", pickle.dumps(Harmful()), pickle.dumps(("x",)), pickle.dumps(Source)]
)
def test_what_is_no_tree_is_ignored_and_written_anew(data, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "cache"
    folder.mkdir()
    source = Source("a", "model A\nend\n")
    cache = TreeCache(DiskCache(folder))
    cache.put(source, parse(source))
    (file,) = folder.glob("*.tree")
    DiskCache(folder).put(file.name, data)
    assert TreeCache(DiskCache(folder)).get(source) is None and not Path("harm").exists()
    cache.put(source, parse(source))
    assert TreeCache(DiskCache(folder)).get(source) is not None


def test_what_cannot_be_kept_is_not_kept(tmp_path):
    source = Source("long", "model A\n  local x\n  x = " + " + ".join(["1"] * 20_000) + "\nend\n")
    cache = TreeCache(DiskCache(tmp_path))
    cache.put(source, parse(source))
    assert list(tmp_path.iterdir()) == []
    gone = TreeCache(DiskCache(tmp_path / "gone"))
    gone.put(Source("a", ""), parse(Source("a", "")))
    assert not (tmp_path / "gone").exists()


def test_a_text_is_read_once(tmp_path):
    text = "model A\nend\n"
    cache = TreeCache(DiskCache(tmp_path))
    first = Source("a", text)
    parsed = parse(first)
    cache.put(first, parsed)
    assert cache.get(Source("a", text)) is parsed and parsed.source is first
    other = cache.get(Source("b", text))
    assert other is not None and other is not parsed and other.source.name == "b"
    assert cache.get(Source("b", text)) is other
    assert TreeCache(DiskCache(tmp_path)).get(Source("a", text)) is not parsed


def test_files_of_the_package_have_a_store_of_their_own(tmp_path):
    users, package = DiskCache(tmp_path / "users"), DiskCache(tmp_path / "package")
    users.folder.mkdir()
    package.folder.mkdir()
    ours, theirs = Source("/lib/a.mo", "model A\nend\n"), Source("/else/b.mo", "model B\nend\n")
    for cache in (TreeCache(users, package=("/lib/", package)), TreeCache(None, package=("/lib/", package))):
        for source in (ours, theirs):
            cache.put(source, parse(source))
        assert cache.get(ours) is not None and len(list(package.folder.glob("*.tree"))) == 1
    assert len(list(users.folder.glob("*.tree"))) == 1 and TreeCache(None).get(theirs) is None
    (file,) = package.folder.glob("*.tree")
    file.write_bytes(b"damaged")
    users_only = TreeCache(users, package=("/lib/", DiskCache(tmp_path / "closed")))
    users_only.put(ours, parse(ours))
    assert TreeCache(users).get(ours) is not None
