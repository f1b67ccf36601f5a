"""Keeps the child processes of the workbench.

One checks texts, one for each of the latest models does its runs, and one does what may take long beside the runs:
listings, equations, studies.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from cutset.server.children import Child

# Each takes 100 to 300 MB.
_MOST_MODELS = 3


class Pool:
    """The child processes for the folder that was opened."""

    def __init__(self, folder: Path, library_path: Sequence[str]):
        self._folder, self._library_path = folder, library_path
        self.checker = self._child("check")
        self.aside = self._child("model")
        self._models: dict[str, Child] = {}

    def _child(self, kind: str) -> Child:
        return Child(kind, self._folder, self._library_path)

    async def start(self, model: str) -> None:
        """Start the process that the first picture needs. The others would take processor time from the page;
        they are started by their first requests."""
        await self.of_model(model).start()

    def of_model(self, file: str) -> Child:
        """The process for a model file; it is started by its first request. The process of the model that was used
        longest ago may be ended for it."""
        child = self._models.pop(file, None) or self._models.pop("", None) or self._child("model")
        self._models[file] = child
        while len(self._models) > _MOST_MODELS:
            self._models.pop(next(iter(self._models))).kill()
        return child

    async def end(self) -> None:
        """End all processes."""
        await asyncio.gather(*(child.end() for child in (self.checker, self.aside, *self._models.values())))
