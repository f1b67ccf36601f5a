model class Drive
  parameter ratio, Rv0 = 1, Rv1 = 2
  local x
  x = ratio*Rv0*Rv1
end

model M "Rv1 is given, so that Rv0 is meant"
  submodel (Drive) d(ratio=2, Rvo=3, Rv1=4)
end
