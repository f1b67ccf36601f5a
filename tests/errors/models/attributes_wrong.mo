type Mode = (Free, Stuck, Slipping)
type Mass (unit="kg", min=0, nominal=10)

model class Body
  parameter (Mass) m = 1
  parameter (Mode) mode (max=Mode.Stuck) = Mode.Slipping
  parameter n (start=1, min=3, max=2) = 2.5
  parameter low = -5
  terminal x (start=low, min=-4), y(2)(start=[0, 7], max=[1, 2], nominal=0)
  terminal (Boolean) b (unit="m", min=0)
  der(x) = 1
  y = [x, 1]
  b = x > 1
end

model M
  constant k (max=1) = 2
  input r (start=1)
  submodel (Body) light(m = -2)
  local z (min=time, max=[1, 2])
  z = 3
end
