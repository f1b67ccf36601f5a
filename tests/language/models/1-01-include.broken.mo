@"parts/chane"
@parts/chain
model Included
  local x
  x = 1
end
