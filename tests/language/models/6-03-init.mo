model class Mass
  local x (start=1), v(2)
  der(x) = v(1)
  der(v) = [-x, 0]
  when x < 0 then
    init(v(1)) = -0.5*v(1)
    init(x) = 0
  endwhen
  when time > 3 then
    init(v) = [0, 1]
  endwhen
end
model Restarts
  submodel (Mass) a(2)
end
