model M
  local T (unit="degC")
  T = 20
end
