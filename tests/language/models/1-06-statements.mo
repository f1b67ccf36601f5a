model Statements
  local a, b,
    c; local d(2), e
  a = 1 +
    2; b = a*
      (3
       + 4)
  c = sum([1, 2;
           3, 4])
  d = [a;
       b]
  e =
    d(1)
end
