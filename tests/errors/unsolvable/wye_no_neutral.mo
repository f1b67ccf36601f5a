@electrical

model WyeNoNeutral
  submodel (ISource) I1, I2, I3
  submodel (Resistor) R1(R = 1), R2(R = 1), R3(R = 1)
  submodel (Ground) g
  node s
  connect I1 at (g:A, R1:A), I2 at (g:A, R2:A), I3 at (g:A, R3:A)
  connect R1:B at s, R2:B at s, R3:B at s
  I1.i = sin(time)
  I2.i = sin(time + 2)
  I3.i = sin(time + 4)
end
