{ Bridges of six ideal diodes behind inductors. Their branches depend on each other. }

@electrical

model class Bridge "six diodes: at (positive, negative, three phases)"
  parameter Ron (unit="Ohm") = 1e-5, Goff (unit="S") = 1e-5, Vknee (unit="V") = 0
  submodel (IdealDiode) up(3)(Ron=Ron, Goff=Goff, Vknee=Vknee),
                        down(3)(Ron=Ron, Goff=Goff, Vknee=Vknee)
  cut (Pin) p, n, a, b, c
  main cut W [p, n, a, b, c]
  connect up(1) at (a, p), up(2) at (b, p), up(3) at (c, p), down(1) at (n, a), down(2) at (n, b),
          down(3) at (n, c)
end

model Rectifier "400 V, loaded with 500 A"
  constant pi = 3.14159265358979323846
  parameter VAC (unit="V") = 400 "line to line, root mean square"
  parameter f (unit="Hz") = 50, LAC (unit="H") = 60e-6, CDC (unit="F") = 15e-3, IDC (unit="A") = 500
  submodel (VSine) V1(V=VAC*sqrt(2/3), f=f), V2(V=VAC*sqrt(2/3), f=f, phi=-2*pi/3),
                   V3(V=VAC*sqrt(2/3), f=f, phi=-4*pi/3)
  submodel (Inductor) L1(L=LAC), L2(L=LAC), L3(L=LAC)
  submodel (Bridge) bridge(Ron=1e-3, Goff=1e-3, Vknee=2)
  submodel (Capacitor) C1(C=2*CDC, u0=VAC*sqrt(2)/2), C2(C=2*CDC, u0=VAC*sqrt(2)/2)
  submodel (IConst) load(I=IDC)
  submodel (Ground) g
  node star, a, b, c, p, n, mid
  connect V1 at (a, star), V2 at (b, star), V3 at (c, star),
          a to L1 to bridge:a, b to L2 to bridge:b, c to L3 to bridge:c,
          bridge:p at p, bridge:n at n, C1 at (p, mid), C2 at (mid, n), load at (p, n), g at mid
end

model PolyphaseRectifier "100 V, loaded with a resistor, in its steady state from the start on"
  constant pi = 3.14159265358979323846
  parameter V (unit="V") = 100 "root mean square"
  parameter f (unit="Hz") = 50, L (unit="H") = 1e-4, C (unit="F") = 5e-3, RL (unit="Ohm") = 2
  parameter VDC (unit="V") = sqrt(2)*V*2*sin(pi/3)*3/pi, IDC (unit="A") = VDC/RL
  submodel (VSine) V1(V=V*sqrt(2), f=f), V2(V=V*sqrt(2), f=f, phi=-2*pi/3),
                   V3(V=V*sqrt(2), f=f, phi=-4*pi/3)
  submodel (Inductor) L1(L=L), L2(L=L, i0=-IDC), L3(L=L, i0=IDC)
  submodel (Bridge) bridge
  submodel (Capacitor) C1(C=2*C, u0=VDC/2), C2(C=2*C, u0=VDC/2)
  submodel (Resistor) load(R=RL)
  submodel (Ground) g
  node star, a, b, c, p, n, mid
  connect V1 at (a, star), V2 at (b, star), V3 at (c, star),
          a to L1 to bridge:a, b to L2 to bridge:b, c to L3 to bridge:c,
          bridge:p at p, bridge:n at n, C1 at (p, mid), C2 at (mid, n), load at (p, n), g at mid
end
