{ A difference amplifier of two bipolar transistors, which is switched on within a nanosecond and driven by a damped sine of 200 MHz. }

@electrical

model class Transistor "a transistor with resistances at base and collector, and a capacitance from the base to ground; at (collector, base, emitter)"
  cut (Pin) C, B, E
  main cut W [C, B, E]
  submodel (NPN) Tr
  submodel (Resistor) rtb(R=0.05), rtc(R=0.1)
  submodel (Capacitor) ct(C=1e-10)
  submodel (Ground) g
  connect C to rtc to Tr:C, B to rtb to Tr:B, E at Tr:E, Tr:B to ct to g
end

model DifferenceAmplifier
  submodel (VExpSine) V1(V=0.2, f=0.2e9, d=1e7)
  submodel (VRamp) V2(V=15, T=1e-9)
  submodel (IRamp) I1(I=0.16, T=1e-9)
  submodel (Resistor) R1(R=0.0001), R2(R=100), R3(R=0.0001), R4(R=100)
  submodel (Capacitor) C1(C=1e-10), C2(C=1e-10), C3(C=1e-10), C4(C=1e-10), C5(C=1e-10)
  submodel (Transistor) Transistor1, Transistor2
  submodel (Ground) g
  node n0, b1, b2, c1, c2, e, in, supply
  connect g at n0, V1 at (in, n0), V2 at (supply, n0), I1 at (e, n0),
          R1 at (in, b1), C1 at (b1, n0), R3 at (b2, n0), C3 at (b2, n0),
          R2 at (supply, c1), C2 at (c1, n0), R4 at (supply, c2), C4 at (n0, c2), C5 at (e, n0),
          Transistor1 at (c1, b1, e), Transistor2 at (c2, b2, e)
end
