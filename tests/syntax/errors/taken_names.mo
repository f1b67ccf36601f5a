model TimeDeclared
  parameter time = 3
  local true
end
