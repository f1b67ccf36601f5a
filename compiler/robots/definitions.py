"""Holds the classes that imported texts define, since the libraries have none like them."""

from __future__ import annotations

_CLASSES = {
    "MimicJoint": """
model class MimicJoint "the coordinate at B is multiplier*q + offset, where q is the coordinate at A"
  parameter multiplier = 1, offset = 0
  cut (DriveCut) A (qa(state=prefer), qda(state=prefer), qdda / fa), B (qb, qdb, qddb / fb)
  qb = multiplier*qa + offset
  fa = -multiplier*fb
end
""",
    "CurvedMimic": """
model class CurvedMimic "the coordinate at B is offset + c1*x + c2*x^2 + c3*x^3 + c4*x^4, where x is q - start at A"
  parameter offset = 0, start = 0, c1 = 0, c2 = 0, c3 = 0, c4 = 0
  cut (DriveCut) A (qa(state=prefer), qda(state=prefer), qdda / fa), B (qb, qdb, qddb / fb)
  local x
  x = qa - start
  qb = offset + x*(c1 + x*(c2 + x*(c3 + x*c4)))
  fa = -(c1 + x*(2*c2 + x*(3*c3 + x*4*c4)))*fb
end
""",
    "ElasticBall": """
model class (Spherical) ElasticBall "spherical joint with a spring, a damper and an inertia, equal about all axes"
  parameter c (unit="N.m/rad") = 0 "stiffness"
  parameter d (unit="N.m.s/rad") = 0 "damping"
  parameter J (unit="kg.m2") = 0 "inertia that turns with b"
  local s (unit="1") "of half the angle"
  local turn(3)(unit="rad") "axis times angle, up to half a turn"
  terminal load(3)(unit="N.m") "torque of all three, for tau"
  s = norm(p(1..3))
  turn = (if noevent(p(4) < 0) then -1 else 1)*2*(if noevent(s > 1e-8) then atan2(s, abs(p(4)))/s else 1)*p(1..3)
  load = -c*turn - d*w - J*alpha
end
""",
    "DampedFree": """
model class (Free) DampedFree "free motion with a damper and an inertia along and about all axes"
  parameter df (unit="N.s/m") = 0, dt (unit="N.m.s/rad") = 0 "damping"
  parameter m (unit="kg") = 0, J (unit="kg.m2") = 0 "inertia that moves with b"
  terminal load(3)(unit="N") "force of both, for f"
  terminal turn_load(3)(unit="N.m") "torque of both, for tau"
  load = -df*v - m*der(v)
  turn_load = -dt*w - J*alpha
end
""",
    "Actuator": """
model class Actuator "force that is affine in the length L and its rate V"
  parameter g0 = 0, g1 = 0, g2 = 0, b0 = 0, b1 = 0, b2 = 0
  terminal u "control"
  terminal L, V "length and its rate"
  terminal f "force along the length"
  f = (g0 + g1*L + g2*V)*u + b0 + b1*L + b2*V
end
""",
    "LimitedActuator": """
model class LimitedActuator "force that is affine in the length L and its rate V, within limits"
  parameter g0 = 0, g1 = 0, g2 = 0, b0 = 0, b1 = 0, b2 = 0
  parameter f_min, f_max
  terminal u "control"
  terminal L, V "length and its rate"
  terminal f "force along the length"
  f = max(f_min, min(f_max, (g0 + g1*L + g2*V)*u + b0 + b1*L + b2*V))
end
""",
    "CutFixed": """
model class (CutPoint) CutFixed "the frames a and b stay together"
  T(1,2) = T(2,1)
  T(1,3) = T(3,1)
  T(2,3) = T(3,2)
end
""",
}
NAMES = frozenset(_CLASSES)


def definitions(used: set[str]) -> list[str]:
    """The lines of the classes that are used."""
    return [line for name, text in _CLASSES.items() if name in used for line in text.rstrip().splitlines()]
