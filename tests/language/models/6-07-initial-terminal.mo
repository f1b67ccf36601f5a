model Ends
  local x (start=1), n (start=0), last (start=-1)
  der(x) = -x
  when initial() then
    new(n) = 7
    init(x) = 2
  elsewhen time > 0.5 then
    new(n) = n + 1
  endwhen
  when terminal() or sample(2, 1) then
    new(last) = x
    assert x < 1.7, "the run is too short"
  endwhen
end
