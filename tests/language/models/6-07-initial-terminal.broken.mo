function f(x) result y
  y := if initial() then x else 0
end
model Ends
  local x (start=1), n (start=0)
  der(x) = if initial() then 0 else f(x)
  when x > 1 then
    new(n) = if terminal() then 1 else 2
  endwhen
end
