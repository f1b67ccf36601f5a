model Statements
  local a, b
  a = 1
    + 2
  b = 3 a = 4
end
