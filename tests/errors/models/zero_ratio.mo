model class Gear
  parameter ratio
  assert ratio <> 0, "the ratio of a gear must not be zero"
  local a, b
  a = sin(time)
  b = a/ratio
end

model class Drive
  parameter ratio
  submodel (Gear) gear(ratio=ratio)
end

model class Divider
  parameter share
  local x
  x = 1/share
end

model class Branch
  parameter m = 1
  submodel (Divider) part(share=m)
end

model M "the numbers stand two steps above what divides by them"
  constant none = 0
  submodel (Drive) drive(ratio=0)
  submodel (Branch) branch(m=none)
end
