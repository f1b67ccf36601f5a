"""Numbers with units against pint, which is not ours; what is no unit; where one begins in a text."""

import math
import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cutset
from cutset.compiler.diagnostics import ModelError, Source
from cutset.compiler.pipeline import compile_model
from cutset.compiler.syntax.grammar import lexer
from cutset.compiler.syntax.parse import parse
from cutset.compiler.syntax.print import print_tree
from cutset.compiler.units.parse import Misread
from cutset.compiler.units.quantities import Misfit, begins_unit, measure, si_value, value_in
from cutset.compiler.units.symbols import _OTHERS, _PREFIXES, _SI, _WITH_PREFIX, OFFSETS, found

pint = pytest.importorskip("pint")
REGISTRY = pint.UnitRegistry(case_sensitive=True)
BASE = ("meter", "kilogram", "second", "ampere", "kelvin", "mole", "candela")
# Where pint has another name, or another meaning of the name.
PINT = {
    "Ohm": "ohm",
    "d": "day",
    "week": "week",
    "l": "liter",
    "L": "liter",
    "t": "metric_ton",
    "gal": "gallon",
    "lb": "pound",
    "oz": "ounce",
    "mil": "mil_length",
    "ft": "foot",
    "yd": "yard",
    "nmi": "nautical_mile",
    "mph": "mile/hour",
    "h": "hour",
    "ozf": "force_ounce",
    "kgf": "kilogram_force",
    "kp": "kilogram_force",
    "lbf": "pound_force",
    "cP": "centipoise",
    "cSt": "centistokes",
    "BTU": "international_british_thermal_unit",
    "Wh": "watt_hour",
    "Ah": "ampere_hour",
    "VA": "volt_ampere",
    "PS": "metric_horsepower",
    "%": "percent",
    "gon": "grade",
    "rev": "turn",
    "rpm": "rpm",
    "deg": "degree",
    "knot": "knot",
    "mmHg": "millimeter_Hg",
    "Torr": "torr",
    "erg": "erg",
    "dyn": "dyne",
    "psi": "psi",
    "atm": "atmosphere",
    "arcmin": "arcminute",
    "arcsec": "arcsecond",
    "hp": "horsepower",
    "bar": "bar",
    "min": "minute",
    "cal": "calorie",
    "eV": "electron_volt",
    "C": "coulomb",
    "rad": "radian",
    "sr": "steradian",
    "T": "tesla",
    "g": "gram",
    "Gy": "gray",
    "Sv": "sievert",
    "lm": "lumen",
    "lx": "lux",
    "H": "henry",
    "F": "farad",
    "S": "siemens",
}
SYMBOLS = sorted({*_SI, *_OTHERS})
# A frequency and an angular velocity, which do not mix.
TURNS = {"Hz", "rpm"}
PREFIXED = [(prefix, symbol) for symbol in sorted(_WITH_PREFIX) for prefix in _PREFIXES]


def in_pint(symbol: str) -> "pint.Quantity":
    if symbol == "var":
        return REGISTRY.Quantity(1.0, "watt")
    return REGISTRY.Quantity(1.0, PINT.get(symbol, symbol)).to_base_units()


def base_exponents(quantity) -> tuple[float, ...]:
    """Of m, kg, s, A, K, mol, cd; angles are numbers."""
    found = {str(name): power for name, power in quantity.to_base_units().unit_items()}
    assert not set(found) - {*BASE, "radian", "count"}
    return tuple(found.get(name, 0) for name in BASE)


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_each_unit_is_that_of_pint(symbol):
    ours, theirs = measure(symbol), in_pint(symbol)
    assert math.isclose(si_value("1", symbol), theirs.to_base_units().magnitude, rel_tol=1e-12)
    assert ours.unit.exponents == base_exponents(theirs)


def test_each_prefix_is_that_of_pint():
    """All prefixes of the SI with all units that take them; PS is the horsepower, and not a petasiemens."""
    for prefix, symbol in PREFIXED:
        written = prefix + symbol
        if written in _OTHERS or written in _SI:
            assert written in ("PS", "cd"), written
            continue
        unit, _ = found(written)
        assert si_value("1", written) == pytest.approx(si_value("1", symbol) * 10.0 ** _PREFIXES[prefix], rel=1e-14)
        assert unit.exponents == found(symbol)[0].exponents
    names = {
        "da": "deca",
        "h": "hecto",
        "u": "micro",
        "\u00b5": "micro",
        "Q": "quetta",
        "q": "quecto",
        "R": "ronna",
        "r": "ronto",
    }
    for prefix, power in _PREFIXES.items():
        assert REGISTRY.Quantity(1.0, f"{names.get(prefix, prefix)}meter" if prefix in names else f"{prefix}m").to(
            "meter"
        ).magnitude == pytest.approx(10.0**power, rel=1e-14)


