@some-file
@3d
@"abc" def
@
model M
end
