"""Makes the folder of a program in C: a translated model -> {name of a file: text}. Writes nothing.

All external names start with the name of the model, so that several models can be parts of one program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files as resources

from cutset.contract.metadata import ModelInfo
from cutset.export.first_point import FirstPoint
from cutset.export.tables import ROWS, memory_text, sizes_text, sorted_names, tables_text
from cutset.runtime.description import Description
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.targets.c_files import included

_OWN = ("program.c", "program.h", "esdirk.h")
# Where names of functions and tables are declared, and the others.
_DECLARED = ("program.h", "driver.h")
_EXTERNAL = re.compile(r"(?:extern|const char|void|int|long|double)\b")
_NAME_IN_C = re.compile(r"\b(cutset_\w+)(?=\(|\[)")
NAME = re.compile(r"(?<![A-Z_])NAME(?![A-Z])")
_OTHERS = ("fault", "careful", "lost", "beyond", "open", "external", "explicit", "run", "delayed")
_KEYWORDS = frozenset(
    {
        "auto",
        "break",
        "case",
        "char",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "float",
        "for",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "typedef",
        "union",
        "unsigned",
        "void",
        "volatile",
        "while",
        "main",
    }
)


@dataclass(frozen=True)
class Program:
    """What is exported: metadata, the generated code, units and documentation, the first point of the search for the
    start, the name in C, the default settings of its runs, and the files with functions in C that the model calls."""

    info: ModelInfo
    code: str
    description: Description
    first: FirstPoint
    name: str
    experiment: Experiment
    foreign: Mapping[str, str] = field(default_factory=dict)


def c_name(name: str) -> str:
    """The name of a model as an identifier of C."""
    made = re.sub(r"\W", "_", name, flags=re.ASCII) or "model"
    return f"{made}_" if made in _KEYWORDS or made.startswith("cutset") else f"m_{made}" if made[0].isdigit() else made


def c_files(program: Program) -> dict[str, str]:
    """All files of the folder: sources, headers, an example, and what builds them."""
    name = program.name
    sources = source_files(program)
    return {
        **sources,
        f"{name}.h": _header(program),
        "main.c": _filled("main.c", name),
        "CMakeLists.txt": _filled("CMakeLists.txt", name).replace(" FOREIGN", _listed(program)),
        "README.md": _filled("README.md", name),
    }


def source_files(program: Program, rows: int = ROWS) -> dict[str, str]:
    """The sources of the model and of what integrates it, without an interface to the outside; `rows` as in
    `sizes_text`."""
    texts = {name: file_text(name) for name in _OWN}
    shared = included(program.code, *texts.values())
    support = shared.pop("cutset_support.h")
    names = names_text(program.name, {**texts, **shared}, program.info)
    return {
        f"{program.name}.c": program.code,
        f"{program.name}_tables.c": tables_text(program.info, program.description, program.first),
        "sizes.h": sizes_text(program.info, program.first, program.experiment, rows),
        "memory.h": memory_text(),
        "names.h": names,
        "cutset_support.h": f'#include "names.h"\n\n{support}',
        **texts,
        **shared,
        **{name: f'#include "names.h"\n{text}' if is_unit(name) else text for name, text in program.foreign.items()},
    }


def is_unit(name: str) -> bool:
    """True for a file that is compiled; files in folders are parts of others."""
    return name.endswith(".c") and "/" not in name


def _listed(program: Program) -> str:
    return "".join(f" {name}" for name in program.foreign if is_unit(name))


def names_text(prefix: str, texts: Mapping[str, str], info: ModelInfo) -> str:
    """The text of names.h: each external name of these files with the prefix."""
    declared = [part.strip() for file in _DECLARED for part in texts[file].split(";")]
    lines = [line for part in declared for line in part.splitlines() if _EXTERNAL.match(line)]
    found = {name for line in lines for name in _NAME_IN_C.findall(line)}
    found.update(f"cutset_{name}" for name in _OTHERS)
    found.update(f"cutset_foreign_{k}" for k, external in enumerate(info.externals) if external.is_c)
    lines = [f"#define {name} {prefix}_{name.removeprefix('cutset_')}" for name in sorted(found)]
    return _filled("names.h", prefix).replace("LINES", "\n".join(lines))


def _header(program: Program) -> str:
    info = program.info
    places = {name: k for k, name in enumerate(sorted_names(info))}
    lists = {"PARAMETER": info.parameters, "INPUT": info.inputs, "STATE": info.states, "OUTPUT": info.outputs}
    known = program.name, program.description
    numbers = "\n".join(line for kind, names in lists.items() for line in numbers_text(*known, kind, names, places))
    return _filled("header.h", program.name).replace("NUMBERS", numbers)


def numbers_text(
    prefix: str, description: Description, kind: str, names: tuple[str, ...], places: Mapping[str, int]
) -> Iterator[str]:
    """The lines that declare the numbers of variables of a kind; those without a place are left out."""
    if not any(name in places for name in names):
        return
    yield f"/* {kind.capitalize()}s: their numbers. */"
    yield "enum {"
    used: set[str] = set()
    for name in names:
        if name not in places:
            continue
        own = c_name(name)
        while own in used:
            own += "_"
        used.add(own)
        unit = description.units.get(name, "")
        about = description.documentation.get(name, "")
        comment = " ".join(part for part in (name, f"[{unit}]" if unit and unit != "1" else "", about) if part)
        comment = harmless(comment.replace("\n", " "))[:100]
        yield f"    {prefix}_{kind}_{own} = {places[name]}, /* {comment} */"
    yield "};\n"


def harmless(text: str) -> str:
    """The text for a comment of C: printable ASCII characters that cannot end the comment."""
    plain = re.sub(r"[^\x20-\x7e\n]+", " ", text).replace("\\", "/")
    return plain.replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?")


def _filled(template: str, name: str) -> str:
    """The template with the name of the model."""
    return NAME.sub(name, file_text(template))


def file_text(name: str, folder: str = "c") -> str:
    """The text of a file of this package."""
    return (resources("cutset.export") / folder / name).read_text(encoding="utf-8")
