"""Writes the messages about URDF files."""

from __future__ import annotations

from collections.abc import Sequence

from cutset.compiler.diagnostics import Diagnostic, Label, Span, did_you_mean, visible


def not_a_robot(name: str, span: Span) -> Diagnostic:
    """The root element is another one."""
    hint = "give a URDF file; its first element is <robot>"
    if name in ("mujoco", "sdf", "COLLADA"):
        hint = f"convert the file to URDF; <{name}> is another format"
    return Diagnostic("E151", f"the first element is <{visible(name)}>, not <robot>", span, hint)


def macro(name: str, span: Span) -> Diagnostic:
    """The file has macros or expressions of xacro, which were not expanded."""
    return Diagnostic("E151", f"{visible(name)} is for xacro", span, "expand the file: xacro FILE.xacro > FILE.urdf")


def missing(what: str, owner: str, span: Span) -> Diagnostic:
    """An element or an attribute is missing."""
    return Diagnostic("E151", f"{visible(owner)} has no {what}", span, f"add {what}")


def wrong_value(attribute: str, text: str, expected: str, span: Span) -> Diagnostic:
    """An attribute has a value that makes no sense."""
    found = visible(text[:60])
    return Diagnostic("E151", f'{attribute}="{found}" must be {expected}', span, f"write {expected} for {attribute}")


def unknown_type(name: str, found: str, types: Sequence[str], span: Span) -> Diagnostic:
    """A joint has an unknown type."""
    hint = did_you_mean(found, types) or f"use one of: {', '.join(types)}"
    return Diagnostic("E151", f"the joint '{visible(name)}' has the unknown type '{visible(found)}'", span, hint)


def given_twice(what: str, name: str, span: Span, before: Span) -> Diagnostic:
    """Two links or joints have one name."""
    labels = (Label(before, "the first one"),)
    return Diagnostic("E152", f"the {what} '{visible(name)}' is given twice", span, "rename one of them", labels=labels)


def unknown(what: str, name: str, owner: str, known: Sequence[str], span: Span) -> Diagnostic:
    """A joint refers to a link or joint that does not exist."""
    hint = did_you_mean(name, known) or f"declare the {what}, or correct its name"
    return Diagnostic("E152", f"{owner}: there is no {what} '{visible(name)}'", span, hint)


def no_coordinate(joint: str, other: str, kind: str, span: Span) -> Diagnostic:
    """A joint mimics one that has no coordinate, or several."""
    message = f"the joint '{visible(joint)}' mimics '{visible(other)}', a {kind} joint without a single coordinate"
    return Diagnostic("E152", message, span, "name a revolute, continuous or prismatic joint, or remove the <mimic>")


def two_parents(link: str, span: Span, before: Span) -> Diagnostic:
    """Two joints have the same child."""
    labels = (Label(before, "the first joint"),)
    hint = "remove one of the joints; a loop cannot be written in URDF: close it in the model after the import"
    return Diagnostic("E153", f"the link '{visible(link)}' is the child of two joints", span, hint, labels=labels)


def cycle(links: Sequence[str], span: Span) -> Diagnostic:
    """Links are children of each other."""
    path = " -> ".join(visible(link) for link in links[:12])
    hint = "remove one of the joints, so that the links form a tree"
    return Diagnostic("E153", f"the joints form a cycle: {path}", span, hint)


def roots(links: Sequence[str], span: Span | None) -> Diagnostic:
    """The links are several trees."""
    names = ", ".join(f"'{visible(link)}'" for link in links[:6])
    hint = "connect the trees by a joint, such as a fixed one, or remove the other links"
    return Diagnostic("E153", f"the robot has {len(links)} root links: {names}", span, hint)


def negative_mass(link: str, mass: float, span: Span) -> Diagnostic:
    """A mass is below zero."""
    return Diagnostic(
        "E154", f"the mass of the link '{visible(link)}' is negative: {mass:g} kg", span, "write a mass of at least 0"
    )


def negative_inertia(link: str, span: Span) -> Diagnostic:
    """An inertia has a negative moment about some axis."""
    hint = "correct ixx, iyy, izz, ixy, ixz, iyz; import_robot(..., any_inertia=True) accepts them"
    return Diagnostic("E154", f"the inertia of the link '{visible(link)}' is negative about some axis", span, hint)


def moves_nothing(joint: str, span: Span) -> Diagnostic:
    """A joint of several coordinates moves no mass, so that its acceleration is not determined."""
    hint = "give a link after the joint an <inertial>, or make the joint fixed"
    return Diagnostic("E155", f"the joint '{visible(joint)}' moves no mass", span, hint)


def mimics_itself(joint: str, span: Span) -> Diagnostic:
    """Joints mimic each other in a cycle."""
    hint = "let one of them move freely: remove its <mimic>"
    return Diagnostic("E153", f"the joint '{visible(joint)}' mimics itself", span, hint)
