"""Makes an FMU: program, facts -> the bytes of a zip archive. Writes no file.

The same model gives the same bytes, except for what compilers add.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace

from cutset.export.c_folder import Program
from cutset.export.first_point import StartValues
from cutset.export.fmi_binaries import Platform, libraries
from cutset.export.fmi_description import Fmu, description
from cutset.export.fmi_facts import ModelFacts
from cutset.export.fmi_sources import build_description, compiled_sources, fmu_sources
from cutset.export.fmi_variables import fmi_variables
from cutset.export.fmi_xml import terminals_text

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
