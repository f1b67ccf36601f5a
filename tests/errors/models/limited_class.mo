cut class Pin (V / i)

model class TwoPin
  parameter R = 1
  main cut (Pin) A (Va / i)
end

model class Open
  local R
  cut A (Va / i)
  i = 0
  R = Va
end

model class Load (class (TwoPin, Missing) Part = Open)
  submodel (Part) p
end

model Loads
  submodel (Load) a
end
