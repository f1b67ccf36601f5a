"""Writes the actuators of a robot: their submodels, and the equations of their forces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cutset.compiler.robots.names import Names, shown
from cutset.compiler.robots.numbers import number
from cutset.compiler.robots.robot import Actuator


class ActuatorWriter:
    """Collects the lines of all actuators; the submodel `drive`(k) acts at the k-th of `joints`, by name."""

    def __init__(self, actuators: Sequence[Actuator], joints: Mapping[str, str], names: Names):
        self._joints = joints
        # Without controls, drive(k) are the forces of the joints.
        self.drive = "drive" if any(not each.passive for each in actuators) else "spring"
        suffix = {False: "_actuator", True: "_tendon"}
        self._named = [(actuator, names.add(actuator.name, suffix[actuator.passive])) for actuator in actuators]
        self._followed: list[str] = []
        self.joints = [joint for actuator in actuators for joint, _ in actuator.joints]
        self.submodels: list[tuple[str, str, str]] = []  # class, name, values
        self.equations: list[str] = []  # the lines after the connections
        self._forces = 0
        controls = 0
        for actuator, name in self._named:
            controls += not actuator.passive
            self._add(actuator, name, "0" if actuator.passive else _within(actuator.control, f"ctrl({controls})"))

    @property
    def declarations(self) -> list[str]:
        """The lines before the connections, without those of the submodels."""
        follow = [f'local act({len(self._followed)}) "activations"'] if self._followed else []
        return [*follow, f"submodel (JointForce) {self.drive}({len(self.joints)})"]

    def _add(self, actuator: Actuator, name: str, signal: str) -> None:
        self.equations.append(f"{{ {shown(actuator.name)} }}")
        if actuator.integrates or actuator.lag is not None:
            self._followed.append(name)
            given, signal = signal, f"act({len(self._followed)})"
            rate = given if actuator.lag is None else f"({given} - {signal})/{number(actuator.lag)}"
            self.equations.append(f"der({signal}) = {rate}")
        if not (any(actuator.bias) or any(actuator.gain[1:]) or actuator.force):  # the control times a number
            force, gain = signal, actuator.gain[0]
        else:
            force, gain = f"{name}.f", 1.0
            values = zip(("g0", "g1", "g2", "b0", "b1", "b2"), (*actuator.gain, *actuator.bias), strict=True)
            text = ", ".join(f"{key}={number(value)}" for key, value in values if value)
            if actuator.force is not None:
                text += f", f_min={number(actuator.force[0])}, f_max={number(actuator.force[1])}"
            self.submodels.append(("Actuator" if actuator.force is None else "LimitedActuator", name, text))
            self.equations.append(f"{name}.u = {signal}")
            for key, what in (("L", "q"), ("V", "qd")):
                terms = [(factor, f"{self._joints[joint]}.{what}") for joint, factor in actuator.joints]
                self.equations.append(f"{name}.{key} = {_sum(terms)}")
        for _, factor in actuator.joints:
            self._forces += 1
            self.equations.append(f"{self.drive}({self._forces}).f = {_sum([(factor * gain, force)])}")


def _within(limits: tuple[float, float] | None, text: str) -> str:
    return text if limits is None else f"max({number(limits[0])}, min({number(limits[1])}, {text}))"


def _sum(terms: Sequence[tuple[float, str]]) -> str:
    found = ""
    for factor, text in terms:
        part = text if abs(factor) == 1 else f"{number(abs(factor))}*{text}"
        alone = f"-{part}" if factor < 0 else part
        found = f"{found} {'-' if factor < 0 else '+'} {part}" if found else alone
    return found
