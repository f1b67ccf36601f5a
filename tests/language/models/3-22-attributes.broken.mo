model Attributes
  parameter m (unit="kgs", min=0) = -2, p (start=1) = 2
  local x (sart=1), v (unit=3), q (unit="m", display="rad"), s (state=maybe), J(2,3)(symmetric), n (nominal=0)
  x = m + p
  v = s + q
  q = 1
  s = n
  J = 0
  n = 1
end
