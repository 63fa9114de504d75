/* manual_page.h: manual pages, from the tables of the command line (man(7) macros). */
#ifndef GPUGRADE_INSTALL_MANUAL_PAGE_H
#define GPUGRADE_INSTALL_MANUAL_PAGE_H

#include "base/text.h"
#include "cli/options.h"

/* Appends gpugrade(1): commands, exit statuses, environment, files. `date` is YYYY-MM-DD. */
void manual_page(const char *version, const char *date, struct text *out);

/* Appends gpugrade-COMMAND(1). */
void manual_command_page(enum command command, const char *version, const char *date,
                         struct text *out);

#endif
