model class Base
  experiment (stop=3, points=11)
  local x (start=1)
  der(x) = -x
end

model class Other
  experiment (stop=4)
end

model class Late
  experiment (stop=2, start=3)
end

model class Twice
  experiment (points=2, interval=0.1)
end

model (Base, Other) A
  parameter tau = 3
  constant m (unit="m") = 3, v(2) = [1, 2]
  submodel (Base) b
  experiment (stpo=3, rtol=-1, method="dorpi5", start=2*tau, atol=v, interval=2*m, max_step=q,
              max_steps=2.5, rtol=2, foo="bar")
  experiment (max_step=b.x, atol="small")
end
