/* html_foot.c: machine, sandbox, seed, times and the command; see html_sections.h. */
#include "report/html/html_sections.h"
#include "report/html/html_text.h"

#include <inttypes.h>

static void start(struct text *out, const char *name)
{
    text_printf(out, "<div><dt>%s</dt><dd>", name);
}

static void end(struct text *out)
{
    text_append(out, "</dd></div>\n");
}

static void append_device(const struct report_device *device, struct text *out)
{
    start(out, "device");
    html_escape(out, device->kind);
    text_append_char(out, ' ');
    html_escape(out, device->gpu_model);
    if (device->uuid != NULL && device->uuid[0] != '\0') {
        text_append(out, ", <code>");
        html_escape(out, device->uuid);
        text_append(out, "</code>");
    }
    if (device->driver_version > 0) {
        text_printf(out, ", driver for CUDA %" PRIu32 ".%" PRIu32, device->driver_version / 1000,
                    device->driver_version % 1000 / 10);
    }
    end(out);
}

static void append_sandbox(const struct report_sandbox *sandbox, struct text *out)
{
    const struct {
        bool is_so;
        const char *text;
    } facts[] = {
        {sandbox->own_user, "each program has its own user"},
        {sandbox->filters_calls, "system calls filtered"},
        {sandbox->confines_device, "the emulated device is confined too"},
    };

    if (sandbox->tier == NULL || sandbox->tier[0] == '\0') {
        return;
    }
    start(out, "sandbox");
    text_append(out, "tier ");
    html_escape(out, sandbox->tier);
    if (sandbox->memory != NULL && sandbox->memory[0] != '\0') {
        text_append(out, ", memory limited by ");
        html_escape(out, sandbox->memory);
    }
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        text_append(out, facts[i].is_so ? ", " : "");
        text_append(out, facts[i].is_so ? facts[i].text : "");
    }
    if (sandbox->note != NULL && sandbox->note[0] != '\0') {
        text_append(out, "; ");
        html_escape(out, sandbox->note);
    }
    end(out);
}

static void append_hash(struct text *out, const char *name, const char *hash)
{
    start(out, name);
    text_append(out, "<code>");
    html_escape(out, hash);
    text_append(out, "</code>");
    end(out);
}

static void append_times(const struct report *report, struct text *out)
{
    if (report->seconds_count == 0) {
        return;
    }
    start(out, "times");
    for (size_t i = 0; i < report->seconds_count; i++) {
        text_append(out, i == 0 ? "" : ", ");
        html_escape(out, report->seconds[i].name);
        text_printf(out, " %.2f s", report->seconds[i].seconds);
    }
    end(out);
}

static void append_machine(const struct report *report, struct text *out)
{
    for (size_t i = 0; i < report->device_count; i++) {
        append_device(&report->devices[i], out);
    }
    if (report->gpu_note != NULL && report->gpu_note[0] != '\0') {
        start(out, "no GPU");
        html_escape(out, report->gpu_note);
        end(out);
    }
    append_sandbox(&report->sandbox, out);
    start(out, "tools");
    text_append(out, "gpugrade ");
    html_escape(out, report->grader_version);
    text_append(out, ", ");
    html_escape(out, report->compiler);
    end(out);
}

void html_foot(const struct report *report, struct text *out)
{
    struct text command;

    text_init(&command);
    text_printf(&command, "%s --seed 0x%" PRIx64, report->again == NULL ? "" : report->again,
                report->seed);
    text_append(out, "<footer>\n<h2 id=\"check\">This check</h2>\n"
                     "<p>Repeat this check with the same inputs:</p>\n<p>");
    html_command(out, command.bytes);
    text_append(out, "</p>\n<dl class=\"machine\">\n");
    append_machine(report, out);
    append_hash(out, "submission", report->submission_sha256);
    append_hash(out, "rubric", report->rubric->sha256);
    append_times(report, out);
    text_append(out, "</dl>\n</footer>\n");
    text_release(&command);
}
