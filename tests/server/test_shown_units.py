"""The page of the workbench shows quantities in the unit that their declaration prefers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cutset.runtime.errors import RunError
from cutset.server.calls import Studies, _Calls
from cutset.server.session import Session
from cutset.server.worker import Channel

WHEEL = """model Wheel
  parameter w (unit="rad/s", display="rpm") = 60 rpm
  local phi (unit="rad", display="deg", start=0), T (unit="K", display="degC")
  der(phi) = w
  T = 20 degC
end
"""


def test_what_a_page_gets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wheel.mo").write_text(WHEEL)
    monkeypatch.chdir(tmp_path)
    with open(tmp_path / "answers", "wb") as stream:
        channel = Channel(stream)
        channel.number = 1
        session = Session(channel, ())
        session.open("wheel.mo", WHEEL, None)
        calls = _Calls(session)
        listing = calls.listing().data
        rows = {row[0]: dict(zip(listing["fields"], row, strict=True)) for row in listing["variables"]}
        unit, factor, zero = rows["w"]["display"]
        assert (unit, zero) == ("rpm", 0.0) and rows["w"]["value"] / factor == pytest.approx(60.0)
        assert rows["T"]["display"] == ["degC", 1.0, 273.15] and rows["der(phi)"]["display"] is None
        sent = calls.run({"stop": 1.0}, None, [{"names": ["phi", "T"], "width": 100}], 0)
        time, phi, T = sent.arrays
        assert np.allclose(phi, 360.0 * time, atol=1e-3) and np.allclose(T, 20.0)
        studies = Studies(session, channel)
        assert studies.number("w", "120 rpm").data["number"] == pytest.approx(4 * np.pi)
        for text in ("3 V", "2 Hz", "much"):
            with pytest.raises(RunError):
                studies.number("w", text)
        table = calls.table(1, ["phi"]).data["text"].splitlines()
        assert float(table[-1].split(",")[1]) == pytest.approx(2 * np.pi, rel=1e-3)
