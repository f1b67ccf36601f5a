model Restarts
  local x, y, n
  der(x) = -x
  y = 2*x
  when x < 0.5 then
    init(y) = 1
    init(2*x) = 1
    new(n) = 1
    init(n) = 2
  endwhen
end
