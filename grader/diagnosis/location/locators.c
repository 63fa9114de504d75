/* locators.c: what the finders share; see locators.h. */
#include "diagnosis/location/locators.h"

bool location_set(struct location *out_location, struct file_token file_token, const char *label)
{
    *out_location = (struct location){.file_token = file_token, .label = label};
    return true;
}

const struct source_function *function_named_at(struct file_token name)
{
    return source_function_named(&name.file->functions, name.token);
}
