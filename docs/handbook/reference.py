"""Makes the pages of the Python reference from the docstrings of what is public."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from typing import Any

import cutset

# What methods return, and the settings that they take, besides the names of the package.
_OTHERS = {
    "runtime.runs.simulator": ["Simulator"],
    "runtime.runs.simulators": ["Simulators"],
    "runtime.analysis.linearize": ["Linearization"],
    "runtime.analysis.noise": ["Noise"],
    "api.runs.estimator": ["Estimator"],
    "api.runs.fit": ["Fit"],
    "api.mechanics.mechanics": ["Mechanics"],
    "api.runs.functions": ["ModelFunction"],
    "api.runs.settings": ["StepSettings", "RunSettings", "SweepSettings", "ManySettings"],
}
_INDEX = """# Python reference

The signatures and contracts of what `import cutset` offers, made from the docstrings of the code.
[](../../use/python.md) shows how to use it.

```{toctree}
:maxdepth: 1

PAGES
```
"""
# A row of a table in a docstring: a name, two spaces or more, what it is.
_ROW = re.compile(r"^(\w+) {2,}(\S.*)$")
_WIDTH = 100
_MODULE = re.compile(r"\b(?:[a-z_]+\.)+(?=[A-Z])")


def reference_pages() -> dict[str, str]:
    """The pages by their names: one for all functions, one for each class, and the list of these."""
    public = {name: getattr(cutset, name) for name in cutset._HOME}
    for module, names in _OTHERS.items():
        public |= {name: getattr(import_module(f"cutset.{module}"), name) for name in names}
    functions = {name: each for name, each in public.items() if not inspect.isclass(each)}
    pages = {"functions": "# Functions\n\n" + "\n".join(_entry(f"cutset.{name}", f) for name, f in functions.items())}
    pages |= {name: _class_page(name, each) for name, each in public.items() if name not in functions}
    listed = "\n".join(sorted(pages, key=lambda name: (name != "functions", name.lower())))
    return {f"python/{name}.md": text for name, text in pages.items()} | {
        "python/index.md": _INDEX.replace("PAGES", listed)
    }


def _class_page(name: str, of: type) -> str:
    members = [_entry(member, value) for member, value in _members(of)]
    signature = "" if _is_record(of) else _signature(name, of)
    return "\n".join([f"# {name}\n", signature, _text(of), "", *members])


def _is_record(of: type) -> bool:
    """True for settings and for classes that users do not make themselves."""
    return not issubclass(of, cutset.Experiment | cutset.Phase)


def _members(of: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that are documented, in the order of the code, its own first."""
    seen = set()
    for owner in of.__mro__:
        if not owner.__module__.startswith("cutset"):
            continue
        for name, value in vars(owner).items():
            own = (
                value.fget
                if isinstance(value, property)
                else value.func
                if isinstance(value, cached_property)
                else value
            )
            own = getattr(own, "__func__", own)
            if not name.startswith("_") and inspect.isfunction(own) and own.__doc__ and name not in seen:
                seen.add(name)
                yield name, value


def _entry(name: str, value: Any) -> str:
    is_value = isinstance(value, property | cached_property)
    own = value.fget if isinstance(value, property) else value.func if isinstance(value, cached_property) else value
    return f"## {name.removeprefix('cutset.')}\n\n{'' if is_value else _signature(name, own)}{_text(own)}\n"


def _signature(name: str, of: Any) -> str:
    of = getattr(of, "__func__", of)
    found = inspect.signature(of)
    given = [_argument(p) for p in found.parameters.values() if p.name not in ("self", "cls")]
    result = "" if found.return_annotation in ("None", found.empty) else f" -> {_type(found.return_annotation)}"
    whole = f"{name}({', '.join(given)}){result}"
    if len(whole) > _WIDTH:
        whole = "\n".join([f"{name}(", *(f"    {each}," for each in given), f"){result}"])
    return f"```python\n{whole}\n```\n\n"


def _argument(p: inspect.Parameter) -> str:
    stars = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
    kind = "" if p.annotation is p.empty else f": {_type(p.annotation)}"
    default = "" if p.default is p.empty else f" = {p.default!r}".replace("'", '"')
    return f"{stars}{p.name}{kind}{default}"


def _type(annotation: Any) -> str:
    return _MODULE.sub("", annotation if isinstance(annotation, str) else inspect.formatannotation(annotation))


def _text(of: Any) -> str:
    """The docstring in Markdown: rows of tables become a list, and names in double backticks code."""
    lines: list[str] = []
    for line in inspect.cleandoc(of.__doc__ or "").splitlines():
        row = _ROW.match(line)
        lines.append(f"- `{row[1]}`: {row[2]}" if row else line.replace("``", "`"))
    return "\n".join(lines) + "\n"
