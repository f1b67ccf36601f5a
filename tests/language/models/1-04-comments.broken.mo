model Comments
  local x
  x = 2 // of C
  y = 3
  { never closed
end
