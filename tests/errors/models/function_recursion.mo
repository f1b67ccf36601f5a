function collatz(n) result steps
  if n < 2 then
    steps := 0
  else
    steps := 1 + collatz(n/2) + collatz(n/3)
  endif
end

function even(n) result y
  y := odd(n + 1)
end

function odd(n) result y
  y := even(n + 1)
end

model M
  local a, b
  a = collatz(time)
  b = even(1)
end
