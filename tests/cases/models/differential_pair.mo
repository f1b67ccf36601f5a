{ A pair of transistors with the equations of SPICE, which is switched on within two nanoseconds and driven by a slow sine. }

@electrical
@"electrical/spice"

model DifferentialPair
  submodel (VRamp) VCC(V=12, T=2e-9), VEE(V=-12, T=2e-9)
  submodel (VSine) VIN(V=0.01, f=5)
  submodel (Resistor) RS1(R=1000), RS2(R=1000), RC1(R=10000), RC2(R=10000), RE(R=10000)
  submodel (SpiceNPN) Q1(BF=50, IVAF=1/50, IS=1e-12, RB=100, CJC=5e-9, TF=6e-10),
                      Q2(BF=50, IVAF=1/50, IS=1e-12, RB=100, CJC=5e-9, TF=6e-10)
  submodel (Ground) g
  node n0, n1, n2, n3, n4, n5, n6, n7, n8
  connect g at n0, VCC at (n7, n0), VEE at (n8, n0), VIN at (n1, n0), RS1 at (n1, n2),
          RS2 at (n6, n0),
          Q1 at (n3, n2, n4), Q2 at (n5, n6, n4), RC1 at (n7, n3), RC2 at (n7, n5), RE at (n4, n8)
end
