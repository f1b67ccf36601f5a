"""Circuits none of whose potentials is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutset.api.command_line.command import main
from cutset.compiler.diagnose.reference import without_reference
from cutset.compiler.flatten.connect import flatten
from cutset.compiler.instantiate.instantiate import instantiate
from cutset.compiler.instantiate.names.library import load_library

# A current that a difference amplifier controls: only the sensor gives a potential, by the current.
CONTROLLED = """@electrical
model M
  submodel (VSource) s
  submodel (Resistor) r1(R=100), r2(R=100), r3(R=100), r4(R=100), load(R=5)
  submodel (OpAmpIdeal) a
  submodel (Hall) h
  submodel (Ground) g, other
  submodel (Resistor) r5(R=1)
  submodel (VSource) v
  node n0, n1, n2, n3, n4, n5
  connect s at (n1, n0), r1 at (n1, n2), r2 at (n2, n3), r3 at (n4, n5), r4 at (n5, n0), a at (n5, n2, n3)
  connect n3 to load to h to n0, h:m at n4, v to r5 to v, other at v:A
  {connected}
  s.u = 1
  v.u = 1
end
"""
WITHOUT = CONTROLLED.format(connected="")


def remarks(path: Path, name: str | None = None) -> list[str]:
    return [label.text for label in without_reference(flatten(instantiate(load_library(path, ()), name)))]


def test_a_sensor_of_the_circuit_s_own_current_is_no_reference(write_model):
    (found,) = remarks(write_model(WITHOUT))
    assert found.startswith("no potential is fixed in the circuit of 's', 'r1', 'r2' and ")
    assert "'h' gives one that depends on a current" in found and "'v'" not in found and "'r5'" not in found


@pytest.mark.parametrize("connected", ["connect g at n0", "h.Vm = 0", "input u\n  a.V3 = u"])
def test_a_ground_or_a_potential_from_outside_is(connected, write_model):
    assert remarks(write_model(CONTROLLED.format(connected=connected))) == []


def test_check_and_a_run_that_fails_print_it(write_model, capsys) -> None:
    path = write_model(CONTROLLED.format(connected="parameter zero = 0\n  local x\n  x = 1/zero"))
    assert main(["check", str(path)]) == 0
    assert "note: no potential is fixed in the circuit of" in capsys.readouterr().out
    assert main(["simulate", str(path)]) == 1
    assert "note: no potential is fixed in the circuit of" in capsys.readouterr().err
