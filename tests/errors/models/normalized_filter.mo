@electrical
model M
  parameter w (unit="rad/s") = 100
  submodel (Capacitor) C(C=1.4142/w)
  submodel (Inductor) L(L=1.4142/w)
  submodel (Ground) g
  connect L to C to L, g to L
end
