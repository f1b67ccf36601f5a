model M
  x = 3  { this is never closed
  y = )
end
