/* script_policy.h: the policy of a page with a script: that script runs, and nothing else. */
#ifndef GPUGRADE_REPORT_SCRIPT_POLICY_H
#define GPUGRADE_REPORT_SCRIPT_POLICY_H

#include "base/text.h"

/* Appends the meta element: style sheets in the page are allowed, and the one script, by its hash;
 * nothing is loaded. */
void script_policy(const char *script, struct text *out);

#endif
