"""Writes modelDescription.xml for FMI 2.0 and 3.0: `Fmu` -> text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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


def description_2(fmu: Fmu, sources: Sequence[str]) -> bytes:
    """The text for FMI 2.0; `sources` are the files to compile."""
    info, types = fmu.program.info, enumerations(fmu.variables)
    root = _root(fmu, {"fmiVersion": "2.0", "guid": fmu.token, "numberOfEventIndicators": len(info.crossings)})
    common = {"modelIdentifier": fmu.program.name, "canNotUseMemoryManagementFunctions": True}
    common |= {"canGetAndSetFMUstate": True, "canSerializeFMUstate": True, "providesDirectionalDerivative": True}
    exchange = element(root, "ModelExchange", common)
    simulation = element(root, "CoSimulation", {**common, "canHandleVariableCommunicationStepSize": True})
    for parent in (exchange, simulation):
        files = ET.SubElement(parent, "SourceFiles")
        for name in sources:
            element(files, "File", {"name": name})
    add_units(root, fmu.variables, fmu.facts.units)
    _add_types_2(root, types)
    _add_categories(root)
    element(root, "DefaultExperiment", _experiment(fmu.program.experiment))
    listed = ET.SubElement(root, "ModelVariables")
    places = {v.reference: k + 1 for k, v in reversed(list(enumerate(fmu.variables))) if v.derivative_of is None}
    for variable in fmu.variables:
        _add_variable_2(listed, variable, types, places)
    _add_structure_2(root, fmu, places)
    return document(root)


def description_3(fmu: Fmu) -> bytes:
    """The text for FMI 3.0."""
    types = enumerations(fmu.variables)
    root = _root(fmu, {"fmiVersion": "3.0", "instantiationToken": fmu.token})
    common = {"modelIdentifier": fmu.program.name, "canGetAndSetFMUState": True, "canSerializeFMUState": True}
    common |= {"providesDirectionalDerivatives": True}
    element(root, "ModelExchange", {**common, "needsCompletedIntegratorStep": True})
    own = {"canHandleVariableCommunicationStepSize": True, "providesIntermediateUpdate": True}
    own |= {"mightReturnEarlyFromDoStep": True, "canReturnEarlyAfterIntermediateUpdate": True, "hasEventMode": True}
    element(root, "CoSimulation", {**common, **own})
    add_units(root, fmu.variables, fmu.facts.units)
    if types:
        definitions = ET.SubElement(root, "TypeDefinitions")
        for fact, name in types.items():
            _add_items(element(definitions, "EnumerationType", {"name": name}), fact)
    _add_categories(root)
    element(root, "DefaultExperiment", _experiment(fmu.program.experiment))
    listed = ET.SubElement(root, "ModelVariables")
    for variable in fmu.variables:
        _add_variable_3(listed, variable, types)
    _add_structure_3(root, fmu)
    return document(root)


def _experiment(own: Experiment) -> dict[str, float]:
    """The attributes of DefaultExperiment: the settings that it proposes."""
    proposed = {"startTime": own.start, "stopTime": own.stop, "tolerance": own.rtol}
    interval = (own.stop - own.start) / (own.points - 1) if own.points else own.interval
    return proposed | ({"stepSize": interval} if interval else {})


def _root(fmu: Fmu, version: Mapping[str, object]) -> ET.Element:
    attributes = {"modelName": fmu.program.info.name, "description": fmu.facts.documentation, "generationTool": _TOOL}
    holder = ET.Element("holder")
    convention = naming_convention(fmu.variables)
    return element(holder, "fmiModelDescription", {**version, **attributes, "variableNamingConvention": convention})


def _add_categories(root: ET.Element) -> None:
    categories = ET.SubElement(root, "LogCategories")
    for name, about in _LOGS:
        element(categories, "Category", {"name": name, "description": about})


def _add_items(parent: ET.Element, fact: TypeFact) -> None:
    for k, literal in enumerate(fact.literals, 1):
        element(parent, "Item", {"name": literal, "value": k})


# --- version 2 -----------------------------------------------------------------------------------


def _add_types_2(root: ET.Element, types: Mapping[TypeFact, str]) -> None:
    if not types:
        return
    definitions = ET.SubElement(root, "TypeDefinitions")
    for fact, name in types.items():
        _add_items(ET.SubElement(element(definitions, "SimpleType", {"name": name}), "Enumeration"), fact)


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


def _add_structure_2(root: ET.Element, fmu: Fmu, places: Mapping[int, int]) -> None:
    structure = ET.SubElement(root, "ModelStructure")
    outputs = [(k, v) for k, v in enumerate(fmu.variables, 1) if v.causality == "output"]
    rates = [(k, v) for k, v in enumerate(fmu.variables, 1) if v.derivative_of is not None]
    known = [places[reference] for reference in _knowns(fmu)]
    if outputs:
        _add_unknowns_2(ET.SubElement(structure, "Outputs"), outputs, _results(fmu, known))
    if rates:
        _add_unknowns_2(ET.SubElement(structure, "Derivatives"), rates, _rates(fmu, known))
    initial = [(k, v) for k, v in enumerate(fmu.variables, 1) if _is_initial_unknown(v, fmu.program.info.states)]
    if initial:
        _add_unknowns_2(ET.SubElement(structure, "InitialUnknowns"), initial, _at_start(fmu, places))


def _add_unknowns_2(
    parent: ET.Element, unknowns: Iterable[tuple[int, FmiVariable]], dependencies: Mapping[int, str]
) -> None:
    for place, variable in unknowns:
        made = element(parent, "Unknown", {"index": place})
        if variable.reference in dependencies:
            made.set("dependencies", dependencies[variable.reference])


# --- version 3 -----------------------------------------------------------------------------------


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


def _add_structure_3(root: ET.Element, fmu: Fmu) -> None:
    structure = ET.SubElement(root, "ModelStructure")
    known = _knowns(fmu)
    results, rates, at_start = _results(fmu, known), _rates(fmu, known), _at_start(fmu, None)
    for variable in fmu.variables:
        if variable.causality == "output":
            _add_unknown_3(structure, "Output", variable, results)
    for variable in fmu.variables:
        if variable.derivative_of is not None:
            _add_unknown_3(structure, "ContinuousStateDerivative", variable, rates)
    for variable in fmu.variables:
        if _is_initial_unknown(variable, fmu.program.info.states):
            _add_unknown_3(structure, "InitialUnknown", variable, at_start)
    for variable in fmu.variables:
        if variable.is_indicator:
            _add_unknown_3(structure, "EventIndicator", variable, {})


def _add_unknown_3(parent: ET.Element, tag: str, variable: FmiVariable, dependencies: Mapping[int, str]) -> None:
    made = element(parent, tag, {"valueReference": variable.reference})
    if variable.reference in dependencies:
        made.set("dependencies", dependencies[variable.reference])


# --- structure -----------------------------------------------------------------------------------


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
