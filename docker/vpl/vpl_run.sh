#!/bin/bash
# vpl_run.sh: what Moodle's VPL runs for "Run": vpl_execution checks what is in the editor and shows the report of
# gpugrade check; no marks.
#
# common_script.sh and vpl_environment.sh are VPL's own; the second one is gone when vpl_execution
# runs, so it becomes part of it.
# shellcheck source=/dev/null
. common_script.sh
{
    echo '#!/bin/bash'
    cat vpl_environment.sh
    echo
    echo 'exec bash vpl_gpugrade.sh report'
} >vpl_execution
chmod +x vpl_execution
