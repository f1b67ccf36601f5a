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
        self._stepping: CoSimulationInstance | None = None
        self._exchange: ExchangeInstance | None = None

    def done(self, do: str, request: Mapping[str, Any]) -> Any:
        """The answer. The first request is 'make', with the `interface`."""
        if do == "end":
            return self.end()
        if do == "make":
            if request["interface"] == "CoSimulation":
                made = ClockedInstance if has_input_clocks(self._folder) else CoSimulationInstance
                self._stepping = made(self._folder, self._before)
            else:
                self._exchange = ExchangeInstance(self._folder, self._before)
            return None
        if self._exchange is not None:
            return _exchanged(self._exchange, do, request)
        assert self._stepping is not None
        return _stepped(self._stepping, do, request)

    def end(self) -> None:
        """Free the instance."""
        with suppress(FmuFailure):  # the run has ended, whatever the FMU says
            for instance in (self._stepping, self._exchange):
                if instance is not None:
                    instance.end()
        self._stepping = self._exchange = None


def _stepped(instance: CoSimulationInstance, do: str, request: Mapping[str, Any]) -> Any:
    match do:
        case "facts":
            return instance.facts(request["outputs"])
        case "save":
            return base64.b64encode(instance.saved()).decode("ascii")
        case "restore":
            return instance.restore(base64.b64decode(request["saved"]))
    return [*_outputs(instance, do, request), float(instance.ends)]


def _outputs(instance: CoSimulationInstance, do: str, request: Mapping[str, Any]) -> list[float]:
    match do:
        case "start":
            return instance.start(request["time"], request["values"], request["outputs"])
        case "open":
            return instance.open(request["time"], request["values"], request["outputs"])
        case "reopen":
            return instance.reopen(request["values"], request["outputs"])
        case "begin":
            return instance.begin(request["outputs"])
        case "tick":
            assert isinstance(instance, ClockedInstance)
            return instance.tick(request["time"], request["values"], request["outputs"])
        case "try":
            if request["first"]:
                instance.mark()
            else:
                instance.go_back()
            return instance.tried(request["time"], request["step"], request["values"], request["outputs"])
    return instance.advance(request["time"], request["step"], request["values"], request["outputs"])


def _exchanged(instance: ExchangeInstance, do: str, request: Mapping[str, Any]) -> Any:
    match do:
        case "begin":
            return instance.begin(request["time"], request["parameters"], request["inputs"], request["outputs"])
        case "event":
            return instance.event(_point(request), request["signs"], request["outputs"])
        case "evaluate":
            what = request["what"], request["outputs"]
            if "along" in request:
                return instance.slope(_point(request), *what, Direction(**request["along"]))
            return instance.evaluate(_point(request), *what)
        case "save":
            return base64.b64encode(instance.saved(request["state"])).decode("ascii")
    return instance.restored(base64.b64decode(request["saved"]))


def _point(request: Mapping[str, Any]) -> Point:
    return Point(request["state"], request["time"], request["states"], request["inputs"])
