model class Counter "counts instants at which something becomes true, in two digits of base n"
  parameter n = 3
  input count
  output digits(2) (start=0)
  when count then
    if digits(1) == n - 1 then
      new(digits) = [0; digits(2) + 1]
    else
      new(digits(1)) = digits(1) + 1
    endif
    terminate digits(2) > 4, "enough is counted"
  endwhen
end

model Counting
  submodel (Counter) c(n = 4)
  local wave
  wave = sin(time)
  c.count = wave > 0.5
  local digit
  digit = c.digits(1)
end
