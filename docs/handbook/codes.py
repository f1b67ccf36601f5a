"""Generates a page for each error code, and an index by stage, from the pages of `cutset explain`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cutset.api.command_line.error_pages import Page, read_pages

# Folder of the part that writes the message -> heading.
_STAGES = {
    "syntax": "Reading the text",
    "instantiate": "Names, values, shapes and units",
    "functions": "Functions",
    "events": "Events and the start",
    "flatten": "Connections",
    "diagnose": "Too many or too few equations",
    "sort": "Solving",
    "runtime": "Running",
}
_INDEX = """# Error codes

Every message has a code. `cutset explain E205` prints the page of a code, with an example and what helps.
"""


def code_pages() -> dict[str, str]:
    """File name below the folder of generated pages -> text."""
    pages = read_pages()
    texts = {f"errors/{code}.md": "\n".join(_lines(page)) + "\n" for code, page in pages.items()}
    texts["errors/index.md"] = _INDEX + "\n".join(_index(pages)) + "\n"
    return texts


def in_markdown(text: str) -> str:
    """Plain prose with Markdown characters escaped."""
    return re.sub(r"([\\`*_<>\[\]#$|{}])", r"\\\1", text)


def _index(pages: dict[str, Page]) -> Iterator[str]:
    stages: dict[str, list[Page]] = {}
    for page in pages.values():
        stages.setdefault(page.path.parent.parent.name, []).append(page)
    for stage in [*(s for s in _STAGES if s in stages), *(s for s in stages if s not in _STAGES)]:
        yield f"\n## {_STAGES.get(stage, stage)}\n"
        yield "| code | |\n| --- | --- |"
        yield from (f"| [{page.code}]({page.code}.md) | {in_markdown(page.title)} |" for page in stages[stage])


def _lines(page: Page) -> Iterator[str]:
    # In no table of contents: every page of the documentation would list all codes next to it.
    yield "---\norphan: true\n---\n"
    yield f"# {page.code}: {in_markdown(page.title)}\n"
    if page.meaning:
        yield f"{in_markdown(page.meaning)}\n"
    if page.model:
        yield f"```{{code-block}} cutset\n:caption: example.mo\n\n{page.model}\n```\n"
    if page.python:
        yield f"```{{code-block}} python\n{page.python}\n```\n"
    elif page.command:
        yield f"```{{code-block}} console\n$ {page.command}\n```\n"
    if page.message:
        yield f"```{{code-block}} message\n{page.message}\n```\n"
    yield "## How to fix it\n"
    yield in_markdown(page.fix)
