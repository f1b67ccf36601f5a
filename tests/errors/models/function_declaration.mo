function wrong(x(:)(start=0), (Text) t, A(2,2,2)) result z(:)
  parameter p = 3
  local s, k (start=1)
  constant c
  z := x
end

function missing(x) result y
  local z = x
end

external function two(x) result y "python:os.path.../x"

model M
  local a
  a = 1
end
