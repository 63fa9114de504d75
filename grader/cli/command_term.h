/* command_term.h: `gpugrade term`: puts the marks of several courseworks together.
 *
 *     FILE --term_file--> courseworks --store_class--> term_totals --report/class/--> DIR
 *
 *     DIR/index.html      the term
 *         term.csv        the same as a table
 *         N-NAME.html     the page on the class of the N-th coursework; NAME is that of its folder
 */
#ifndef GPUGRADE_CLI_COMMAND_TERM_H
#define GPUGRADE_CLI_COMMAND_TERM_H

#include "cli/options.h"

/* Runs the command; returns the exit status. Files of DIR that it writes are replaced; no store is
 * changed. */
int command_term(const struct options *options);

#endif
