model Constants
  local x, e(2)
  x = Pi + PI*time + pi(2)
  e = [1, 2]*pie
end
