#!/bin/bash
# vpl_evaluate.sh: what Moodle's VPL runs for "Evaluate": vpl_execution checks what was handed in and prints comments
# and a grade.
#
# common_script.sh and vpl_environment.sh are VPL's own; the second one is gone when vpl_execution
# runs, so it becomes part of it.
# shellcheck source=/dev/null
. common_script.sh
{
    echo '#!/bin/bash'
    cat vpl_environment.sh
    echo
    echo 'exec bash vpl_gpugrade.sh evaluate'
} >vpl_execution
chmod +x vpl_execution
