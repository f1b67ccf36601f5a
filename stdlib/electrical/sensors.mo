{ Ideal sensors: they consume no power. }

@electrical

model class PotentialSensor "potential: V"
  main cut (Pin) A (V / i)
  i = 0
end

model class (TwoPin) VoltageSensor "voltage from A to B: u"
  i = 0
end

model class (TwoPin) CurrentSensor "current from A to B: i"
  u = 0
end

model class PowerSensor "power that flows from left to right: P; at (in, out, reference)"
  cut (Pin) A (Va / i), B (Va / -i), N (Vn / in)
  main cut W [A, B, N]
  main path S <A - B>
  output P (unit="W")
  in = 0
  P = (Va - Vn)*i
end
