model Changes
  local x (start=0), n (start=0)
  der(x) = 1
  when change(x) then
    new(n) = n + 1
  endwhen
end
