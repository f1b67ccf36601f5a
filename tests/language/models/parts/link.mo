@chain

model class Link
  parameter k
  local x
  x = k*time
end
