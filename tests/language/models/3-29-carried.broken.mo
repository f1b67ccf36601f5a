cut class Fluid (p / m, carried h(optional))
model class Wrong
  cut a (p, carried h / m)
  cut b (p / carried h)
  cut c (p / m, q, carried h)
  cut d (p / m, -carried h)
  cut e (p / m, carred h)
end
