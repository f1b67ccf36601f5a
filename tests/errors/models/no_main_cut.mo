model class Probe
  cut a (V), b (W)
end

model M
  submodel (Probe) p, q
  connect p to q
end
