#!/bin/sh
# gradescope_fresh.sh: inside a fresh root file system (tests/install/fresh_root.sh), in a copy of the
# repository: makes the bundle, runs setup.sh as Gradescope does when it builds an image, and grades a
# right submission and a wrong one. tests/run --long calls it.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update >/dev/null
apt-get install -y --no-install-recommends make cmake jq >/dev/null
make -s -f docker/gradescope/Makefile COURSEWORK=matmul SEED=5eed1234 OUTPUT=/root/autograder.zip
mkdir -p /autograder/source /autograder/results
(cd /autograder/source && cmake -E tar xf /root/autograder.zip)
sh /autograder/source/setup.sh
cp /autograder/source/run_autograder /autograder/
echo '{}' >/autograder/submission_metadata.json

# graded FOLDER...: the points of a submission made of these folders.
graded() {
    rm -rf /autograder/submission
    mkdir /autograder/submission
    for folder in "$@"; do
        cp "$folder"/*.cu /autograder/submission/
    done
    /autograder/run_autograder >&2
    jq -e 'select(.extra_data.graded != false) | .score' /autograder/results/results.json
}

right=$(graded reference/matmul/solution)
wrong=$(graded reference/matmul/solution tests/submissions/matmul/wrong/b_column_major)
echo "right $right, wrong $wrong"
[ "$right" = 85 ] && [ "$wrong" != 85 ]
