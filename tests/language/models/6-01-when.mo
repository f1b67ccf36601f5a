model class Ball
  parameter e = 0.8, floor_at = 0
  terminal h (start=1), v, n (start=0), w(2)(start=[0, 1])
  der(h) = v
  der(v) = -9.81
  when h < floor_at and v < 0 then
    new(n) = n + 1
    init(v) = -e*v
  elsewhen time > 2 then
    for k = 1..2 do
      new(w(k)) = k*new(n)
    endfor
    if v > 0 then
      new(n) = 0
    else
      new(n) = n - 1
    endif
  endwhen
end
model Balls
  submodel (Ball) a, b(floor_at = 0.5)
end
