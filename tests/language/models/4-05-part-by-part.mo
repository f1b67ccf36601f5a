model class Twin
  cut A (V / i), B (W / j), D (U / k)
  cut E [A, B]
  main cut C [E, D]
  i = V
  j = W - 1
  k = U - V
end
model class Plug
  submodel (Twin) t
  cut F [t:A, t:B]
  cut G (U / k)
  main cut C [F, G]
  k = U
end
model PartByPart
  submodel (Twin) a, b
  submodel (Plug) p
  connect a to b, p at a
end
