{ Seven stars in a plane, of masses 1 to 7, drawn by each other. Hairer, Norsett, Wanner: Solving Ordinary Differential Equations I, II.10. }

model Pleiades
  constant n = 7
  local x(n)(start=[3, 3, -1, -3, 2, -2, 2]), y(n)(start=[3, -3, 2, 0, 0, -4, 4])
  local u(n)(start=[0, 0, 0, 0, 0, 1.75, -1.5]), v(n)(start=[0, 0, 0, -1.25, 1, 0, 0])
  local ax(n, n), ay(n, n) "what body i feels of body j"
  for i = 1..n do
    for j = 1..n do
      if i == j then
        ax(i, j) = 0
        ay(i, j) = 0
      else
        ax(i, j) = j*(x(j) - x(i))/((x(i) - x(j))^2 + (y(i) - y(j))^2)^1.5
        ay(i, j) = j*(y(j) - y(i))/((x(i) - x(j))^2 + (y(i) - y(j))^2)^1.5
      endif
    endfor
    der(u(i)) = sum(ax(i, :))
    der(v(i)) = sum(ay(i, :))
  endfor
  der(x) = u
  der(y) = v
end
