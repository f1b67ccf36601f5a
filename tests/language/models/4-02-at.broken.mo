model class S
  cut A (Va / i), B (Vb / -i)
  main cut C [A, B]
  main path P <A - B>
  Va - Vb = 10
end
model class E
  main cut A (V / i)
  V = 0
end
model At
  submodel (S) s
  submodel (E) e
  node n
  connect s at n, e at m, e at e
end
