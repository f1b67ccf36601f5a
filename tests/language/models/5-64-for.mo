model class Mass
  main cut A (x / f)
  parameter m = 1
  terminal s
  m*x = f + s
end
model Loops
  parameter n = 3
  submodel (Mass) a(n)(m = [1, 2, 3])
  local x(n), T(2,n)
  for k = 1..n do
    a(k).s = k*time
    if k > 1 then
      x(k) = x(k - 1) + a(k).m
      connect a(k) at a(k - 1)
    else
      x(k) = 0
    endif
    for j = 1..2 do
      T(j,k) = j + 10*k
    endfor
  endfor
  for k = 2..1 do
    x(k) = 5
  endfor
end
