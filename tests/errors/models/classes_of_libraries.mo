model M
  submodel (Revolute) j1(n2=1)
  submodel (Resistor) R(R=1)
  submodel (Torque) T
  submodel (SpiceNPN) q
end
