model class Part "a part"
  parameter k (unit="m") = 2 "a length"
  main cut A (V(unit="m") / i) "a cut"
  V = k
end
model class Load
  main cut A (V / i)
  i = V
end
model Documented "all of it"
  submodel (Part) p(k=3) "a submodel", q
  submodel (Load) load
  local x (unit="m") "an unknown"
  connect p at n, load at n
  node n
  x = q.V
end
