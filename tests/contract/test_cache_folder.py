"""The folder of the cache: private, bounded, off where that is wanted."""

import os
import stat
import time
from pathlib import Path

import pytest

from cutset.contract import cache
from cutset.contract.cache import DiskCache, cache_folder, limit, package_cache, private_folder, trim


def test_the_folder_is_private(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = private_folder()
    assert folder == tmp_path / "cutset" and stat.S_IMODE(folder.stat().st_mode) == 0o700
    folder.chmod(0o777)
    assert private_folder() == folder and stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_new_folder_is_closed_from_the_beginning(tmp_path, monkeypatch):
    """Not only once its mode is changed, between which others could enter."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(Path, "chmod", lambda *_: pytest.fail("it was open at first"))
    assert private_folder() == tmp_path / "cutset"


def test_no_cache_where_it_cannot_be_ones_own(tmp_path, monkeypatch):
    (tmp_path / "other").mkdir()
    (tmp_path / "cutset").symlink_to(tmp_path / "other")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert private_folder() is None
    monkeypatch.setenv("CUTSET_CACHE", "off")
    assert cache_folder() is None and private_folder() is None


def test_what_was_not_used_for_long_goes_first(tmp_path, monkeypatch):
    now = time.time()
    for age, name in enumerate(("new.so", "used.tree", "old.so", "older.so")):
        (tmp_path / name).write_bytes(b"x" * 400_000)
        os.utime(tmp_path / name, (now, now - 100 * age))
    for name, age in (("build-left", 9000), ("build-busy", 0)):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (now - age, now - age))
    monkeypatch.setenv("CUTSET_CACHE", "1")
    trim(tmp_path, limit())
    assert {p.name for p in tmp_path.iterdir()} == {"new.so", "used.tree", "build-busy"}
    monkeypatch.setenv("CUTSET_CACHE", "many")
    trim(tmp_path, limit())
    assert len(list(tmp_path.iterdir())) == 3


def test_the_cache_of_the_package_is_beside_its_bytecode(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "cache.py"))
    monkeypatch.setenv("CUTSET_CACHE", "off")
    package = package_cache()
    assert package is not None and package.put("a.o", b"x") and package.get("a.o") == b"x"
    (file,) = (tmp_path / "__pycache__").rglob("*.o")
    assert file.name == "a.o" and stat.S_IMODE(file.stat().st_mode) == 0o644, "other users read it, too"
    monkeypatch.setattr(cache, "__file__", str(file / "cache.py"))
    assert package_cache() is None


def test_a_cache_is_not_looked_through_each_time(tmp_path, monkeypatch):
    """A run that stores something does not pay for all files of a large cache; a minute later one of them does."""
    monkeypatch.setenv("CUTSET_CACHE", "0")
    disk, mark = DiskCache(tmp_path), tmp_path / "last.trim"
    for is_trimmed in (True, False):
        assert disk.put("kept", b"12345")
        assert (disk.get("kept") is None) == is_trimmed
    os.utime(mark, (time.time() - 60, time.time() - 60))
    assert disk.put("other", b"12345") and set(tmp_path.iterdir()) == {mark}
