# embed_header.cmake: writes a file as the C text that a header declares.
#   cmake -DFILE=wb.h -DHEADER=model/harness_headers.h -DNAME=wb_text -DOUT=wb_text.c
#         -P embed_header.cmake
file(READ ${FILE} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
       bytes "${bytes}")
file(WRITE ${OUT}.new "#include \"${HEADER}\"\n\nconst char ${NAME}[] = {\n${bytes}0};\n")
file(RENAME ${OUT}.new ${OUT})
