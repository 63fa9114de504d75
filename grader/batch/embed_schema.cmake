# embed_schema.cmake: writes the schema as the C string that store_schema.h declares.
#   cmake -DSCHEMA=store_schema.sql -DOUT=store_schema.c -P embed_schema.cmake
file(READ ${SCHEMA} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
       bytes "${bytes}")
file(WRITE ${OUT}.new "#include \"batch/store_schema.h\"\n\n"
     "const char store_schema[] = {\n${bytes}0};\n")
file(RENAME ${OUT}.new ${OUT})
