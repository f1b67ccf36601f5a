model class 'Low pass' (class 'K-1' = Gain)
  parameter 'T 1' = 2, 'to' = 1
  terminal 'in+', 'out.1'
  submodel ('K-1') 'k(1)'
  'k(1)'.u = 'in+'*'to'
  'T 1'*der('out.1') + 'out.1' = 'k(1)'.y
end
model class Gain
  terminal u, y
  y = 3*u
end
model 'test: 1'
  parameter 'A/B'(2,2) = [1, 2; 3, 4]
  local 'time', x(2), y(2)
  submodel ('Low pass') 'f.1'('T 1' = 4), 'f'
  'time' = 'f.1'.'out.1'
  x = 'A/B''*[1, 2]
  y = 'A/B' '*x
  'f.1'.'in+' = time
  f.'in+' = 1
end
