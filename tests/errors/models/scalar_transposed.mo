model M
  local v
  parameter m = 3
  m*v' = 1
end
