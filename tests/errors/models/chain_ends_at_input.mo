@rotational
model Top
  submodel (ConstSpeed) a(w0=1)
  submodel (Spring) e(c=3)
  submodel (Torque) b
  connect a to e to b
  b.tau = 3
end
