"""Writes the messages about MJCF files."""

from __future__ import annotations

from cutset.compiler.diagnostics import Diagnostic, Span, visible


def rejected(reason: str, span: Span | None) -> Diagnostic:
    """MuJoCo's compiler rejects the model."""
    return Diagnostic(
        "E156", f"MuJoCo rejects the model: {visible(reason)}", span, "correct the model as the message of MuJoCo says"
    )


def failed(how: str, span: Span) -> Diagnostic:
    """The process of MuJoCo's compiler failed."""
    hint = "simplify the model until MuJoCo reads it, or write its robot in URDF; report the crash to MuJoCo"
    return Diagnostic("E156", f"MuJoCo's compiler failed: {visible(how)}", span, hint)


def too_long(seconds: float, span: Span) -> Diagnostic:
    """The process of MuJoCo's compiler did not end."""
    hint = "simplify the model: use smaller meshes, or fewer bodies"
    return Diagnostic("E156", f"MuJoCo's compiler has not finished after {seconds:g} s", span, hint)


def no_mujoco(span: Span) -> Diagnostic:
    """The package that reads MJCF is missing."""
    hint = "install it: pip install mujoco; or convert the file to URDF"
    return Diagnostic("E157", "MJCF files are read by MuJoCo's compiler, which is not installed", span, hint)


def too_old(version: str, span: Span) -> Diagnostic:
    """The package that reads MJCF is too old."""
    message = f"MJCF files are read by MuJoCo's compiler from version 3.3.7 on; {visible(version)} is installed"
    return Diagnostic("E157", message, span, "install a newer version: pip install -U mujoco")


def outside(file: str, span: Span) -> Diagnostic:
    """A file is named that a robot must not read."""
    hint = "move the file next to the model, or name the folder that contains both: -I FOLDER"
    return Diagnostic("E158", f"'{visible(file)}' is outside the folder of the model", span, hint)


def too_many(number: int, span: Span) -> Diagnostic:
    """Files include each other, or too many files are included."""
    return Diagnostic("E158", f"the model includes more than {number} files", span, "include fewer files, each once")


def no_mesh(file: str, geom: str, span: Span | None) -> Diagnostic:
    """The mesh of a geom that determines an inertia is missing."""
    message = f"there is no mesh file '{visible(file)}', which determines the inertia of the body '{visible(geom)}'"
    return Diagnostic("E159", message, span, "add the file, or give the body an <inertial>")


def no_file(file: str, span: Span) -> Diagnostic:
    """An included file is missing."""
    return Diagnostic("E159", f"there is no file '{visible(file)}'", span, "correct the name, or add the file")


def not_mjcf(name: str, span: Span) -> Diagnostic:
    """The root element is another one."""
    hint = "give an MJCF file, whose first element is <mujoco>, or a URDF file, whose first element is <robot>"
    return Diagnostic("E156", f"the first element is <{visible(name)}>, not <mujoco> or <robot>", span, hint)
