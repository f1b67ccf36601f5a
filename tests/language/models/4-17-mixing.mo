model class Tank
  cut a (p / m, carried h)
  terminal M (start=2), U (start=6)
  p = M
  h = U/M
  der(M) = m
  der(U) = carried(h)
end

model Mixing
  submodel (Tank) t(3)
  submodel (Tank) alone
  node n
  connect t(:):a at n
end
