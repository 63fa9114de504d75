#!/bin/bash
# vpl_evaluate.sh: Moodle's VPL runs this for "Evaluate": vpl_execution checks what was handed in and
# prints comments and a grade.
#
# common_script.sh and vpl_environment.sh belong to VPL; the second one no longer exists when
# vpl_execution runs, so it is copied into it.
# shellcheck source=/dev/null
. common_script.sh
{
    echo '#!/bin/bash'
    cat vpl_environment.sh
    echo
    echo 'exec bash vpl_gpugrade.sh evaluate'
} >vpl_execution
chmod +x vpl_execution
