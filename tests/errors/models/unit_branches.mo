model M
  parameter U (unit="V") = 1, I (unit="A") = 1
  local u (unit="V")
  u = if time < 1 then U elseif time < 2 then I else 0
end
