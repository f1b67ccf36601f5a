{ Bond graphs: every bond has an effort e and a flow f, whose product is a power. Karnopp, Margolis, Rosenberg: System Dynamics;
  Cellier: Continuous System Modeling.

  All elements have one kind of cut, with the effort as across and the flow as through variable, so connected cuts form a 0-junction: efforts are
  equal and flows sum to zero. In Junction1 flows are equal and efforts sum to zero; each of its cuts takes a single bond, since several would form a 0-junction.
  The flow counts into the element. Units are those of the domain in which a graph is used; the elements declare none. }

cut class Bond (e / f) "effort, and flow into the element"

model class BondPort "an element with one bond"
  main cut (Bond) A (e / f)
  terminal P "power into the element"
  P = e*f
end

{ --- sources --- }

model class (BondPort) SE "source of effort: e = e0"
  parameter e0 "effort"
  e = e0
end

model class (BondPort) SF "source of flow: f0 flows out of it into the graph"
  parameter f0 "flow"
  f = -f0
end

model class (BondPort) MSE "source of the effort u, which is set from outside"
  terminal u
  e = u
end

model class (BondPort) MSF "source of the flow u out of it, which is set from outside"
  terminal u
  f = -u
end

{ --- elements --- }

model class (BondPort) R "dissipation: e = R*f"
  parameter R
  e = R*f
end

model class (BondPort) C "storage of flow: e = q/C, der(q) = f"
  parameter C
  parameter e0 = 0 "effort at the start"
  local q (start=C*e0) "displacement"
  q = C*e
  der(q) = f
end

model class (BondPort) I "storage of effort: f = p/I, der(p) = e"
  parameter I
  parameter f0 = 0 "flow at the start"
  local p (start=I*f0) "momentum"
  p = I*f
  der(p) = e
end

{ --- two bonds --- }

model class BondTwoPort "an element between two bonds; both flows count into it"
  cut (Bond) A (e1 / f1), B (e2 / f2)
  main cut W [A, B]
  main path S <A - B>
end

model class (BondTwoPort) TF "transformer: e1 = m*e2, f2 = -m*f1"
  parameter m "modulus"
  e1 = m*e2
  f2 = -m*f1
end

model class (BondTwoPort) GY "gyrator: e1 = -r*f2, e2 = r*f1"
  parameter r "modulus"
  e1 = -r*f2
  e2 = r*f1
end

model class (BondTwoPort) MTF "transformer whose modulus m is set from outside"
  terminal m
  e1 = m*e2
  f2 = -m*f1
end

model class (BondTwoPort) MGY "gyrator whose modulus r is set from outside"
  terminal r
  e1 = -r*f2
  e2 = r*f1
end

{ --- junctions --- }

model class Junction0
    "a point where efforts are equal and flows sum to zero; three bonds, or more where cuts meet at one of them"
  cut (Bond) A (e / f1), B (e / f2), C (e / f3)
  main cut W [A, B, C]
  main path S <A - B>
  f1 + f2 + f3 = 0
end

model class Junction1 "all bonds have one flow, in at A and out at B and C; the effort at A is the sum of the others"
  cut (single Bond) A (e1 / f), B (e2 / -f), C (e3 / -f)
  main cut W [A, B, C]
  main path S <A - B>
  e1 = e2 + e3
end

{ --- vector bonds, of n efforts and flows --- }

model class BondPortN "an element with one vector bond"
  parameter (Integer) n = 1 "number of efforts and flows"
  main cut A (e(n) / f(n))
  terminal P "power into the element"
  P = e'*f
end

model class (BondPortN) MSEN "source of the efforts u, zero unless they are set from outside"
  terminal u(n)
  default u = zeros(n)
  e = u
end

model class (BondPortN) MSFN "source of the flows u out of it, zero unless they are set from outside"
  terminal u(n)
  default u = zeros(n)
  f = -u
end

model class (BondPortN) RN "dissipation: e = R*f"
  parameter R(n, n)
  e = R*f
end

model class (BondPortN) CN "storage of flow: q = C*e, der(q) = f"
  parameter C(n, n)
  parameter e0(n) = zeros(n) "efforts at the start"
  local q(n)(start=C*e0) "displacements"
  q = C*e
  der(q) = f
end

model class (BondPortN) IN "storage of effort: p = I*f, der(p) = e"
  parameter I(n, n)
  parameter f0(n) = zeros(n) "flows at the start"
  local p(n)(start=I*f0) "momenta"
  p = I*f
  der(p) = e
end

model class MTFN "transformer of n1 flows to n2 by a matrix m that is set from outside: f2 = -m*f1, e1 = m'*e2"
  parameter (Integer) n1 = 1, n2 = 1 "number of efforts at A and at B"
  cut A (e1(n1) / f1(n1)), B (e2(n2) / f2(n2))
  main cut W [A, B]
  main path S <A - B>
  terminal m(n2, n1)
  f2 = -m*f1
  e1 = m'*e2
end

model class Junction0N "a point where efforts are equal and flows sum to zero, of vector bonds"
  parameter (Integer) n = 1 "number of efforts"
  cut A (e(n) / f1(n)), B (e / f2(n)), C (e / f3(n))
  main cut W [A, B, C]
  main path S <A - B>
  f1 + f2 + f3 = 0
end

model class Junction1N
    "all vector bonds have one flow, in at A and out at B and C; the efforts at A are the sum of the others"
  parameter (Integer) n = 1 "number of flows"
  cut A (e1(n) / f(n)), B (e2(n) / -f), C (e3(n) / -f)
  main cut W [A, B, C]
  main path S <A - B>
  e1 = e2 + e3
end
