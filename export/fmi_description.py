"""Writes modelDescription.xml for FMI 2.0 and 3.0: `Fmu` -> text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from cutset.export.c_folder import Program
from cutset.export.fmi_facts import ModelFacts, TypeFact
from cutset.export.fmi_variables import FmiVariable
from cutset.export.fmi_xml import add_units, document, element, enumerations, naming_convention, value_attributes
from cutset.runtime.runs.experiment import Experiment

_TOOL = "Cutset"
_ELEMENTS_2 = {"r": "Real", "i": "Integer", "b": "Boolean", "e": "Enumeration"}
_ELEMENTS_3 = {"r": "Float64", "i": "Int32", "b": "Boolean", "e": "Enumeration", "c": "Clock"}
_LOGS = (("logStatusError", "errors of the model"), ("logEvents", "events"))


@dataclass(frozen=True)
class Fmu:
    """What the description of an FMU contains. `token` identifies the model."""

    program: Program
    facts: ModelFacts
    variables: tuple[FmiVariable, ...]
    token: str

    @property
    def states(self) -> list[int]:
        """The references of the states."""
        return [v.derivative_of for v in self.variables if v.derivative_of is not None]


def description(fmu: Fmu, version: int, sources: Sequence[str]) -> bytes:
    """The text for FMI 2.0 or 3.0; `sources` are the files to compile, which 3.0 lists elsewhere."""
    types = enumerations(fmu.variables)
    root = _root(fmu, version)
    (_add_interfaces_2 if version == 2 else _add_interfaces_3)(root, fmu, sources)
    add_units(root, fmu.variables, fmu.facts.units)
    _add_types(root, types, version)
    _add_categories(root)
    element(root, "DefaultExperiment", _experiment(fmu.program.experiment))
    listed = ET.SubElement(root, "ModelVariables")
    # In 2.0 others refer to a variable by its place, in 3.0 by its reference.
    places = {v.reference: k + 1 for k, v in reversed(list(enumerate(fmu.variables))) if v.derivative_of is None}
    for variable in fmu.variables:
        if version == 2:
            _add_variable_2(listed, variable, types, places)
        else:
            _add_variable_3(listed, variable, types)
    _add_structure(root, fmu, places if version == 2 else None)
    return document(root)


def _add_interfaces_2(root: ET.Element, fmu: Fmu, sources: Sequence[str]) -> None:
    common = {"modelIdentifier": fmu.program.name, "canNotUseMemoryManagementFunctions": True}
    common |= {"canGetAndSetFMUstate": True, "canSerializeFMUstate": True, "providesDirectionalDerivative": True}
    exchange = element(root, "ModelExchange", common)
    simulation = element(root, "CoSimulation", {**common, "canHandleVariableCommunicationStepSize": True})
    for parent in (exchange, simulation):
        files = ET.SubElement(parent, "SourceFiles")
        for name in sources:
            element(files, "File", {"name": name})


def _add_interfaces_3(root: ET.Element, fmu: Fmu, sources: Sequence[str]) -> None:
    common = {"modelIdentifier": fmu.program.name, "canGetAndSetFMUState": True, "canSerializeFMUState": True}
    common |= {"providesDirectionalDerivatives": True}
    element(root, "ModelExchange", {**common, "needsCompletedIntegratorStep": True})
    own = {"canHandleVariableCommunicationStepSize": True, "providesIntermediateUpdate": True}
    own |= {"mightReturnEarlyFromDoStep": True, "canReturnEarlyAfterIntermediateUpdate": True, "hasEventMode": True}
    element(root, "CoSimulation", {**common, **own})


def _experiment(own: Experiment) -> dict[str, float]:
    """The attributes of DefaultExperiment: the settings that it proposes."""
    proposed = {"startTime": own.start, "stopTime": own.stop, "tolerance": own.rtol}
    interval = (own.stop - own.start) / (own.points - 1) if own.points else own.interval
    return proposed | ({"stepSize": interval} if interval else {})


def _root(fmu: Fmu, version: int) -> ET.Element:
    info = fmu.program.info
    own: dict[str, object] = {"fmiVersion": "3.0", "instantiationToken": fmu.token}
    if version == 2:
        own = {"fmiVersion": "2.0", "guid": fmu.token, "numberOfEventIndicators": len(info.crossings)}
    own |= {"modelName": info.name, "description": fmu.facts.documentation, "generationTool": _TOOL}
    own["variableNamingConvention"] = naming_convention(fmu.variables)
    return element(ET.Element("holder"), "fmiModelDescription", own)


def _add_categories(root: ET.Element) -> None:
    categories = ET.SubElement(root, "LogCategories")
    for name, about in _LOGS:
        element(categories, "Category", {"name": name, "description": about})


def _add_types(root: ET.Element, types: Mapping[TypeFact, str], version: int) -> None:
    definitions = ET.SubElement(root, "TypeDefinitions") if types else root
    for fact, name in types.items():
        made = element(definitions, "SimpleType" if version == 2 else "EnumerationType", {"name": name})
        made = ET.SubElement(made, "Enumeration") if version == 2 else made
        for k, literal in enumerate(fact.literals, 1):
            element(made, "Item", {"name": literal, "value": k})


def _add_variable_2(
    parent: ET.Element, variable: FmiVariable, types: Mapping[TypeFact, str], places: Mapping[int, int]
) -> None:
    attributes = {"name": variable.name, "valueReference": variable.reference, "description": variable.description}
    made = element(parent, "ScalarVariable", {**attributes, **_role(variable)})
    of = {} if variable.derivative_of is None else {"derivative": places[variable.derivative_of]}
    element(made, _ELEMENTS_2[variable.type.kind], {**value_attributes(variable, types), **of})


def _role(variable: FmiVariable) -> dict[str, object]:
    """Inputs and the time have no attribute `initial`."""
    initial = "" if variable.causality in ("input", "independent") else variable.initial
    return {"causality": variable.causality, "variability": variable.variability, "initial": initial}


def _add_variable_3(parent: ET.Element, variable: FmiVariable, types: Mapping[TypeFact, str]) -> None:
    attributes = {"name": variable.name, "valueReference": variable.reference, "description": variable.description}
    role = _role(variable)
    if variable.type.kind == "c":
        is_ticked = variable.causality == "input"
        role = {"causality": variable.causality, "intervalVariability": "tunable" if is_ticked else "triggered"}
    own = {**value_attributes(variable, types), "derivative": variable.derivative_of}
    made = element(parent, _ELEMENTS_3[variable.type.kind], {**attributes, **role, **own})
    for name, about in variable.aliases:
        element(made, "Alias", {"name": name, "description": about})


# --- structure -----------------------------------------------------------------------------------


def _add_structure(root: ET.Element, fmu: Fmu, places: Mapping[int, int] | None) -> None:
    """What is computed, with its dependencies: in 2.0 by `places`, in a list for each kind."""
    structure = ET.SubElement(root, "ModelStructure")
    known, states = [r if places is None else places[r] for r in _knowns(fmu)], fmu.program.info.states
    rates, results, at_start = _rates(fmu, known), _results(fmu, known), _at_start(fmu, places)
    kinds: tuple[tuple[str, str, Callable[[FmiVariable], bool], Mapping[int, str]], ...] = (
        ("Outputs", "Output", lambda v: v.causality == "output", results),
        ("Derivatives", "ContinuousStateDerivative", lambda v: v.derivative_of is not None, rates),
        ("InitialUnknowns", "InitialUnknown", lambda v: _is_initial_unknown(v, states), at_start),
        ("", "EventIndicator", lambda v: v.is_indicator, {}),
    )
    for listing, tag, belongs, dependencies in kinds:
        unknowns = [(k, v) for k, v in enumerate(fmu.variables, 1) if belongs(v)]
        parent = ET.SubElement(structure, listing) if places is not None and unknowns else structure
        for k, variable in unknowns:
            made = (
                element(parent, tag, {"valueReference": variable.reference})
                if places is None
                else element(parent, "Unknown", {"index": k})
            )
            if variable.reference in dependencies:
                made.set("dependencies", dependencies[variable.reference])


def _knowns(fmu: Fmu) -> list[int]:
    """The references of the states, then of the inputs."""
    inputs = {v.name: v.reference for v in fmu.variables if v.causality == "input"}
    return [*fmu.states, *(inputs[name] for name in fmu.program.info.inputs)]


def _rates(fmu: Fmu, known: Sequence[int]) -> dict[int, str]:
    """The dependencies of each derivative, by its reference."""
    rates = [v.reference for v in fmu.variables if v.derivative_of is not None]
    return {rate: _listed(row, known) for rate, row in zip(rates, fmu.facts.rates, strict=True)}


def _results(fmu: Fmu, known: Sequence[int]) -> dict[int, str]:
    """Those of each output."""
    by_name = dict(zip(fmu.facts.outputs, fmu.facts.results, strict=True))
    rows = {v.reference: by_name[v.name] for v in fmu.variables if v.causality == "output" and v.name in by_name}
    return {reference: _listed(row, known) for reference, row in rows.items()}


def _at_start(fmu: Fmu, places: Mapping[int, int] | None) -> dict[int, str]:
    """Those of each variable at the start: the references of what is given, or their `places`."""
    given = {v.name: v.reference for v in fmu.variables if v.start is not None}
    found = {}
    for variable in fmu.variables:
        known = fmu.facts.initial.get(variable.name)
        if known is not None and given.keys() >= set(known):
            numbers = (given[name] if places is None else places[given[name]] for name in known)
            found[variable.reference] = " ".join(map(str, sorted(numbers)))
    return found


def _listed(numbers: Iterable[int], known: Sequence[int]) -> str:
    return " ".join(map(str, sorted(known[k] for k in numbers)))


def _is_initial_unknown(variable: FmiVariable, states: Sequence[str]) -> bool:
    """True for what is computed at the start and that importers must know: outputs, parameters, states and their
    derivatives."""
    if variable.initial != "calculated" or variable.is_indicator:
        return False
    wanted = variable.causality in ("output", "calculatedParameter")
    return wanted or variable.derivative_of is not None or variable.name in states