@pytest.mark.parametrize(
    ("text", "kelvin"), [("20 degC", 293.15), ("-40 degF", 233.15), ("32 degF", 273.15), ("-0 degC", 273.15)]
)
def test_temperatures_have_their_zero(text, kelvin):
    number, unit = text.split()
    assert si_value(number, unit) == kelvin
    assert REGISTRY.Quantity(float(number), {"degC": "degC", "degF": "degF"}[unit]).to(
        "kelvin"
    ).magnitude == pytest.approx(kelvin)


def random_sum(rng: random.Random) -> tuple[str, float, tuple[float, ...]]:
    """A sum of products of numbers with units, its value in SI units by pint, and the exponents of its unit."""
    names = [s for s in SYMBOLS if s not in ("var", "cd", "lm", "lx", "sr")]

    def product(factors: list[tuple[str, str, int]]) -> tuple[str, "pint.Quantity"]:
        text, value = "", REGISTRY.Quantity(1.0)
        for number, symbol, power in factors:
            quantity = f"({number} {symbol})" if power != 1 or rng.random() < 0.5 else f"{number} {symbol}"
            text += ("*" if text else "") + quantity + (f"^{power}" if power != 1 else "")
            value = value * (float(number) * in_pint(symbol)) ** power
        return text, value

    first = [
        (f"{rng.uniform(0.5, 9):.3g}", rng.choice(names), rng.choice([1, 1, 1, 2, -1]))
        for _ in range(rng.randint(1, 3))
    ]
    text, value = product(first)
    for _ in range(rng.randint(0, 2)):
        # Another product of the same dimensions: other units of the same kind, in another order.
        other = []
        for _, symbol, power in first:
            alike = [s for s in names if found(s)[0].exponents == found(symbol)[0].exponents and {s, symbol} != TURNS]
            other.append((f"{rng.uniform(0.5, 9):.3g}", rng.choice(alike), power))
        rng.shuffle(other)
        sign = rng.choice("+-")
        term, more = product(other)
        text += f" {sign} {term}"
        value = value + more if sign == "+" else value - more
    return text, value.to_base_units().magnitude, base_exponents(value)


def si_text(exponents: tuple[float, ...]) -> str:
    symbols = ("m", "kg", "s", "A", "K", "mol", "cd")
    return ".".join(f"{s}{e:+.0f}".replace("+", "") for s, e in zip(symbols, exponents, strict=True) if e) or "1"


def test_random_sums_are_those_of_pint(tmp_path: Path, cases: int = 100, seed: int = 7):
    """One model of all of them: each is a parameter with its unit, so that the check of units sees it, too. Without the
    right unit it is an error."""
    rng = random.Random(seed)
    sums = [random_sum(rng) for _ in range(cases)]
    lines = [f'  parameter p{k} (unit="{si_text(unit)}") = {text}' for k, (text, _, unit) in enumerate(sums)]
    source = tmp_path / "sums.mo"
    source.write_text("\n".join(["model Sums", *lines, "  local x", "  x = 1", "end", ""]))
    values = cutset.load(source).parameters
    for k, (text, value, _) in enumerate(sums):
        assert values[f"p{k}"] == pytest.approx(value, rel=1e-9, abs=1e-12 * abs(value)), text
    for k in rng.sample(range(cases), 12):
        text, _, unit = sums[k]
        wrong = si_text(tuple(e + (j == k % 7) for j, e in enumerate(unit)))
        source.write_text(f'model Wrong\n  parameter p (unit="{wrong}") = {text}\n  local x\n  x = p/p\nend\n')
        with pytest.raises(ModelError) as caught:
            compile_model(source, None)
        assert {d.code for d in caught.value.diagnostics} <= {"E247", "E242", "E243"}


def test_no_keyword_is_a_unit():
    assert not [word for word in lexer().words if begins_unit(word, 0)]


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("km/h", "km/h"),
        ("N / h", "N"),
        ("N /h", "N"),
        ("m/2", "m"),
        ("m/(a + b)", "m"),
        ("J/(kg.K)*2", "J/(kg.K)"),
        ("m2)", "m2"),
        ("m^-2*x", "m^-2"),
        ("N.m/rad", "N.m/rad"),
        ("1/s", "1/s"),
        ("m/x", "m/x"),
        ("m*x", "m"),
        ("x", ""),
        ("then", ""),
        ("m2x", ""),
        ("rad_s", ""),
        ("1", ""),
        ("\u00b0C", "\u00b0C"),
        ("s,", "s"),
        ("%", "%"),
        ("%/K*x", "%/K"),
        ("% / K", "%"),
        ("%x", ""),
        ("m..3", "m"),
        ("(m)", ""),
    ],
)
def test_where_a_unit_ends(text, unit):
    assert begins_unit(text, 0) == unit


