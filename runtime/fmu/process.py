"""Runs an FMU in a process of its own: requests on standard input -> answers on standard output, a line of JSON each.

Started by `fmu_runner` with the folder of the FMU. What the FMU prints goes to nowhere; a crash of the FMU ends only
this process, and so does the end of the other one. Numbers are exact in JSON; answers are data, never code.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, TextIO

from cutset.runtime.fmu.instance import FmuFailure
from cutset.runtime.fmu.requests import Requests


def main() -> None:
    """Answer requests until standard input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    requests = Requests(Path(sys.argv[1]), lambda name: _write(answers, {"calls": name}))
    for line in sys.stdin:
        request = json.loads(line)
        try:
            _write(answers, {"done": requests.done(request.pop("do"), request)})
        except FmuFailure as error:
            _write(answers, {"failed": str(error)})


def _write(answers: TextIO, message: dict[str, Any]) -> None:
    answers.write(json.dumps(message) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
