{ Read by the models of the rows on includes; the two files include each other. }
@link

model class Chain
  submodel (Link) first(k=1)
end
