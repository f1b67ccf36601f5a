{ Each submodel of a class has its mistake; it is told of the first, with the names of the others. }
model class Level
  cut A (v / i)
  terminal x, y
  local z
  v = 3*i
  x = 3
  x = 4
  y = 2*z
end

model class Tank
  submodel (Level) low, high
  terminal h
  h = low.v + high.v
end

model class Gauge
  terminal p
end

model M
  submodel (Tank) t(5), t1, t2
  submodel (Gauge) g(3), other
end
