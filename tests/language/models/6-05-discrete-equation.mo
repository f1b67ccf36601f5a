model class Diode
  terminal u, i
  local s, blocks (start=false)
  u = if blocks then s else 0
  i = if blocks then 0 else s
  new(blocks) = s < 0
end
model Rectifier
  submodel (Diode) d
  d.u + 10*d.i = sin(time)
end
