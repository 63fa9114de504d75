/* emit_github.h: annotations on the student's lines, as workflow commands of GitHub Actions.
 *
 *     ::error file=hw3/a.cu,line=31,endLine=31,col=13,endColumn=21,title=R01 race::shared ...
 *     ::notice title=gpugrade%3A 62 of 85 points::...
 *
 * One command for each diagnostic, the most important first, then one for each remark (a warning,
 * since it costs nothing), and last the score. GitHub shows ten of each kind for a step: no more
 * are written, and the last one says how many that leaves. It is the only notice, so it is shown.
 */
#ifndef GPUGRADE_REPORT_PLATFORM_EMIT_GITHUB_H
#define GPUGRADE_REPORT_PLATFORM_EMIT_GITHUB_H

#include "report/platform/emit.h"

emit_function emit_github;

#endif
