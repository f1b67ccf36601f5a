"""Does what is asked of an FMU: requests and answers are plain data, so that the FMU can be in another process."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from cutset.runtime.fmu.clocks import ClockedInstance, has_input_clocks
from cutset.runtime.fmu.instance import CoSimulationInstance, FmuFailure
from cutset.runtime.fmu.states import Direction, ExchangeInstance, Point


class Requests:
    """Does requests for the FMU that is extracted in `folder`; `before` is called with the name of each function of the
    FMU before the function. FmuFailure if one fails."""

    def __init__(self, folder: Path, before: Callable[[str], None] = lambda name: None):
        self._folder, self._before = folder, before
        self._instance: CoSimulationInstance | ExchangeInstance | None = None

    def done(self, do: str, request: Mapping[str, Any]) -> Any:
        """The answer: what the method of the instance with the name `do` returns for these arguments, states as text.
        The first request is 'make', with the `interface`."""
        if do == "make":
            self._instance = self._made(request["interface"])
            return None
        if do == "end":
            return self.end()
        assert self._instance is not None
        given = dict(request)
        if "saved" in given:
            given["saved"] = base64.b64decode(given["saved"])
        if "states" in given:
            given["point"] = Point(*map(given.pop, ("state", "time", "states", "inputs")))
        if "along" in given:
            given["along"] = Direction(**given["along"])
        answer = getattr(self._instance, do)(**given)
        return base64.b64encode(answer).decode("ascii") if do == "save" else answer

    def _made(self, interface: str) -> CoSimulationInstance | ExchangeInstance:
        if interface != "CoSimulation":
            return ExchangeInstance(self._folder, self._before)
        made = ClockedInstance if has_input_clocks(self._folder) else CoSimulationInstance
        return made(self._folder, self._before)

    def end(self) -> None:
        """Free the instance."""
        with suppress(FmuFailure):  # the run has ended, whatever the FMU says
            if self._instance is not None:
                self._instance.end()
        self._instance = None