numbers = st.sampled_from(["3", "0.1", "1e-3", ".5", "2."])
units = st.sampled_from(["km/h", "rpm", "degC", "J/(kg.K)", "m^2", "N.m/rad", "1/s", "kOhm", "h"])
operators = st.sampled_from(["*", "/", " / ", "^2", " ^ 2", " + ", " - ", "*-", "/(h)", "'", " < 3 m", "/h"])


@given(st.lists(st.tuples(numbers, units, operators), min_size=1, max_size=4))
def test_what_is_printed_is_read_the_same(pieces):
    text = "".join(f"{'-' if k else ''}{n} {u}{o}" for k, (n, u, o) in enumerate(pieces))
    try:
        tree = parse(Source("x.mo", f"model M\n  x = {text} 1 m\nend\n"))
    except ModelError:
        return
    again = parse(Source("x.mo", print_tree(tree)))
    assert print_tree(again) == print_tree(tree)


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("10 kOhm", "Ohm", 10e3),
        ("10kOhm", "Ohm", 10e3),
        ("3000 rpm", "rad/s", 100 * math.pi),
        ("60 kW", "kW", 60),
        ("20 degC", "K", 293.15),
        ("-20 degC", "K", 253.15),
        ("5 bar", "MPa", 0.5),
        ("90 deg", "deg", 90),
        ("1e-400 m", "m", 0),
        ("30 deg", "1", math.pi / 6),
    ],
)
def test_a_text_in_the_unit_of_a_variable(text, unit, value):
    assert value_in(text, unit) == value


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("10 V", "Ohm"),
        ("50 Hz", "rad/s"),
        ("3000 rpm", "Hz"),
        ("10 kOhm", ""),
        ("3 m", "1"),
        ("10", "Ohm"),
        ("3 4 m", "m"),
        ("m", "m"),
    ],
)
def test_a_text_that_does_not_fit(text, unit):
    with pytest.raises(Misfit):
        value_in(text, unit)


@pytest.mark.parametrize("unit", ["degC/s", "W/degC", "degC2", "bananas", "m//s", "m^1.5", "1/degF"])
def test_what_is_no_unit(unit):
    with pytest.raises(Misread):
        si_value("1", unit)


def test_the_offsets_of_all_spellings_agree():
    assert {scale for symbol, scale in OFFSETS.items() if symbol.endswith("C")} == {("1", "273.15")}


EVERYWHERE = """
model class A
  parameter w (unit="rad/s") = 1 rpm, v(2) (unit="m") = [1 mm, 2 mm], k (unit="K", min=0 degC, max=100 degC) = 20 degC
  terminal x (unit="m", start=5 mm, nominal=1 mm)
  local n (unit="rad/s", start=10 rpm), y (unit="m")
  input u (unit="m/s")
  der(x) = u
  when x > 10 mm then
    new(n) = 3 rpm
  endwhen
  y = delay(x, 5 ms) + v(1)
  assert x < 1 km, "far"
end
model class (A) B
  parameter w = 60 rpm
end
model W
  submodel (A) a(w=2 rpm), c(2)(w=[1 rpm, 2 rpm]), d(2)(w=4 rpm)
  submodel (B) b
  local z (unit="m/s"), s, t
  z = if time > 1 min then 36 km/h elseif time > 30 s then 1 mph else 0 m/s
  a.u = z
  b.u = z
  c(1).u = 1 cm/s
  c(2).u = 2 mm/s
  d(1).u = 0
  d(2).u = 0
  s = min(3 mm, a.x)
  t = sin(30 deg) + atan2(1 m, 2 m)
  experiment (stop=2 min)
end
"""


def test_a_number_with_another_unit_is_wrong_wherever_it_stands():
    """Each quantity of the text in turn gets a unit of another kind."""
    cutset.loads(EVERYWHERE)
    places = [m for m in re.finditer(r"[0-9]+ ([A-Za-z]+(?:/[a-z]+)?)(?![A-Za-z(])", EVERYWHERE) if found_unit(m[1])]
    assert len(places) > 25
    for place in places:
        text = f"{EVERYWHERE[: place.start(1)]}cd{EVERYWHERE[place.end(1) :]}"
        with pytest.raises(ModelError) as caught:
            cutset.loads(text)
        codes = {d.code for d in caught.value.diagnostics}
        assert codes & {"E242", "E243", "E244", "E245", "E246", "E247"}, place[0]


def found_unit(text: str) -> bool:
    return begins_unit(text, 0) == text
