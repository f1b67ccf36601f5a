"""A bond graph and the circuit that it stands for."""

from __future__ import annotations

import numpy as np

import cutset

GRAPH = """@bondgraph
model Graph
  submodel (SE) source(e0=10)
  submodel (Junction1) j, k
  submodel (R) R(R=2)
  submodel (I) L(I=0.5, f0=1)
  submodel (TF) t(m=4)
  submodel (C) C(C=0.1, e0=3)
  submodel (GY) g(r=0.5)
  submodel (R) load(R=0.3)
  connect source to j, j:C at R, j:B at k:A, k:C at L, k:B to t to C, g:A at C, g:B at load
end
"""
CIRCUIT = """@electrical
model Circuit
  submodel (VConst) source(V=10)
  submodel (Resistor) R(R=2), load(R=0.3)
  submodel (Inductor) L(L=0.5, i0=1)
  submodel (IdealTransformer) t(n=4)
  submodel (Capacitor) C(C=0.1, u0=3)
  submodel (Gyrator) g(G1=2, G2=2)
  submodel (Ground) z
  node n0, a, b, c, d
  connect z at n0, source at (a, n0), a to R to L to b, t at (b, n0, c, n0), C at (c, n0), g at (c, n0, d, n0),
    load at (d, n0)
end
"""


def test_graph_and_circuit_are_one(write_model):
    options = {"stop": 5.0, "rtol": 1e-9, "atol": 1e-9, "interval": 0.01}
    graph = cutset.load(write_model(GRAPH, "graph.mo")).simulate(**options)
    circuit = cutset.load(write_model(CIRCUIT, "circuit.mo")).simulate(**options)
    np.testing.assert_allclose(graph["C.e"], circuit["C.u"], atol=1e-6)
    np.testing.assert_allclose(graph["L.f"], circuit["L.i"], atol=1e-6)
    np.testing.assert_allclose(np.abs(graph["load.f"]), np.abs(circuit["load.i"]), atol=1e-6)
    # What goes in is what comes out, at every instant.
    powers = sum(graph[f"{name}.P"] for name in ("source", "R", "L", "C", "load"))
    np.testing.assert_allclose(powers, 0, atol=1e-9)


def test_flow_source_and_modulated_elements(write_model):
    text = """@bondgraph
model Graph
  submodel (SF) s(f0=2)
  submodel (MTF) t
  submodel (MGY) g
  submodel (Junction0) j
  submodel (R) R1(R=3), R2(R=5), R3(R=7)
  submodel (MSE) e
  submodel (MSF) f
  submodel (R) R4(R=1), R5(R=2)
  connect s to j, j:B to t to R1, j:C to g to R2, e at R4, f at R5, R3 at s
  t.m = 2
  g.r = 3
  e.u = time
  f.u = 4
end
"""
    run = cutset.load(write_model(text)).simulate(stop=1.0)
    # Seen from the junction, R1 is m^2*R1 = 12, R2 is r^2/R2 = 1.8, in parallel with R3.
    np.testing.assert_allclose(run["R3.e"], 2 / (1 / 12 + 1 / 1.8 + 1 / 7))
    np.testing.assert_allclose(run["R4.f"], run.time)
    np.testing.assert_allclose(run["R5.e"], 8)


def test_vector_bonds_are_scalar_ones_side_by_side(write_model):
    """With diagonal matrices each element of a vector graph is a scalar graph."""
    text = """@bondgraph
model Vector
  submodel (MSEN) u(n=2)
  submodel (Junction1N) one(n=2)
  submodel (RN) r(n=2, R=[2, 0; 0, 3])
  submodel (MTFN) t(n1=2, n2=2)
  submodel (Junction0N) zero(n=2)
  submodel (IN) i(n=2, I=[4, 0; 0, 5])
  submodel (CN) c(n=2, C=[0.1, 0; 0, 0.2], e0=[1, 2])
  connect u at one:A, r at one:B, one:C to t to zero, i at zero:B, c at zero:C
  t.m = [2, 0; 0, 3]
  u.u = [1, 2]
end
model class Scalar
  parameter E, R, m, I, C, e0
  submodel (SE) u(e0=E)
  submodel (Junction1) one
  submodel (R) r(R=R)
  submodel (TF) t(m=1/m)
  submodel (I) i(I=I)
  submodel (C) c(C=C, e0=e0)
  submodel (Junction0) zero
  connect u at one:A, r at one:B, one:C at t:B, t:A at zero:A, i at zero:B, c at zero:C
end
model Both
  submodel (Scalar) s1(E=1, R=2, m=2, I=4, C=0.1, e0=1), s2(E=2, R=3, m=3, I=5, C=0.2, e0=2)
end
"""
    path = write_model(text, "vector.mo")
    vector, both = (cutset.load(path, name).simulate(2.0, points=5, target="python") for name in ("Vector", "Both"))
    for k in (1, 2):
        for name in ("i.f", "c.e", "r.f", "zero.e"):
            assert np.allclose(vector[f"{name}({k})"], both[f"s{k}.{name}"], atol=1e-9)
        assert np.ptp(vector[f"i.f({k})"]) > 0.1


def test_a_source_of_flows_drives_a_vector_bond(write_model):
    text = """@bondgraph
model Driven
  submodel (MSFN) s(n=2)
  submodel (RN) r(n=2, R=[2, 1; 0, 3])
  connect s at r
  s.u = [1, 2]
end
"""
    run = cutset.load(write_model(text)).simulate(0.0)
    assert [run[f"r.e({k})"][0] for k in (1, 2)] == [4.0, 6.0]
