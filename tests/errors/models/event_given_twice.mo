model class Counter
  output n (start=0)
  new(n) = if time > 1 then 1 else 0
  new(n) = 2
end

model M
  submodel (Counter) c
  local x, v, on (start=false), k (start=0)
  der(x) = v
  der(v) = -x
  when x > 1 then
    new(on) = true
    init(v) = 0
    init(v) = 1
    for j = 1..2 do
      new(k) = j
    endfor
  elsewhen x > 2 then
    new(on) = false
    if v > 0 then
      init(v) = 0
    elseif v > 1 then
      init(v) = 2
    endif
  endwhen
  when x < -1 then
    new(on) = true
  endwhen
end
