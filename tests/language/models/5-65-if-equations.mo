type Kind = (Closed, Linear, Square)
model class Valve
  parameter (Kind) kind = Kind.Linear
  parameter k = 2
  terminal q, p
  if kind == Kind.Closed then
    q = 0
  elseif kind == Kind.Linear and k > 0 then
    q = k*p
  else
    q = p^2
    if k > 5 then
    endif
  endif
end
model Choices
  submodel (Valve) a(p = time), b(p = time, kind = Kind.Closed), c(p = time, kind = Kind.Square), d(p = time, k = -1)
end
