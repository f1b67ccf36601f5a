"""Makes the sources of an FMU: program, variables -> {name of a file: text}. Compiles nothing.

The interface in C is in export/fmi; it includes the program of `export --c` and the tables that are made here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.resources import files as resources
from xml.etree import ElementTree as ET

from cutset.contract.metadata import ModelInfo, Origin
from cutset.export.c_folder import Program, is_unit, source_files
from cutset.export.fmi_variables import FmiVariable
from cutset.export.fmi_xml import document, element
from cutset.export.tables import literal

# Points between two calls: several communication steps are computed at once, with the events in them.
_ROWS = 96
_SHARED = ("ahead.h", "instance.h", "exchange_events.h", "stepping.h", "slopes.h", "interface.h")
_OF_3 = ("step_events.h", "clocks.h")


def fmu_sources(program: Program, variables: Sequence[FmiVariable], token: str, version: int) -> dict[str, str]:
    """The files of the folder sources. A run whose stop is not known has the length of the program's experiment."""
    own = (f"fmi{version}.c", f"fmi{version}.h", *(_OF_3 if version == 3 else ()))
    interface = {name: _own(name) for name in (*own, *_SHARED)}
    prefix = f"#define FMI2_FUNCTION_PREFIX {program.name}_\n\n" if version == 2 else ""
    main = f"fmi{version}.c"
    interface[main] = prefix + interface[main]
    return {**source_files(program, _ROWS), **interface, "references.h": _references(program, variables, token)}


def compiled_sources(program: Program, version: int) -> tuple[str, ...]:
    """The files that a compiler gets; they include the others."""
    foreign = (name for name in program.foreign if is_unit(name))
    return (f"fmi{version}.c", f"{program.name}.c", f"{program.name}_tables.c", *foreign)


def build_description(program: Program) -> bytes:
    """The text of buildDescription.xml for FMI 3.0."""
    root = ET.Element("fmiBuildDescription", {"fmiVersion": "3.0"})
    configuration = element(root, "BuildConfiguration", {"modelIdentifier": program.name})
    files = element(configuration, "SourceFileSet", {"language": "C11"})
    for name in compiled_sources(program, 3):
        element(files, "SourceFile", {"name": name})
    return document(root)


def _references(program: Program, variables: Sequence[FmiVariable], token: str) -> str:
    """The text of references.h: types and uses of variables, and the strings for messages."""
    info = program.info
    types, uses = ["r"] * len(info.names), ["-"] * len(info.names)
    for variable in variables:
        if variable.reference < len(info.names):
            types[variable.reference] = variable.type.kind
            uses[variable.reference] = variable.use or uses[variable.reference]
    lines = [
        "/* What FMI needs to know of the variables, in the order of their references, and strings for messages. */",
        "",
        "#ifndef CUTSET_REFERENCES_H",
        "#define CUTSET_REFERENCES_H",
        "",
        f"#define FMU_TOKEN {literal(token)}",
        f"#define FMU_INDICATORS {len(info.crossings)}",
        f"#define FMU_FAULTS {len(info.faults)}",
        f"#define FMU_INPUT_CLOCKS {int(any(v.type.kind == 'c' and v.causality == 'input' for v in variables))}",
        f"#define FMU_SPAN {program.experiment.stop - program.experiment.start!r}",
        "/* The distance from its crossing, relative to its sides, at which a relation changes: more than rounding. */",
        "#define FMU_MARGIN 1e-13",
        "",
        f"static const char fmu_types[] = {_characters(types)};",
        f"static const char fmu_uses[] = {_characters(uses)};",
        *_strings("fmu_faults", info.faults),
        *_strings("fmu_rates", _rate_texts(info)),
        *_strings("fmu_parameter_names", info.parameters),
        *_strings("fmu_assertion_places", (f"{a.place}" for a in info.assertions)),
        "",
        "#endif",
        "",
    ]
    return "\n".join(lines)


def _rate_texts(info: ModelInfo) -> Iterable[str]:
    """The derivative of each state with the equation that determines it."""
    origins: dict[str, Origin] = {origin.variable: origin for origin in info.origins}
    for state in info.states:
        origin = origins.get(f"der({state})")
        yield f"der({state})" + ("" if origin is None else f" in {origin.equation} ({origin.place})")


def _characters(letters: Sequence[str]) -> str:
    """A string in several lines; compilers limit the length of one."""
    text = "".join(letters)
    lines = [literal(text[k : k + 100]) for k in range(0, len(text), 100)] or ['""']
    return "\n    ".join(["", *lines])


def _strings(name: str, texts: Iterable[str]) -> list[str]:
    return [f"static const char *const {name}[] = {{", *(f"    {literal(t)}," for t in texts), '    ""', "};"]


def _own(name: str) -> str:
    return (resources("cutset.export") / "fmi" / name).read_text(encoding="utf-8")
