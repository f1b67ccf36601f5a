model class Wire
  main cut A (V / i)
  V = 0
end

model class Shaft
  main cut f (q, qd / tau)
  q = 0
end

model class Frame
  main cut f (r(3) / i)
  r = 0
end

model M
  submodel (Wire) w, v
  submodel (Shaft) s
  submodel (Frame) f
  connect w to s, v to f
end
