@electrical

model Circuit
  submodel (ISource) J(i = 1), K(I = 10), L(x = 1)
  submodel (CurrentSource) M
  submodel (resistor) R(R = 1)
  submodel (Ground) g
  connect g to J to R to g
end
