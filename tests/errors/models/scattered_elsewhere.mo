function noise(k) result y
  y := random_uniform(1, 0, k)
end

model M
  parameter a = random_normal(1, 0, 5), b = random_normal(a, 0, 7)
  local x (start=a), y, z, w (start=b)
  der(x) = random_normal(1, 0, 1000*time) - x
  y = noise(time)
  z = 1
  when random_uniform(1, 0, x) > 0.5 then
    new(w) = random_uniform(1, 0, x)
  endwhen
end
