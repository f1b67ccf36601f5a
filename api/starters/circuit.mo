{ A capacitor that is charged through a resistor. Text in braces is a comment. }

{ Include a library: its classes are the parts of the model. `cutset classes electrical` lists them. }
@electrical

model NAME "charging of a capacitor"
  { The parts: (class) name(parameter = value). Values can be changed from outside: --set R.R=500. }
  submodel (VStep) V(V=10, t0=0.1)
  submodel (Resistor) R(R=1000)
  submodel (Capacitor) C(C=1e-4)
  submodel (Ground) g

  { A part of one's own, with an equation; its unit is checked. }
  local P (unit="W") "power that the source delivers"
  P = R.i*V.V

  { `to` joins parts in series, `at` names the nodes at which a part is connected. }
  node n0, n1
  connect V at (n1, n0), g at n0, n1 to R to C to n0
end
