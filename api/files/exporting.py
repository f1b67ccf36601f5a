"""Exports models as programs that run without Python: sources in C, and FMUs. Translates nothing itself."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutset.api.translate.listeners import Results
from cutset.api.translate.own_settings import completed
from cutset.api.translated_model import TranslatedModel
from cutset.compiler.codegen.passes import LatePasses
from cutset.compiler.options import Options
from cutset.runtime.errors import RunError, unknown_name
from cutset.runtime.results.selection import matching
from cutset.runtime.whole_files import write_whole

if TYPE_CHECKING:
    from cutset.export.c_folder import Program
    from cutset.export.fmi_facts import ModelFacts


class Exportable(TranslatedModel):
    """The methods of `Model` that write it as a program."""

    def export_c(self, folder: str | os.PathLike[str], changeable: Iterable[str] = ()) -> tuple[Path, ...]:
        """Write the model as a program in C: its files in `folder`, which is made. `changeable` are patterns of
        parameters whose values are part of the code but shall remain parameters of the program; those of the model
        itself always do.

        RunError E655 for a model that needs Python, E602 for a pattern without a match; OSError if files cannot be
        written.
        """
        from cutset.export.c_folder import c_files

        program, _ = program_of(_alone(self, Options(unfold=to_keep(self, changeable))))
        return written(Path(folder), c_files(program))

    def export_controller(self, folder: str | os.PathLike[str], number: str = "float") -> tuple[Path, ...]:
        """Write a model of samples alone, such as a controller, as one function in C: a header and a source in
        `folder`, which is made. `number` is the type of its numbers: "float", "double", or "fixed16" for integers of 32
        bits with 16 binary places, from 0 to 30. Parameters are numbers in the code; assertions are left out.

        RunError E655 for a model with states, delays or other events than samples with one clock, and for what integers
        cannot compute, E605 for another `number`; OSError if files cannot be written.
        """
        from cutset.api.files.controllers import sampled_code
        from cutset.export.controller import controller_files

        return written(Path(folder), controller_files(sampled_code(self, number)))

    def export_fmu(
        self,
        path: str | os.PathLike[str],
        version: int = 3,
        changeable: Iterable[str] = (),
        platforms: Iterable[str] | None = None,
        stop: float | None = None,
        input_clocks: bool = False,
        across_inputs: Iterable[str] = (),
    ) -> Path:
        """Write the model as an FMU of version 2 or 3, for model exchange and co-simulation, with its sources, and
        return its path. `changeable` is as in `export_c`. `platforms` are those of its libraries, by their names in
        FMI 3.0, such as "x86_64-windows"; by default this machine and, with ziglang, the usual ones. `stop` is the stop
        time that it proposes to importers, in s; by default, and for the other settings, those of `experiment`. With
        `input_clocks` samples are clocks that the importer ticks, in event mode; otherwise the FMU ticks them. The
        through variables of the model's cuts are inputs and their across variables outputs; for the cuts that
        `across_inputs` names it is the reverse.

        RunError E655 for a model that needs Python, E602 for a pattern or a cut without a match, E605 for another
        version, a wrong stop or input clocks in version 2, E657 for a platform that is unknown or for which there is no
        compiler,
        E606 if a compiler fails; OSError if the file cannot be written.
        """
        from cutset.export.fmi_binaries import chosen_platforms
        from cutset.export.fmu import fmu_bytes

        if version not in (2, 3):
            raise RunError("E605", f"the version of FMI must be 2 or 3, not {version!r}", "give version=2 or version=3")
        if input_clocks and version == 2:
            raise RunError("E605", "FMI 2 has no clocks, but input_clocks is set", "give version=3")
        if stop is not None and not self.experiment.start < stop < float("inf"):
            what = (
                "be positive" if self.experiment.start == 0.0 else f"come after the start, {self.experiment.start:g} s"
            )
            raise RunError("E605", f"the stop time must {what}, not {stop!r}", "give the stop time in seconds")
        change = Options(
            unfold=to_keep(self, changeable), terminals=frozenset(across_inputs), passes=LatePasses(tapes=False)
        )
        chosen = chosen_platforms(platforms)
        alone = _alone(self, change)
        program, compiled = program_of(alone)
        program = replace(program, experiment=completed(self.experiment, stop=stop))
        facts = _facts(alone, program.description.units.values(), frozenset(across_inputs))
        made = fmu_bytes(program, facts, compiled, version, chosen, input_clocks)
        write_whole(path, made)
        return Path(path)


def written(folder: Path, files: Mapping[str, str]) -> tuple[Path, ...]:
    """Write texts under their names in a folder, which is made; their paths. OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = tuple(folder / name for name in files)
    for path, text in zip(paths, files.values(), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    return paths


def _alone(model: TranslatedModel, change: Options) -> Any:
    """The model with this change, translated so that its own values are good."""
    alone = model.retranslated(change)
    return (alone.for_values({}) or alone) if alone.undefined({}) else alone


def program_of(alone: Any, target: str = "c") -> tuple[Program, Any]:
    """The program of the model, and the values that its variables have at the start. The files of the `target` contain
    the code in C."""
    from cutset.export.c_folder import Program, c_name
    from cutset.export.first_point import first_point, start_values
    from cutset.export.refused import require_independence
    from cutset.runtime.targets.foreign_library import foreign_files

    require_independence(alone.translated.info)
    info, compiled = alone.translated.info, alone.build()
    files = alone.translated.files(target)
    first, own = first_point(compiled), foreign_files(files)
    program = Program(info, files["model.c"], alone.description, first, c_name(info.name), alone.experiment, own)
    return program, start_values(compiled)


def _facts(model: TranslatedModel, units: Iterable[str], across_inputs: frozenset[str]) -> ModelFacts:
    from cutset.api.files.fmu_facts import facts_for_fmu

    results = Results("events")
    model._observe(results)
    return facts_for_fmu(results, dict.fromkeys(units), across_inputs)


def to_keep(model: TranslatedModel, changeable: Iterable[str]) -> frozenset[str]:
    """The folded parameters that shall remain parameters: those of the model, and those that match a pattern. RunError
    E602 for a pattern without a match."""
    folded, known = model.folded, [*model.translated.info.parameters, *model.folded]
    kept = {name for name in folded if "." not in name}
    for pattern in changeable:
        found = matching(pattern, known)
        if not found:
            raise RunError("E602", *unknown_name("parameter", pattern, known))
        kept.update(found)
    return frozenset(kept & set(folded))
