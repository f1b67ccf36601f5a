@bondgraph
model class Inner
 submodel (Junction1) j
 submodel (I) m(I=1)
 cut A, B
 main path P <A - B>
 connect A at j:A, B at j:B, m to j:C
end
model class Outer
 submodel (Inner) i
 cut A, B
 main path P <A - B>
 connect A at i:A, B at i:B
end
model M
 submodel (SE) s(e0=1)
 submodel (Outer) o
 submodel (R) r(R=1), r2(R=1)
 node n
 connect s at o:A, r at n, r2 at n, o:B at n
end
