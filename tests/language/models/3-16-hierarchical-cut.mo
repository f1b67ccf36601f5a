model class Pair
  cut A (V / i), B (W / j)
  main cut C [A, B]
  cut turned [B, A]
  i = V
  j = 2*W
end
model class Case
  submodel (Pair) p
  cut E (U / k)
  main cut D [p:C, E]
  k = U
end
model Hierarchies
  submodel (Case) c, d
  submodel (Pair) p, q
  connect c to d, p:C at q:turned
end
