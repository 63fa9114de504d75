/* emit_junit.h: a score as JUnit test results, which Jenkins, GitLab and many others show.
 *
 *     <testsuites tests= failures= errors= ...>
 *       <testsuite name="vectors" tests= failures= errors= skipped= time=>
 *         <testcase name="race-free.tiled" classname="gpugrade.vectors" time="0">
 *           <failure type="race" message="0 of 10 points: ...">the diagnostic</failure>
 *           <system-out>0 of 10 points</system-out>
 *
 * As junit-10.xsd of Jenkins' xUnit plugin has it. A case is a criterion by its id, which stays the
 * same when titles change. partial is a failure, as JUnit knows no parts; skipped is skipped; error
 * is an error: the fault of the grader or the machine. A score has seconds for its stages, not for
 * a criterion, so the time of a case is 0 and the suite has all of it. What belongs to no
 * criterion, and remarks, stand in the suite's system-out.
 */
#ifndef GPUGRADE_REPORT_PLATFORM_EMIT_JUNIT_H
#define GPUGRADE_REPORT_PLATFORM_EMIT_JUNIT_H

#include "report/platform/emit.h"

emit_function emit_junit;

#endif
