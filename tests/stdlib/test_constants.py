"""The constants of nature against those of pint."""

import pytest

import cutset

# Its names in pint.
NAMES = {
    "c": "speed_of_light", "g_n": "standard_gravity", "q_e": "elementary_charge", "k": "boltzmann_constant",
    "N_A": "avogadro_number/mol", "R": "molar_gas_constant", "sigma": "stefan_boltzmann_constant",
    "mu_0": "vacuum_permeability", "eps_0": "vacuum_permittivity",
}  # fmt: skip


def test_constants_of_nature():
    """Exact ones to all digits; the two others within the change from one adjustment to the next."""
    pint = pytest.importorskip("pint")
    registry = pint.UnitRegistry()
    declared = ", ".join(f"own_{name} = nature.{name}" for name in NAMES)
    text = f"@constants as nature\nmodel M\n  parameter {declared}\n  local x\n  x = 1\nend\n"
    values = cutset.loads(text).parameters
    for name, theirs in NAMES.items():
        expected = registry.Quantity(theirs).to_base_units().magnitude
        assert values[f"own_{name}"] == pytest.approx(expected, rel=1e-9 if name.endswith("_0") else 1e-14), name
