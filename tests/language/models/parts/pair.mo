@rotational

model class Walls "two of the library"
  submodel (Fixed) one, other
end
