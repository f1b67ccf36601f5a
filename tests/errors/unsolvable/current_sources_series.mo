@electrical

model CurrentSourcesSeries
  submodel (IConst) I1(I = 1)
  submodel (IStep) I2(I = 2)
  submodel (Resistor) R(R = 100)
  submodel (Ground) g
  connect I1 to I2 to R to I1, g at I1:B
end
