"""Runs an FMU in a process of its own: requests on standard input -> answers on standard output, a line of JSON each.

Started by `fmu_components`. What the FMU prints goes to nowhere; a crash of the FMU ends only this process, and so does
the end of the other one. Numbers are exact in JSON; answers are data, never code.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from pathlib import Path
from typing import Any, TextIO

from cutset.runtime.fmu_instance import FmuFailure, FmuInstance


def main() -> None:
    """Answer requests until standard input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)

    def tell(**message: Any) -> None:
        _write(answers, message)

    instance: FmuInstance | None = None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["do"] == "make":
                folder, outputs = Path(request["folder"]), request["outputs"]
                instance = FmuInstance(folder, outputs, lambda name: tell(calls=name))
                tell(done=None)
            else:
                assert instance is not None
                tell(done=_done(instance, request))
        except FmuFailure as error:
            tell(failed=str(error))


def _done(instance: FmuInstance, request: dict[str, Any]) -> Any:
    match request["do"]:
        case "start":
            return instance.start(request["time"], request["values"])
        case "advance":
            return instance.advance(request["time"], request["step"], request["values"])
        case "save":
            return base64.b64encode(instance.saved()).decode("ascii")
        case "restore":
            return instance.restore(base64.b64decode(request["state"]))
    return instance.end()


def _write(answers: TextIO, message: dict[str, Any]) -> None:
    answers.write(json.dumps(message) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
