@electrical

model class Filter
  cut in (Vi / ii), out (Vo / io), gnd (Vg / ig), extra (Ve / ie)
  submodel (Resistor) R(R = 10)
  submodel (Capacitor) C(C = 1e-3)
  submodel (VConst) bias(V = 1)
  connect R at (in, out), C at (out, gnd), bias at (out, gnd)
  Ve = 0
end

model NestedCircuit
  submodel (Filter) f1, f2
  submodel (VSine) V(V = 1, f = 50)
  submodel (Ground) g
  connect V at (f1:in, g:A), f1:out at f2:in, f1:gnd at g, f2:gnd at g, f1:extra at g
end
