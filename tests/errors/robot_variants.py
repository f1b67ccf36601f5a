"""The robot of the page on mistakes with one mistake each: edits of its text, so that the variants follow the model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile

PAPER = Path(__file__).parents[2] / "docs/use/two_axes"
ROBOT, LIBRARY = "robot.mo", "r3.lib"


@dataclass(frozen=True)
class Variant:
    """`old` becomes `new` in a file. The first message names `culprit`, and one of its places is in a line with
    `place`."""

    name: str
    file: str
    old: str
    new: str
    culprit: str
    place: str

    def write(self, folder: Path) -> Path:
        """Writes the robot with the mistake; the path of its object."""
        for file in (ROBOT, LIBRARY):
            copyfile(PAPER / file, folder / file)
        text = (folder / self.file).read_text(encoding="utf-8")
        assert self.old in text, f"{self.file} has no {self.old!r}"
        (folder / self.file).write_text(text.replace(self.old, self.new, 1), encoding="utf-8")
        return folder / ROBOT


CHAIN = "connect i to r1"
CONTROL = "  Vd = kp*(rq - q) + kd*(rqd - qd)\n"
M1 = "m1 at r1:b"
LOAD = "load at bL:b"

BROKEN = [
    # connections of the arm
    Variant("chain_cut", LIBRARY, "r4 to b5", "r4, b5", "robot.b5", "b5(r3=0.73)"),
    Variant("body_connected_twice", LIBRARY, "m2 at r2:b", "m2 at r2:b, m2 at r3:b", "robot.m2", "m2 at r3:b"),
    Variant("base_not_connected", LIBRARY, CHAIN, "connect r1", "robot.r1", "r1(n3=1)"),
    Variant("base_not_declared", LIBRARY, "  submodel (Inertial) i(ng3=-1, g=9.81)\n", "", "'i'", CHAIN),
    Variant("base_at_both_ends", LIBRARY, LOAD, f"{LOAD}, i at bL:b", "robot.i", "i at bL:b"),
    Variant("loop", LIBRARY, LOAD, f"{LOAD}, bL:b to r1:b", "robot.bL", "load at bL:b"),
    Variant("joint_reversed", LIBRARY, "to r3", "to reversed r3", "robot.r3", "to reversed r3"),
    Variant("load_not_connected", LIBRARY, LOAD + ", ", "", "robot.load", "load(m=mL)"),
    Variant("massless_load", ROBOT, "mL=15, ", "", "robot.r6", "load(m=mL)"),
    # connections of the drives
    Variant("shaft_without_gear", ROBOT, "m1 to d1, ", "", "m1:rotor", "m1(Ci="),
    Variant("gear_without_joint", ROBOT, ", d1 to robot:j1", "", "d1:b", "d1(i=i1"),
    Variant("gear_left_out", ROBOT, ", m6 to d6, d6 to robot:j6", "", "m6:rotor", "m6(Ci="),
    Variant("controller_at_two_motors", ROBOT, "c6 to m6", "c1 to m6", "c6:c", "c1, c6"),
    Variant("motor_at_two_gears", ROBOT, "m6 to d6", "m1 to d6", "m6:rotor", "m6(Ci="),
    # cuts that do not fit
    Variant("body_at_a_shaft", LIBRARY, M1, "m1 at r1:ext", "robot.m1:a", "m1 at r1:ext"),
    Variant("pin_at_a_frame", LIBRARY, "(Body)     m1(I33=1.16)", "(Ground)   m1", "'Frame' and 'Pin'", M1),
    Variant("shaft_at_a_pin", LIBRARY, "La to emf to", "La to emf:mech to", "m1.emf:mech", "La to emf:mech to"),
    Variant("drive_at_a_frame", LIBRARY, "j6 at r6:ext", "j6 at r6:b", "robot.r6:b", "j6 at r6:b"),
    # the circuit of the motors
    Variant("resistor_left_out", LIBRARY, "Rd1 at (n2, n5),  ", "", "m1.Rd1", "Rd1(R = 100)"),
    Variant(
        "output_at_ground", LIBRARY, "diff at (n3, n2, n5)", "diff at (n3, n2, n0)", "m1.diff", "diff at (n3, n2, n0)"
    ),
    Variant("amplifier_turned", LIBRARY, "I at (n0, n6, n7)", "I at (n7, n6, n0)", "m1.I", "I at (n7, n6, n0)"),
    Variant("two_nodes_for_three", LIBRARY, "diff at (n3, n2, n5)", "diff at (n3, n2)", "diff", "diff at (n3, n2)"),
    Variant("three_nodes_for_two", LIBRARY, "Rd3 at (n4, n3)", "Rd3 at (n4, n3, n0)", "Rd3", "Rd3 at (n4, n3, n0)"),
    # names and values
    Variant("class_misspelled", LIBRARY, "(Revolute) r1", "(Revolut) r1", "Revolut", "(Revolut) r1"),
    Variant("submodel_misspelled", LIBRARY, "r4 to b5", "r4 to b4", "b4", "r4 to b4"),
    Variant("parameter_misspelled", LIBRARY, "m1(I33", "m1(I44", "I44", "m1(I44"),
    Variant("cut_misspelled", ROBOT, "robot:j1", "robot:j7", "j7", "robot:j7"),
    Variant("parameter_without_value", ROBOT, "c=43, ", "", "'c' of 'd1'", "d1(i=i1"),
    Variant("axis_left_out", LIBRARY, "r2(n1=1)", "r2", "the axis has no direction", "r2, r3(n1=1)"),
    # One gear turns two joints, each of which gives its own motion.
    Variant("gear_at_two_joints", ROBOT, "d1 to robot:j1", "d1 to robot:j1, d1 to robot:j2", "robot.r1", "r1(n3=1)"),
    Variant("decimal_comma", LIBRARY, "m=56.5", "m=56,5", "comma", "m=56,5"),
    # units
    Variant("mass_in_meters", LIBRARY, "parameter mL=0", 'parameter mL(unit="m")=0', "load.m", "load(m=mL)"),
    Variant("ratio_in_meters", ROBOT, "i6=-99", 'i6(unit="m")=-99', "m.rad", "d6(i=i6"),
    Variant("angle_for_speed", LIBRARY, "d*(qd - i*qdb)", "d*(q - i*qdb)", "rad/s", "d*(q - i*qdb)"),
    # equations
    Variant("no_end", LIBRARY, CONTROL + "end", CONTROL.rstrip(), "R3control", "model class R3control"),
    Variant("control_law_forgotten", LIBRARY, CONTROL, "", "'c1', 'c6' (R3control)", "c1, c6"),
    Variant("control_law_twice", LIBRARY, CONTROL, CONTROL + "  Vd = kp*(rq - q)\n", "c1.Vd", "Vd = kp*(rq - q)"),
    Variant("sign_error", LIBRARY, "  Vd = Rd2.Va\n", "  Vd = Rd2.Va\n  Vd = -Rd2.Va\n", "m1.Vd", "Vd = -Rd2.Va"),
    Variant("reaction_forgotten", LIBRARY, "  fb = -i*(c*(q - i*qb) + d*(qd - i*qdb))\n", "", "d1.fb", "d1(i=i1"),
    Variant("reference_not_given", ROBOT, "  c6.rqd = i6*rqd6\n", "", "c6.rqd", "c1, c6"),
]

# Not what was meant, perhaps, but models with one solution; each with its number of states.
LEGAL = [
    (Variant("same_connection_twice", LIBRARY, "m2 at r2:b", "m2 at r2:b, m2 at r2:b", "", ""), 18),
    # The motor drives its joint directly, and the gear turns freely.
    (Variant("motor_at_the_joint", ROBOT, "m6 to d6, d6 to robot:j6", "m6 to robot:j6, m6 to d6", "", ""), 18),
    # All is rigid in a bar: motion can be computed through it either way.
    (Variant("bar_reversed", LIBRARY, "to b3", "to reversed b3", "", ""), 18),
    # An ideal amplifier has no input that is special: both have one potential.
    (Variant("amplifier_inputs_swapped", LIBRARY, "I at (n0, n6, n7)", "I at (n6, n0, n7)", "", ""), 18),
    # The output is what keeps the inputs equal, wherever its way back to them leads through: here, through the
    # controlled arm.
    (Variant("amplifier_without_feedback", LIBRARY, "Ci at (n6, n7)", "Ci at (n6, n0)", "", ""), 14),
    # Hall sensor and command give potentials, not voltages: the circuit does not float.
    (Variant("no_ground", LIBRARY, "g at n0,", "", "", ""), 18),
]
