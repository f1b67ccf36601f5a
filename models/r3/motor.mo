{ The motor of an axis, with the circuit that controls its current: three ideal operational amplifiers. }

@electrical
@multibody

model class R3motor "direct-current motor with current control; the rotor turns at the cut shaft"
  parameter k (unit="V.s/rad") "motor constant"
  parameter J "moment of inertia of the rotor, kg.m2"
  parameter w (unit="rad/s"), D (unit="1") "frequency and damping of the current control"
  constant S (unit="S") = 0.004, Ohm (unit="Ohm") = 250, V_per_A (unit="V/A") = 1
  submodel (VSource) Vs
  submodel (Resistor) Rd1(R=100), Rd2(R=100), Rd3(R=100), Rd4(R=100), Ri(R=10), Rp1(R=200),
                      Rp2(R=50), Ra(R=250)
  submodel (FreeCapacitor) C(C=S*D/w)
  submodel (FreeInductor) La(L=Ohm/(2*D*w))
  submodel (Emf) emf(k=k)
  submodel (Hall) hall "measures the current"
  submodel (OpAmpIdeal) diff, I, power
  submodel (mbs.Rotor) rotor(J=J)
  submodel (Ground) g
  terminal i_ref (unit="A") "reference current"
  cut shaft
  node n0, n1, n2, n3, n4, n5, n6, n7, n8, n9
  connect Vs at (n1, n0), Rd2 at (n1, n2), Rd1 at (n2, n3), Ri at (n3, n4), C at (n4, n5),
          Rp1 at (n6, n7), Rp2 at (n6, n0),
          Rd3 at (n8, n9), Rd4 at (n9, n0), diff at (n9, n2, n3), I at (n0, n4, n5),
          power at (n5, n6, n7),
          n7 to Ra to La to emf to hall to n0, hall:m at n8, g at n0, emf:mech at shaft,
          rotor at shaft
  Vs.u = V_per_A*i_ref
  initial
    der(C.u) = 0
    der(La.i) = 0
  endinitial
end

model class FreeCapacitor "a capacitor whose start value the enclosing model determines"
  cut (Pin) A (Va / i), B (Vb / -i)
  main cut W [A, B]
  main path P <A - B>
  parameter C (unit="F") "capacitance"
  terminal u (unit="V")
  u = Va - Vb
  C*der(u) = i
end

model class FreeInductor "an inductor whose start value the enclosing model determines"
  cut (Pin) A (Va / i), B (Vb / -i)
  main cut W [A, B]
  main path P <A - B>
  parameter L (unit="H") "inductance"
  L*der(i) = Va - Vb
end
