cut class Pin (V / i)

model class TwoPin
  parameter R = 1
  terminal u
  main cut (Pin) A (Va / i)
end

model class Open
  local u
  main cut A (Va / i)
  i = 0
  u = Va
end

model class Load (class (TwoPin) Part)
  submodel (Part) p
end

model class (Load) Default (class Part = Open)
end

model Loads
  submodel (Load) a(Part=Open)
  submodel (Default) b
end
