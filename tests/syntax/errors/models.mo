x = 3
y = 4
end
mdel class Q
  x = 1
end
model class A
  x = 1
  @late.mo
model class (A B) C
  x = )
end
model class D (A)
end D
model type
end
end
model E parameter R
end
model F
  x = 1
