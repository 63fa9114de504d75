# comparable.jq: a score without what varies between machines and between versions of clang, which estimate
# other registers; and without the option that chose the compiler.
del(.machine, .seconds) | del(.criteria[].measured) |
walk(if type == "string" then sub(" --compiler [a-z]+"; "")
    elif type == "object" then with_entries(select(.key | test("registers_(least|most)$") | not))
    else . end)
