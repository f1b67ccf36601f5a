model M
  w = $ + “q”
  z = é % d
  y = a − b }
  x = a b
  x = 1e999
  x = "abc
  y = 3
end
