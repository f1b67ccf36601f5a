"""Reads the tables in files that texts name, when a table is first needed: texts of the model or of a run -> numbers.

A file must be in the folder of the file whose text names it, for a text of a run in that of the model, or in a folder
of the library path.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from cutset.compiler.diagnostics import Diagnostic, ModelError, Span
from cutset.compiler.instantiate.names import class_messages
from cutset.compiler.instantiate.names.foreign_files import Search
from cutset.compiler.instantiate.names.table_files import BadTable, TableFile, read_row, read_table
from cutset.compiler.syntax.read import Unreadable, read_text

T = TypeVar("T")


class DataFiles:
    """The files of one library. `texts` gets what was read, by path, and `absent` the paths where no file was."""

    def __init__(self, folder: Path, library_path: tuple[Path, ...], texts: dict[Path, str], absent: list[Path]):
        self.texts, self.absent = texts, absent
        self._folder, self._library_path = folder, library_path
        self._tables: dict[tuple[Path, str | None], TableFile] = {}

    def table(self, name: str, column: str | None, place: Span | None, at: Span) -> TableFile:
        """The table, or its column; `place` is where the model names the file, None in a run, and `at` where it is
        used. ModelError for a file that cannot be used."""
        path = self._path(name, place, at)
        if (path, column) not in self._tables:
            self._tables[path, column] = self._read(name, path, place or at, lambda text: read_table(text, column))
        return self._tables[path, column]

    def row(self, name: str, row: str, place: Span | None, at: Span) -> dict[str, tuple[float | str, str]]:
        """The entries of a row, as `read_row` has them; the rest as for `table`."""
        return self._read(name, self._path(name, place, at), place or at, lambda text: read_row(text, row))

    def _path(self, name: str, place: Span | None, at: Span) -> Path:
        wrong: list[Diagnostic] = []
        folder = self._folder if place is None else Path(place.source.name).parent
        search = Search(self._library_path, wrong, self.texts, self.absent)
        path = search.required(name, (folder, *self._library_path), place or at)
        if path is None:
            raise ModelError(wrong)
        return path

    def _read(self, name: str, path: Path, at: Span, read: Callable[[str], T]) -> T:
        try:
            self.texts[path] = self.texts.get(path) or read_text(path)
            return read(self.texts[path])
        except Unreadable as error:
            raise ModelError([class_messages.file_unreadable(name, str(error), at)]) from error
        except BadTable as error:
            raise ModelError([class_messages.bad_table_file(name, str(error), at)]) from error
