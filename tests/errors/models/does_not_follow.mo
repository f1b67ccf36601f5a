{ Variables with the attribute follows, stated wrongly in one element, in a branch, for a constant; stated rightly or not at all }
model class Curve
  parameter k = 2
  local s(follows=k*x^2), slope(2)(follows=[2*k*x, jacobian(s, x)]), sign_of(follows=if x > 0 then 1 else -1)
  terminal x
end
model class (Curve) Right
  s = k*x*x
  slope(1) = k*x + k*x
  slope(2) = slope(1)
end
model class (Curve) Wrong
  slope = [2*k*x, k*x]
  sign_of = if x > 0.5 then 1 else -1
end
model class (Curve) Constant
  local c(follows=3)
  c = 2
end
model M
  submodel (Curve) curve(x=time)
  submodel (Right) right(x=time, k=3)
  submodel (Wrong) wrong(x=time)
  submodel (Constant) other(x=2*time)
end
