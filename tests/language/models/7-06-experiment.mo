model class Base
  experiment (stop=3, points=11, rtol=1e-9)
end

model class Part
  local y (start=1)
  der(y) = -y
  experiment (stop=7)
end

model (Base) Decay
  constant T (unit="s") = 2
  submodel (Part) part
  experiment (stop=5*T, interval=T, method="dopri5")
end
