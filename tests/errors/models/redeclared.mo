model class One
  parameter k = 1
  local x
  main cut A (V / i)
  main path P <A - A>
  node n
  V = 0
  x = k
end

model class Two
  parameter k = 2
  main cut B (V / j)
  node P
  V = 1
end

model class (One, Two) Both
end

model class (One) Sub
  local V, x
  cut n (W / j)
  main path Q <A - n>
  node Q
  parameter k = 3, k = 4
  W = 0
end

model M
  submodel (Both) b
  submodel (Sub) s
end
