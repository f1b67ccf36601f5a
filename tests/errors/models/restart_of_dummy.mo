model Gear
  local a(state=prefer, start=1), b, f, n(start=0)
  der(a) = f
  der(b) = 1 - f
  a = 2*b
  when time > 0.5 then
    init(b) = 5
    new(n) = 1
  endwhen
end
