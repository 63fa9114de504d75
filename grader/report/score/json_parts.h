/* json_parts.h: what the JSON formats share: how members are added, findings, remarks.
 *
 * cJSON returns NULL only when there is no memory left; then these functions abort.
 */
#ifndef GPUGRADE_REPORT_SCORE_JSON_PARTS_H
#define GPUGRADE_REPORT_SCORE_JSON_PARTS_H

#include "base/json.h"
#include "model/report.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns a value that was just made; aborts if it is NULL. */
cJSON *json_made(cJSON *value);

/* Add a member to an object; NULL is the empty string. */
void json_add_text(cJSON *object, const char *key, const char *text);
void json_add_boolean(cJSON *object, const char *key, bool value);
cJSON *json_add_object(cJSON *object, const char *key);
cJSON *json_add_array(cJSON *object, const char *key);

/* Appends an empty object to an array. */
cJSON *json_append_object(cJSON *array);

/* Add the members "diagnostics", "findings" and "remarks" as every schema has them. */
void json_add_findings(cJSON *object, const struct finding *findings, size_t count);
void json_add_diagnostics(cJSON *object, const struct report *report);
void json_add_remarks(cJSON *object, const struct remark *remarks, size_t count);

#endif
