"""Says what each .model of SPICE is: its class, its parameters with their units, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cutset.compiler.spice.expressions import Tree, constant

_EPS_OX = 3.453143733e-11


@dataclass(frozen=True)
class Kind:
    """The class of a type of models; its parameters in SPICE with the name here and the unit, and `ignored` ones
    that change nothing here."""

    name: str
    parameters: Mapping[str, tuple[str, str]]
    ignored: frozenset[str] = frozenset()


def _named(names: str, unit: str = "") -> dict[str, tuple[str, str]]:
    """The parameters of a list; old=new where the name here is another one."""
    pairs = (name.partition("=") for name in names.split())
    return {old.lower(): (new or old, unit) for old, _, new in pairs}


_NAMES_ONLY = frozenset(("level", "type", "mfg", "vceo", "icrating", "iave", "vpk", "vds", "qg", "version", "af"))
_DIODE = Kind(
    "SpiceDiode",
    {
        **_named("IS IBV JS=IS", "A"), **_named("N M MJ=M FC NBV XTI PT=XTI"), **_named("RS", "Ohm"),
        **_named("CJO CJ0=CJO CJ=CJO", "F"), **_named("VJ PB=VJ BV VB=BV EG", "V"), **_named("TT", "sec"),
    },
    _NAMES_ONLY,
)  # fmt: skip
_BIPOLAR = {
    **_named("IS ISE ISC IKF IK=IKF IKR", "A"), **_named("BF BR NF NR NE NC MJE ME=MJE MJC MC=MJC FC XTB XTI PT=XTI"),
    **_named("VAF VA=VAF VAR VB=VAR VJE PE=VJE VJC PC=VJC EG", "V"), **_named("RB RBM RC RE", "Ohm"),
    **_named("CJE CJC", "F"), **_named("TF TR", "sec"),
}  # fmt: skip
_MOS = {
    **_named("KP", "A2V2"), **_named("VTO VT0=VTO PHI PB", "V"), **_named("GAMMA MJ FC"), **_named("LAMBDA", "perV"),
    **_named("RD RS", "Ohm"), **_named("CBD CBS", "F"), **_named("CGSO CGDO CGBO", "Fm"),
    **_named("TOX LD W L", "meter"),
    **_named("IS", "A"),
}  # fmt: skip
_JFET = {
    **_named("VTO VT0=VTO PB EG", "V"), **_named("BETA", "A2V2"), **_named("LAMBDA", "perV"), **_named("RD RS", "Ohm"),
    **_named("IS", "A"), **_named("CGS CGD", "F"), **_named("FC"),
}  # fmt: skip
_SWITCH = {**_named("RON ROFF", "Ohm"), **_named("VT=level IT=level VH=width IH=width")}
KINDS = {
    "d": _DIODE,
    "npn": Kind("SpiceNPN", _BIPOLAR, _NAMES_ONLY),
    "pnp": Kind("SpicePNP", _BIPOLAR, _NAMES_ONLY),
    "nmos": Kind("SpiceNMOS", _MOS, _NAMES_ONLY),
    "pmos": Kind("SpicePMOS", _MOS, _NAMES_ONLY),
    "njf": Kind("SpiceNJF", _JFET, _NAMES_ONLY),
    "pjf": Kind("SpicePJF", _JFET, _NAMES_ONLY),
    "sw": Kind("SpiceVoltageSwitch", _SWITCH),
    "vswitch": Kind("SpiceVoltageSwitch", _SWITCH),
    "csw": Kind("SpiceSwitch", _SWITCH),
    "iswitch": Kind("SpiceSwitch", _SWITCH),
}
# The types of models that each letter takes.
OF_LETTER = {
    "d": ("d",), "q": ("npn", "pnp"), "m": ("nmos", "pmos"), "j": ("njf", "pjf"), "s": ("sw", "vswitch"),
    "w": ("csw", "iswitch"),
}  # fmt: skip


def completed(kind: str, given: Mapping[str, Tree]) -> dict[str, Tree]:
    """The parameters with those that follow from others: KP of UO and TOX, the levels of switches that are given as
    those at which they are on and off. What is infinite where it is 0 stays 0."""
    found = dict(given)
    if kind in ("nmos", "pmos"):
        oxide, mobility = constant(found.get("tox", Tree("number", "0"))), found.pop("uo", Tree("number", "600"))
        if oxide and "kp" not in found:
            found["kp"] = Tree("number", f"{(constant(mobility) or 600.0) * 1e-4 * _EPS_OX / oxide:.12g}")
    for on, off, level, width in (("von", "voff", "vt", "vh"), ("ion", "ioff", "it", "ih")):
        if kind in ("vswitch", "iswitch") and on in found:
            high, low = found.pop(on), found.pop(off, Tree("number", "0"))
            half = Tree("number", "2")
            if (constant(high) or 0.0) < (constant(low) or 0.0):  # it is closed at the lower level
                found["ron"], found["roff"] = (
                    found.get("roff", Tree("number", "1e6")),
                    found.get("ron", Tree("number", "1")),
                )
            found[level] = Tree("/", "", (Tree("+", "", (high, low)), half))
            found[width] = Tree("call", "abs", (Tree("/", "", (Tree("-", "", (high, low)), half)),))
    return found
