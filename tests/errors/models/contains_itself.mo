model class A
  submodel (B) b
end

model class B
  submodel (A) a
end

model M
  submodel (A) a
end
