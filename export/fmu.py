"""Makes an FMU: program, facts -> the bytes of a zip archive. Writes no file.

The same model gives the same bytes, except for what compilers add.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from xml.etree import ElementTree as ET

from cutset.contract.metadata import ModelInfo, Origin
from cutset.export.c_folder import Program, file_text, is_unit, source_files
from cutset.export.first_point import StartValues
from cutset.export.fmi_binaries import Platform, libraries
from cutset.export.fmi_description import Fmu, description
from cutset.export.fmi_facts import ModelFacts
from cutset.export.fmi_variables import FmiVariable, fmi_variables
from cutset.export.fmi_xml import document, element, terminals_text
from cutset.export.tables import literal

# The earliest time that zip archives can hold: FMUs do not depend on when they were made.
_TIME = (1980, 1, 1, 0, 0, 0)
_EXECUTABLE, _PLAIN = 0o755, 0o644


def fmu_bytes(
    program: Program,
    facts: ModelFacts,
    values: StartValues,
    version: int,
    platforms: Sequence[Platform],
    input_clocks: bool = False,
) -> bytes:
    """The FMU of version 2 or 3, with sources and the libraries for these platforms; with `input_clocks` the importer
    ticks its samples. BuildError if a compiler fails."""
    variables = fmi_variables(program, facts, values, version)
    if input_clocks:
        variables = tuple(replace(v, causality="input") if v.type.kind == "c" else v for v in variables)
    sources = fmu_sources(program, variables, "", version)
    token = _token([program.info.name, str(version), *map(repr, variables), *sources.values()])
    sources = fmu_sources(program, variables, token, version)
    fmu = Fmu(program, facts, variables, token)
    compiled = compiled_sources(program, version)
    files: dict[str, bytes] = {
        "modelDescription.xml": description(fmu, version, compiled),
        **{f"sources/{name}": text.encode() for name, text in sources.items()},
        **libraries(sources, compiled, version, platforms, program.name),
    }
    if version == 3:
        files["sources/buildDescription.xml"] = build_description(program)
        terminals = terminals_text(facts, variables)
        files |= {} if terminals is None else {"terminalsAndIcons/terminalsAndIcons.xml": terminals}
    return _archive(files)


def _token(parts: Sequence[str]) -> str:
    """A token in the form of a GUID, from the content of the FMU."""
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    return f"{{{digest[:8]}-{digest[8:12]}-{digest[12:16]}-{digest[16:20]}-{digest[20:32]}}}"


def _archive(files: Mapping[str, bytes]) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (_EXECUTABLE if name.startswith("binaries/") else _PLAIN) << 16
            archive.writestr(entry, content)
    return memory.getvalue()


# --- fmi sources ----------------------------------------------------------------------------------

# The interface in C is in export/fmi; it includes the program of `export --c` and the tables that are made here.


# Points between two calls: several communication steps are computed at once, with the events in them.
_ROWS = 96
_SHARED = ("ahead.h", "instance.h", "exchange_events.h", "stepping.h", "slopes.h", "interface.h")
_OF_3 = ("step_events.h", "clocks.h")


def fmu_sources(program: Program, variables: Sequence[FmiVariable], token: str, version: int) -> dict[str, str]:
    """The files of the folder sources. A run whose stop is not known has the length of the program's experiment."""
    own = (f"fmi{version}.c", f"fmi{version}.h", *(_OF_3 if version == 3 else ()))
    interface = {name: file_text(name, "fmi") for name in (*own, *_SHARED)}
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
