# embed_compatibility.cmake: writes a header as the C text that compatibility_text.h declares.
#   cmake -DHEADER=compatibility.cuh -DOUT=compatibility_text.c -P embed_compatibility.cmake
file(READ ${HEADER} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
       bytes "${bytes}")
file(WRITE ${OUT}.new "#include \"toolchain/compatibility_text.h\"\n\n"
     "const char compatibility_text[] = {\n${bytes}0};\n")
file(RENAME ${OUT}.new ${OUT})
