"""Units read, multiplied, written: their laws on any units, and tables of texts."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutset.compiler.units.parse import Misread, parse_unit
from cutset.compiler.units.suggestions import quotient, unit_meant
from cutset.compiler.units.unit import NUMBER, Unit, exponent_of

SYMBOLS = ["m", "kg", "s", "A", "K", "mol", "cd", "N", "Pa", "J", "W", "C", "V", "F", "Ohm", "S", "Wb", "T", "H", "Hz"]
ANGLES = ["rad", "deg", "rpm"]
factors = st.tuples(st.sampled_from([*SYMBOLS, *ANGLES, "mm", "kW", "mA", "uF", "min", "bar"]), st.integers(-4, 4))
products = st.lists(factors, min_size=1, max_size=4)


def written(factors) -> str:
    return ".".join(symbol + ("" if e == 1 else str(e)) for symbol, e in factors)


def product(factors) -> Unit:
    result = NUMBER
    for symbol, e in factors:
        result = result * parse_unit(symbol).power(e)
    return result


@given(products, products)
def test_a_text_is_the_product_of_its_factors(above, below):
    quotient = parse_unit(f"({written(above)})/({written(below)})")
    expected = product(above) / product(below)
    assert quotient.agrees(expected) and quotient.angle == expected.angle


@given(products)
def test_a_unit_over_itself_is_a_number(factors):
    unit = parse_unit(written(factors))
    assert (unit / unit).is_number and unit.agrees(unit * NUMBER) and unit.power(0).is_number


@given(products, st.sampled_from([2, 3, -1, Fraction(1, 2), Fraction(1, 3)]))
def test_powers_invert(factors, p):
    unit = parse_unit(written(factors))
    assert unit.power(p).power(Fraction(1) / p).agrees(unit)


@given(st.lists(st.tuples(st.sampled_from([*SYMBOLS, "rad"]), st.integers(-4, 4)), min_size=1, max_size=4))
def test_what_is_shown_reads_back(factors):
    unit = product(factors)
    again = parse_unit(str(unit))
    assert again.agrees(unit) and again.angle == unit.angle


@given(st.text(max_size=12))
def test_any_text_is_a_unit_or_misread(text):
    try:
        assert isinstance(parse_unit(text), Unit)
    except Misread as error:
        assert error.kind in ("unknown", "offset", "form")


@pytest.mark.parametrize(
    ("text", "exponents", "scale"),
    [
        ("N.m/rad", (2, 1, -2, 0), 1),
        ("kg.m2", (2, 1, 0, 0), 1),
        ("m/s2", (1, 0, -2, 0), 1),
        ("rad/s", (0, 0, -1, 0), 1),
        ("Ohm", (2, 1, -3, -2), 1),
        ("mA", (0, 0, 0, 1), 1e-3),
        ("kW", (2, 1, -3, 0), 1e3),
        ("J/(kg.K)", (2, 0, -2, 0), 1),
        ("1/s", (0, 0, -1, 0), 1),
        ("s-1", (0, 0, -1, 0), 1),
        ("m^3/h", (3, 0, -1, 0), 1 / 3600),
        ("min", (0, 0, 1, 0), 60),
        ("mm", (1, 0, 0, 0), 1e-3),
        ("rpm", (0, 0, -1, 0), math.pi / 30),
        ("daN", (1, 1, -2, 0), 10),
        ("Pa", (-1, 1, -2, 0), 1),
        ("1", (0, 0, 0, 0), 1),
    ],
)
def test_units_in_use(text, exponents, scale):
    unit = parse_unit(text)
    assert unit.exponents[:4] == exponents and math.isclose(10.0**unit.magnitude, scale)
    assert str(unit) == text


@pytest.mark.parametrize(
    ("text", "kind", "proposal"),
    [
        ("Nm", "unknown", "N.m"),
        ("Vs", "unknown", "V.s"),
        ("ohm", "unknown", "Ohm"),
        ("volts", "unknown", "V"),
        ("radians", "unknown", "rad"),
        ("KG", "unknown", "kg"),
        ("degC", "offset", "K"),
    ],
)
def test_the_nearest_unit_is_proposed(text, kind, proposal):
    with pytest.raises(Misread) as caught:
        parse_unit(text)
    assert (caught.value.kind, caught.value.proposal) == (kind, proposal)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("rpms", "rpm"), ("RPM", "rpm"), ("U/min", "rpm"), ("Nm", "N.m"), ("Nm/rad", "N.m/rad"), ("Nms", "N.m.s"),
        ("kg*m^2", "kg.m2"), ("kgm2", "kg.m2"), ("kg m\u00b2", "kg.m2"), ("m/s\u00b2", "m/s2"), ("m/sec", "m/s"),
        ("sec", "s"), ("hz", "Hz"), ("khz", "kHz"), ("ohms", "Ohm"), ("Ohms", "Ohm"), ("k\u03a9", "kOhm"), ("volts",
        "V"),
        ("kN\u00b7m", "kN.m"), ("KN", "kN"), ("W/m2K", "W/(m2.K)"), ("J/kgK", "J/(kg.K)"), ("kmh", "km/h"), ("\u03bcF",
        "uF"),
        ("m**2", "m2"), ("degrees", "deg"), ("\u00b0", "deg"), ("mins", "min"), ("Kg", "kg"), ("kgs", "kg"), ("mAs",
        "mA.s"), ("ampre", "A"),
    ],
)  # fmt: skip
def test_the_unit_as_it_is_written_here(text, meant):
    assert unit_meant(text) == f"write '{meant}'"
    parse_unit(meant)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("percent", "a percentage is a number"),
        ("%", "a percentage is a number"),
        ("-", "a number has no unit"),
        ("gauss", "use 'T': 1 gauss is 0.0001 T"),
        ("inches", "write 'inch'"),
        ("kilopond", "write 'kgf'"),
    ],
)
def test_what_is_used_instead(text, hint):
    assert unit_meant(text).startswith(hint)


@pytest.mark.parametrize("text", ["", "bananas", "J/kg*K", "m//s", "qqq", "zzzzzzzz", "/", "()"])
def test_nothing_is_guessed(text):
    assert unit_meant(text) == ""


@given(st.text(max_size=12))
def test_a_unit_that_is_meant_can_be_read(text):
    hint = unit_meant(text)
    if hint.startswith("write '") and "'1'" not in hint:
        parse_unit(hint.removeprefix("write '").removesuffix("'"))


@pytest.mark.parametrize(
    ("above", "below", "text"),
    [
        ("rad/s", "rpm", "rad/(rpm.s)"),
        ("kJ/(kg.K)", "J/(kg.K)", "kJ/J"),
        ("N.mm", "N.m", "mm/m"),
        ("km/h", "m/s", "km.s/(m.h)"),
        ("1/s", "Hz", "1/(Hz.s)"),
        ("0.1 rad/s", "rpm", ""),
        ("m", "mm", "m/mm"),
    ],
)
def test_unit_of_a_conversion(above, below, text):
    assert quotient(above, below) == text


@pytest.mark.parametrize("text", ["", "/", "m//s", "m/s/s", "J/kg.K", "(m", "m)", "2", "m12345", "N m", "((m))", "m."])
def test_a_wrong_form_is_told(text):
    with pytest.raises(Misread) as caught:
        parse_unit(text)
    assert caught.value.kind == "form"


@pytest.mark.parametrize("value", [float("inf"), float("nan"), 1e300, 0.123456, 101])
def test_what_is_no_exponent(value):
    assert exponent_of(value) is None


def test_exponents_are_exact():
    assert exponent_of(2.0) == 2 and exponent_of(0.5) == Fraction(1, 2) and exponent_of(1 / 3) == Fraction(1, 3)


@pytest.mark.parametrize(
    ("above", "below", "shown"),
    [("V", "A", "Ohm"), ("N", "m", "N/m"), ("kg", "s2", "N/m"), ("m", "s", "m/s"), ("V", "V", "1")],
)
def test_results_are_shown_in_familiar_units(above, below, shown):
    assert str(parse_unit(above) / parse_unit(below)) == shown


@pytest.mark.parametrize("text", ["deg", "kV", "l/min", "N.m/rad"])
def test_a_number_of_it_is_written_as_it_is(text):
    unit = parse_unit(text)
    assert str(NUMBER * unit) == str(unit * NUMBER) == str(unit / NUMBER) == text
    assert str(NUMBER / unit) != text
