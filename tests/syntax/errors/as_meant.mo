/* A comment of another language, over several lines,
   is one mistake: it's read as a comment.
*/
model class C /* short */
  parameter a = 1 // one
  local x (unit="m" start=1), y, v(3)
  local p q
  parameter b = 1 c = 2
  cut A (Va Vb / i)
  node n1 n2
  x = max(a b)
  y = v[end] + v[end - 1]
  v(end) = 2
  For k = 1..2 do   // two
    v(k) = k        // three
  Endfor
End

Model M
  submodel (C) c(a=1 b=2) d
  /* not closed
  When x > 1 then
  endwhen
END

model Last
  local End
  End = 1
End Last
