model Cart
  local v (start=4)
  der((if time < 1 then 1 else 2)*v) = 0
end
