model class Counter
  parameter T = 0.5
  local n (start=0), m (start=0)
  when sample(0, T) then
    new(n) = n + 1
  elsewhen sample(T/2, T) then
    new(m) = n
  endwhen
end
model Sample
  submodel (Counter) a, b(T = 2)
end
