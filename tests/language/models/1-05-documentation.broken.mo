model Documented
  "in front" local x
  local y "two" "texts"
  x = 1
  y = "a text"
end
