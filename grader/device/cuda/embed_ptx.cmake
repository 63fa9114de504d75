# embed_ptx.cmake: writes PTX text as a C array, with a NUL behind it.
#   cmake -DTEXT=kernels.ptx -DNAME=array -DOUT=array.c -P embed_ptx.cmake
# The version of PTX is set to 7.0, which these kernels do not go beyond: a driver that is older
# than the toolkit takes them too.
file(READ ${TEXT} text)
string(REGEX REPLACE "\n\\.version [0-9]+\\.[0-9]+" "\n.version 7.0" text "${text}")
file(WRITE ${OUT}.text "${text}")
file(READ ${OUT}.text bytes HEX)
file(REMOVE ${OUT}.text)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes
       "${bytes}")
file(WRITE ${OUT} "extern const char ${NAME}[];\nconst char ${NAME}[] = {\n${bytes}0};\n")
