"""What each part of the program may import: the tables of the rules in test_architecture.py."""

# What a part of the program may import of ours, beside its own folder: modules and whole packages.
# A stage sees the diagnostics, the expressions and the type of the stage before it, and little else.
SHARED = {"cutset.compiler.diagnostics", "cutset.compiler.expressions", "cutset.contract", "cutset.compiler.units"}
PROGRAM = {f"cutset.{part}" for part in ("compiler", "contract", "runtime", "export", "lsp", "stdlib")}
PROGRAM |= {"cutset.api.translated_model"}
# What all of the runtime may use.
RUN_BASE = {"cutset.contract"} | {
    f"cutset.runtime.{name}"
    for name in (
        "counted", "description", "errors", "interface", "optional_packages", "outcome", "plain_data", "processor",
        "shown_figure", "trajectory", "whole_files",
    )
}  # fmt: skip
RUNLESS = PROGRAM | {f"cutset.api.{wing}" for wing in ("translate", "files", "mechanics", "diagram")}
MODEL = RUNLESS | {f"cutset.api.{wing}" for wing in ("show", "runs", "notebook")}
ALLOWED = {
    "cutset.compiler.diagnostics": set(),
    "cutset.compiler.expressions": {"cutset.contract"},
    "cutset.compiler.units": {"cutset.compiler.diagnostics", "cutset.contract"},
    "cutset.compiler.syntax": {"cutset.compiler.diagnostics", "cutset.compiler.units", "cutset.contract"},
    # A model may include further files, so the library of classes calls the parser.
    "cutset.compiler.instantiate": SHARED
    | {f"cutset.compiler.syntax.{module}" for module in ("tree", "parse", "read", "cache", "results")}
    | {"cutset.stdlib"}
    # A robot is read as the text of a model.
    | {"cutset.compiler.robots.convert", "cutset.compiler.robots.meshes"}
    # Errors are shown before the stage ends.
    | {"cutset.compiler.observer"},
    "cutset.compiler.robots": {
        "cutset.compiler.diagnostics",
        "cutset.contract.functions",
        "cutset.contract.mesh_file",
    },
    # It calls the reader of the format.
    "cutset.compiler.robots.convert": {
        "cutset.compiler.diagnostics",
        "cutset.compiler.robots",
        "cutset.compiler.urdf.read_robot",
        "cutset.compiler.mjcf.convert",
        "cutset.contract.cache",
    },
    "cutset.compiler.urdf": {"cutset.compiler.diagnostics", "cutset.compiler.robots"},
    "cutset.compiler.mjcf": {
        "cutset.compiler.diagnostics",
        "cutset.compiler.robots",
        "cutset.compiler.syntax.read",
        "cutset.contract.cache",
        "cutset.contract.plain_records",
    },
    "cutset.compiler.spice": {
        "cutset.compiler.diagnostics",
        "cutset.compiler.robots.names",
        "cutset.compiler.syntax.read",
    },
    "cutset.compiler.flatten": SHARED
    | {
        "cutset.compiler.instantiate.instance",
        "cutset.compiler.instantiate.events.model",
        # A message names classes.
        "cutset.compiler.instantiate.names.standard_libraries",
        "cutset.compiler.structure.matching",
        "cutset.compiler.structure.union_find",
    },
    "cutset.compiler.structure": set(),
    # Asked only when a stage has failed: it reads the flat model once more.
    "cutset.compiler.diagnose": SHARED
    | {
        "cutset.compiler.flatten",
        "cutset.compiler.instantiate.instance",
        "cutset.compiler.structure.plan",
        "cutset.compiler.structure.union_find",
    },
    # It looks at the plan, and has a system that it changes analyzed anew.
    "cutset.compiler.reduce": SHARED
    | {
        "cutset.compiler.flatten.model",
        "cutset.compiler.instantiate.instance",
        "cutset.compiler.sort.incidence",
        "cutset.compiler.structure",
    },
    # The algorithms on integers are called from here, which turns what they say into the names of the model.
    "cutset.compiler.sort": SHARED
    | {
        "cutset.compiler.flatten.model",
        "cutset.compiler.instantiate.events.model",
        "cutset.compiler.instantiate.instance",
        "cutset.compiler.structure",
    },
    # It takes equations out of a flat model, and outputs out of a solved one.
    "cutset.compiler.function": SHARED
    | {
        "cutset.compiler.flatten.model",
        "cutset.compiler.flatten.scalarize",
        "cutset.compiler.function.definition",
        "cutset.compiler.instantiate.events.model",
        "cutset.compiler.instantiate.instance",
        "cutset.compiler.sort.system",
        "cutset.compiler.structure.matching",
    },
    "cutset.compiler.function.definition": set(),
    # Of flattening only the origin of an equation, which goes through to the messages at run time.
    "cutset.compiler.codegen": SHARED | {"cutset.compiler.sort.system", "cutset.compiler.flatten.model"},
    "cutset.compiler.options": {
        "cutset.compiler.syntax.cache",
        "cutset.compiler.codegen.passes",
        "cutset.compiler.function.definition",
        "cutset.contract.quick_dataclass",
    },
    "cutset.compiler.observer": {"cutset.compiler.diagnostics"},
    "cutset.compiler.pipeline": {"cutset.compiler"},
    "cutset.compiler.verify": {"cutset.compiler"},
    "cutset.compiler.why": {"cutset.compiler", "cutset.contract.abridged"},
    "cutset.compiler": set(),
    "cutset.contract": set(),
    "cutset.runtime": {"cutset.contract", "cutset.runtime"},
    # Its wings, each above those before it.
    "cutset.runtime.fmu": RUN_BASE,
    "cutset.runtime.targets": RUN_BASE | {"cutset.runtime.fmu"},
    "cutset.runtime.given": RUN_BASE | {"cutset.runtime.targets"},
    "cutset.runtime.events": RUN_BASE | {f"cutset.runtime.{wing}" for wing in ("targets", "given")},
    "cutset.runtime.solvers": RUN_BASE | {f"cutset.runtime.{wing}" for wing in ("targets", "given", "events")},
    "cutset.runtime.analysis": RUN_BASE | {f"cutset.runtime.{wing}" for wing in ("targets", "events", "solvers")},
    "cutset.runtime.animation": RUN_BASE | {"cutset.runtime.bundled", "cutset.runtime.results"},
    "cutset.runtime.results": RUN_BASE
    | {f"cutset.runtime.{wing}" for wing in ("given", "events", "analysis", "animation")},
    "cutset.export": {"cutset.contract", "cutset.runtime"},
    "cutset.stdlib": set(),
    # It reads texts and looks names up; the check of a file is given to it.
    "cutset.lsp": {
        "cutset.compiler.collection",
        "cutset.compiler.diagnostics",
        "cutset.compiler.instantiate.events.builtin_functions",
        "cutset.compiler.instantiate.names",
        "cutset.compiler.instantiate.values.builtin_functions",
        "cutset.compiler.syntax",
        "cutset.contract.experiment_settings",
        "cutset.contract.names",
        "cutset.stdlib",
    },
    # The workbench uses the public interface; only its command imports it.
    "cutset.server": {"cutset"},
    # The wings of the interface, each above those before it.
    # What they use of `Model`, which stands above them.
    "cutset.api.translated_model": PROGRAM | {f"cutset.api.{wing}" for wing in ("translate", "files", "show")},
    "cutset.api.translate": PROGRAM,
    "cutset.api.files": PROGRAM | {"cutset.api.translate"},
    "cutset.api.mechanics": PROGRAM | {"cutset.api.files", "cutset.api.translate"},
    "cutset.api.diagram": PROGRAM | {"cutset.api.translate"},
    "cutset.api.show": RUNLESS,
    "cutset.api.runs": RUNLESS | {"cutset.api.show"},
    "cutset.api.notebook": RUNLESS | {"cutset.api.show"},
    "cutset.api": MODEL,
    "cutset.api.verify": MODEL | {"cutset.api.model", "cutset.api.texts"},
    "cutset.api.starters": set(),
    "cutset.api.testing": MODEL | {"cutset.api.model", "cutset.api.verify"},
    "cutset.api.command_line": MODEL | {"cutset.api.model", "cutset.api.verify"},
    "cutset.api.commands": PROGRAM | {"cutset.api"},
    "cutset.api.commands.open": PROGRAM | {"cutset.api", "cutset.server"},
    "cutset.api.notebook.cells": PROGRAM | {"cutset.api"},
    # The public names.
    "cutset": {"cutset.api", "cutset.compiler", "cutset.contract.version", "cutset.runtime"},
}
THIRD_PARTY = {
    "cutset.compiler.syntax": {"lark"},
    "cutset.compiler.instantiate": {"fmpy"},
    "cutset.compiler.mjcf": {"mujoco"},
    "cutset.compiler.robots": {"numpy", "scipy"},
    "cutset.compiler.structure": {"scipy", "networkx"},
    "cutset.compiler.expressions": {"numpy"},
    "cutset.compiler.sort": {"numpy"},
    "cutset.runtime": {"numpy", "scipy", "matplotlib", "pyarrow", "pandas", "xarray", "control", "fmpy", "trimesh"},
    "cutset.export": {"numpy"},
    "cutset.export.symbolic": {"numpy", "casadi", "jax", "sympy"},
    "cutset.lsp": {"pygls", "lsprotocol"},
    "cutset.api": {
        "pygls",
        "pygments",
        "networkx",
        "sympy",
        "numpy",
        "scipy",
        "pandas",
        "rich",
        "matplotlib",
        "distributed",
        "fmpy",
        "anywidget",
        "traitlets",
        "gymnasium",
        "cairosvg",
        "casadi",
    },
    "cutset.server": {"numpy", "scipy", "sympy", "starlette", "uvicorn", "lsprotocol"},
}
# Each of its methods has the name of a rule in grammar.lark, which says what the method takes.
RULES_OF_THE_GRAMMAR = ("cutset.compiler.syntax.build", "Rules")
HEAVY = (
    "anywidget",
    "casadi",
    "gymnasium",
    "pygls",
    "fmpy",
    "mujoco",
    "networkx",
    "numpy",
    "scipy",
    "sympy",
    "matplotlib",
    "lark",
    "rich",
    "trimesh",
    "cutset.compiler.pipeline",
)
