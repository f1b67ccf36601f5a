"""What connect statements mean: sets, signs, paths, hierarchical cuts, cuts without body."""

import pytest
from models_from_text import translate

PARTS = """
model class TwoPin
  cut A (Va / i), B (Vb / -i)
  main cut C [A, B]
  main path P <A - B>
  terminal u
  u = Va - Vb
end
model class (TwoPin) Resistor
  parameter R = 2
  R*i = u
end
model class (TwoPin) Source
  parameter V = 12
  u = V + 0*time
end
model class Ground
  main cut A (V / i)
  V = 0
end
"""


def circuit(body: str, **given):
    return translate(f"{PARTS}\nmodel M\n{body}\nend\n").values(**given)


def test_three_ends_at_a_node_follow_kirchhoff():
    v = circuit(
        """
  submodel (Source) s
  submodel (Resistor) a(R=3), b(R=6)
  submodel (Ground) g
  node top, bottom
  connect s at (top, bottom), a at (top, bottom), b at (top, bottom), g at bottom
"""
    )
    assert v["a.i"] == pytest.approx(4) and v["b.i"] == pytest.approx(2) and v["s.i"] == pytest.approx(-6)
    assert v["g.i"] == pytest.approx(0)


def test_a_chain_passes_through_nodes_and_cuts():
    v = circuit(
        """
  submodel (Source) s
  submodel (Resistor) a(R=1), b(R=2), c(R=3)
  submodel (Ground) g
  node n
  connect g:A to s:B, s:A to a to n to b to c:A, c:B at g
"""
    )
    assert [v[f"{k}.i"] for k in "abc"] == pytest.approx([2, 2, 2])


def test_a_node_that_one_cut_touches_is_open():
    v = translate(
        f"""{PARTS}
model M
  submodel (Resistor) a(R=4), b(R=4)
  submodel (Ground) g
  node n1, n2
  connect a at (n1, n2), b to g, b:A at n2
  a.Va = 8
end
"""
    ).values()
    assert v["a.i"] == pytest.approx(1)


def test_a_cut_in_no_connection_carries_nothing():
    v = circuit(
        """
  submodel (Source) s
  submodel (Resistor) a, b
  submodel (Ground) g
  connect s to g, s:A at a:A, b at (s:A, s:B)
"""
    )
    assert v["a.i"] == 0 and v["a.Vb"] == pytest.approx(12) and v["b.i"] == pytest.approx(6)


def test_hierarchical_cuts_are_joined_part_by_part_through_levels():
    v = translate(
        f"""{PARTS}
model class Box
  submodel (Resistor) r(R=3)
  cut p, q
  main cut c [p, q]
  main path w <p - q>
  connect p at r:A, q at r:B
end
model class Outer
  submodel (Box) x, y
  cut ends (Va / ia), out
  main cut c [ends, out]
  connect ends to x to y to out
end
model M
  submodel (Outer) o
  submodel (Source) s
  submodel (Ground) g
  connect o at (s:A, s:B), g at s:B
end
"""
    ).values()
    assert v["o.x.r.i"] == pytest.approx(2) and v["o.y.r.i"] == pytest.approx(2) and v["o.ia"] == pytest.approx(2)


def test_the_boundary_of_the_object_carries_nothing_or_what_its_input_says():
    text = f"""{PARTS}
model M
  submodel (Resistor) r(R=5)
  submodel (Ground) g
  INPUT
  cut port (V / i)
  connect port at r:A, r:B at g
end
"""
    assert translate(text.replace("INPUT", "")).values()["r.i"] == 0
    driven = translate(text.replace("INPUT", "input i")).values(inputs={"i": 3.0})
    assert driven["r.i"] == pytest.approx(3.0) and driven["V"] == pytest.approx(15.0)


def test_a_dot_keeps_a_position_free():
    v = translate(
        """
model class A
  main cut c (x, . / f)
  x = 3
end
model class B
  main cut c (y, z / .)
  z = 2*y
end
model M
  submodel (A) a
  submodel (B) b
  connect a to b
end
"""
    ).values()
    assert v["b.y"] == 3 and v["b.z"] == 6 and v["a.f"] == 0


def test_through_vectors_sum_element_by_element():
    v = translate(
        """
model class Mass
  parameter J(2,2)(symmetric) = [2, 0; 0, 3], b(2) = [1, 5]
  main cut c (w / I(2,2)(symmetric), p(2))
  I = J
  p = b
end
model class Base
  main cut c (w / I(2,2)(symmetric), p(2))
  w = time
end
model M
  submodel (Mass) m, n(J = [1, 4; 4, 1])
  submodel (Base) o
  connect o to m, o to n
end
"""
    ).values()
    assert [v[f"o.I({k})"] for k in ("1,1", "1,2", "2,2")] == [-3, -4, -4]
    assert [v["o.p(1)"], v["o.p(2)"]] == [-2, -10]


def test_parallel_resistors_share_the_current():
    v = circuit(
        """
  submodel (Source) s
  submodel (Resistor) a(R=3), b(R=6), c(R=2)
  submodel (Ground) g
  connect g to s:B, s:A to a par reversed b to c to g
"""
    )
    assert [v["a.i"], v["b.i"], v["c.i"]] == pytest.approx([2, -1, 3])


def test_a_ring_of_chains():
    v = circuit(
        """
  submodel (Source) s
  submodel (Resistor) a(R=1), b(R=2), c(R=6)
  submodel (Ground) g
  connect reversed s loop a to (b par c), g at s:B
"""
    )
    assert [v["s.i"], v["a.i"], v["b.i"], v["c.i"]] == pytest.approx([-4.8, 4.8, 3.6, 1.2])


def test_a_chain_of_parallels_is_placed_at_nodes():
    v = circuit(
        """
  submodel (Source) s
  submodel (Resistor) a(R=1), b(R=2), c(R=6)
  submodel (Ground) g
  node n, m
  connect s at (n, m), g at m, reversed (a to b) par c at (n, m)
"""
    )
    assert [v["a.i"], v["b.i"], v["c.i"]] == pytest.approx([-4, -4, 2])


@pytest.mark.parametrize("of_class", ["(Drive) ", ""])
@pytest.mark.parametrize(
    "connected", ["connect load at h, r at h", "connect r at h, load at h", "connect load at r, r at h"]
)
def test_a_cut_without_list_takes_the_optional_variables_whatever_is_met_first(of_class, connected):
    """Also if the plain cut of the load is, and neither has the cut class."""
    v = translate(
        f"""
cut class Drive (q / f, J(optional))
model class Joint
  main cut {of_class}ext (q / f, -J)
  q = 2
end
model class Holder
  main cut (Drive) ext
  submodel (Joint) joint
  connect ext at joint
end
model class Load
  main cut a (q / f)
  f = 3*q + 0*time
end
model class Rotor
  main cut {of_class}a (q / f, J)
  f = 0
  J = 5
end
model M
  submodel (Load) load
  submodel (Holder) h
  submodel (Rotor) r
  {connected}
end
"""
    ).values()
    assert (v["h.joint.f"], v["h.joint.J"]) == (-6, 5)
