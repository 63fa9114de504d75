#!/bin/bash
# vpl_run.sh: Moodle's VPL runs this for "Run": vpl_execution checks the files in the editor and shows the
# report of gpugrade check, without marks.
#
# common_script.sh and vpl_environment.sh belong to VPL; the second one no longer exists when
# vpl_execution runs, so it is copied into it.
# shellcheck source=/dev/null
. common_script.sh
{
    echo '#!/bin/bash'
    cat vpl_environment.sh
    echo
    echo 'exec bash vpl_gpugrade.sh report'
} >vpl_execution
chmod +x vpl_execution
