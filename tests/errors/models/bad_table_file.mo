model M
  local a, b, c, d
  a = interp1(time, table("pump.csv"))
  b = interp1(time, table("../models/pump.csv"))
  c = interp1(time, table("pumps.csv"))
  d = interp1(time, table("no_numbers.csv"))
end
