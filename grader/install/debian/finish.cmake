# finish.cmake: what Debian wants otherwise than other systems; CPack runs it on the folder that becomes
# the package: pages and changes are compressed, zsh looks for completions elsewhere.
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
set(doc ${share}/doc/gpugrade)
set(overrides ${share}/lintian/overrides)

file(MAKE_DIRECTORY ${share}/zsh/vendor-completions ${overrides})
file(RENAME ${share}/zsh/site-functions/_gpugrade ${share}/zsh/vendor-completions/_gpugrade)
file(REMOVE_RECURSE ${share}/zsh/site-functions)
configure_file(${CMAKE_CURRENT_LIST_DIR}/lintian ${overrides}/gpugrade COPYONLY)

# Every version's heading and its lines, as changelog(5) has them.
file(STRINGS ${doc}/CHANGELOG.md lines ENCODING UTF-8)
set(changes "")
set(date "")
foreach(line IN LISTS lines)
    if(line MATCHES "^## ([0-9.]+) - ([0-9-]+)$")
        set(version ${CMAKE_MATCH_1})
        set(next_day ${CMAKE_MATCH_2})
        if(date)
            string(APPEND changes "\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n\n")
        endif()
        execute_process(COMMAND date -u -R -d ${next_day} OUTPUT_VARIABLE date
                        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
        string(APPEND changes "gpugrade (${version}-1) unstable; urgency=medium\n\n")
    elseif(date AND line MATCHES "^- (.*)$")
        string(APPEND changes "  * ${CMAKE_MATCH_1}\n")
    elseif(date AND line MATCHES "^  ([^ ].*)$")
        string(APPEND changes "    ${CMAKE_MATCH_1}\n")
    endif()
endforeach()
string(APPEND changes "\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
file(WRITE ${doc}/changelog.Debian "${changes}")
file(RENAME ${doc}/CHANGELOG.md ${doc}/changelog)

file(GLOB compressed ${share}/man/man1/*.1 ${doc}/changelog ${doc}/changelog.Debian)
execute_process(COMMAND gzip -9 -n ${compressed} COMMAND_ERROR_IS_FATAL ANY)

# Files are for everybody to read, whatever the umask; programs keep their x.
execute_process(COMMAND chmod -R u=rwX,go=rX ${CPACK_TEMPORARY_INSTALL_DIRECTORY}
                COMMAND_ERROR_IS_FATAL ANY)
