# embed_pages.cmake: writes the pages of a folder as the C table that page_texts.h declares.
#   cmake -DPAGES=folder -DOUT=table.c -P embed_pages.cmake
file(GLOB pages ${PAGES}/*.md)
list(SORT pages)
set(arrays "")
set(rows "")
foreach(page IN LISTS pages)
    get_filename_component(id ${page} NAME_WE)
    file(READ ${page} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
           bytes "${bytes}")
    string(APPEND arrays "static const char page_${id}[] = {\n${bytes}0};\n")
    string(APPEND rows "    {\"${id}\", page_${id}},\n")
endforeach()
file(WRITE ${OUT}.new "#include \"explain/page_texts.h\"\n\n${arrays}\n"
     "const struct page_text page_texts[] = {\n${rows}    {0, 0},\n};\n")
file(RENAME ${OUT}.new ${OUT})
