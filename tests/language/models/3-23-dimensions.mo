model class Lines
  parameter n = 3
  terminal x(n), T(2,n)
  local row(n), column(2), part(2), block(1,2), last
  row = T(2,:)
  column = T(:,1)
  part = x(n-1..n)
  block = T(2..2,1..2)
  last = x(n) + T(1,n)
end
model Dimensions
  submodel (Lines) l, short(n=2)
  l.x(1..2) = [1, time]
  l.x(3) = 3
  l.T(1,:) = l.x
  l.T(2,:) = 2*l.x
  short.x = [1, 2]
  short.T(:,2) = [3, 4]
  short.T(:,1) = 0
end
