"""Models that the workbench opens in its tests."""

# Names and texts of a model are untrusted.
EVIL = """{ <script>window.wrong = 1</script> }

model class Part "<script>window.wrong = 1</script><img src=x onerror='window.wrong = 1'>"
  parameter p (unit="<img src=x onerror='window.wrong=1'>") = 2 "</style><script>window.wrong = 1</script>"
  local x (start=1, unit="</title><script>") "<svg onload='window.wrong = 1'>"
  der(x) = -p*x
end

model Evil "<b onmouseover='window.wrong = 1'>"
  submodel (Part) a, b(p=3)
end
"""
PART = "model class Part\n  parameter k = 2\n  local x (start=1)\n  der(x) = -k*x\nend\n"
WHOLE = "@part\nmodel Whole\n  submodel (Part) p\nend\n"
FAST = "model Fast\n  local x (start=1), v (start=0)\n  der(x) = v\n  der(v) = -1e12*x\nend\n"
SWING = """@mbssim

model Swing "two links under their weight"
  parameter mL (unit="kg") = 15
  submodel (Inertial) world(ng3=-1)
  submodel (Revolute) r1(n2=1), r2(n2=1)
  submodel (Bar) b1(r1=0.5), b2(r1=0.4)
  submodel (Body) m1(m=2, r1=0.25, I22=0.05), m2(m=mL, r1=0.4, I22=0.05)
  connect world to r1 to b1 to r2 to b2, m1 at r1:b, m2 at r2:b
end
"""
WITHOUT_UNIT = EVIL.replace(" (unit=\"<img src=x onerror='window.wrong=1'>\")", "").replace(
    ', unit="</title><script>"', ""
)
