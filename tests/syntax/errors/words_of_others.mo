type Kind = {A, B}

model M extends B
  local x
end

model N
  x = {1, 2, 3}
  parameter z(3) = {1, 2}, w = 1
  parameter A(2, 2) = {{1, 2}, {3, 4}}
  z = x .* y
  z = x .+ y
  z = x .- y
  z = x ./ y
  z = x .^ y
  y += x
  reinit(x, 1)
  submodel (R) r(each R=1)
  outer x
  final parameter q
  parameter y(final unit="m") = 3
  y = x(1:2)
  z = x(a:2)
  y = [1 2 3]
  y = sum(x(i) for i in 1..3)
  connect V.A to R.A
  when initial() then
    x = 1
  endwhen
  y = x(end)
end

model Lines
  connect V:A to R to V:B
  R2 at (R:A, R:B)
  R2:B to R2:C
  x = 2
    + 3
  x = y
    * 3
  parameter R = 5 (unit="Ohm")
  parameter R = a (unit="Ohm")
  local x start=1
  parameter x = 1 unit="m"
  replaceable model X
end

model Start
  initial equation
    x = 1
end

class C
  x = 1
end

cut Flange (s / f)
