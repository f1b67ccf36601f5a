model class Pair
  cut A (V / i), B (W / j)
  main cut C [A, D]
  i = V
  j = 2*W
end
model class Endless
  cut X [Y]
  cut Y [X]
end
model Hierarchies
  submodel (Pair) p
  submodel (Endless) e
  connect e:X at e:Y
end
