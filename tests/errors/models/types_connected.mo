# Cuts whose variables are of two types.
type Mode = (Free, Stuck)

model class Counter
  cut out (n)
  terminal (Integer) n
  n = 3
end

model class Brake
  cut in (mode / load)
  terminal (Mode) mode
  load = 1
end

model class Valve
  cut in (x)
end

model class Drive
  cut out (x / f)
  x = 1
end

model Connected
  submodel (Counter) c
  submodel (Valve) v
  submodel (Brake) b
  submodel (Drive) d
  connect c:out at v:in
  connect d:out at b:in
end
