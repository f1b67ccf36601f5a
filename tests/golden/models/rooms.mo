{ An included file under a prefix, class parameters, internal and external, defaults of terminals. }
@"parts.inc" as parts

model class Stove
  parameter P = 100
  terminal Q
  Q = P*exp(-time)
end

model class House (class Source = parts.Heater)
  internal T_out (start=5), c = 4
  submodel (parts.Room) kitchen(Source=Source), cellar(T_floor=8, Source=Stove)
  der(T_out) = -0.1*T_out
end

model Street
  submodel (House) a, b(c=2, Source=Stove)
  b.kitchen.T_floor = 2*time
end
