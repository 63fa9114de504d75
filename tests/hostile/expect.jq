# expect.jq: what of a score ($score, its file) does not meet the expectation (input, raw) in $tier.
# Prints a line for each thing; see run.sh for the form of expectations.

def got:
    if . == null then "no such criterion"
    else .status + (if .cause == null then ""
        else " \(.cause.kind)/\(.cause.code) (\(.cause.message))" end)
    end;

# Where both exercises are graded, a program that does not compile costs a part of that criterion.
def fails($whole):
    .status == "failed" or (.status == "partial" and .id == "compile" and $whole);

# "failed" with one of the causes "kind", "kind/code", ... that are joined by |.
def meets($words; $whole):
    . != null and fails($whole)
    and (($words | length) < 3 or .cause == null or
        ("\(.cause.kind)" as $kind | "\(.cause.kind)/\(.cause.code)" as $both
         | $words[2] | split("|") | any(. == $kind or . == $both)));

def passes:
    .status == "passed" or (.status == "skipped" and (.id | startswith("speedup")));

$score[0] as $file
| [split("\n")[] | select(. != "" and (startswith("#") | not))
   | if startswith("tier ") then select(startswith("tier " + $tier + " ")) | .[7:] else . end
   | if startswith("group ") | not then .
     elif $file.machine.sandbox.memory != "each process" then .[6:]
     else (split(" ")[1] + " ?") end]
    as $lines
| ([$file.criteria[].id] | contains(["correct.tiled", "correct.dynamic"])) as $whole
| [$lines[] | split(" ") | select(.[1] == "failed" or .[1] == "says" or .[1] == "?")] as $wanted
| ($file.criteria | map({(.id): .}) | add) as $criteria
| (
    ($wanted[] | select(.[1] == "failed") | . as $words | $criteria[$words[0]]
        | select(. != null and (meets($words; $whole) | not))
        | "\(.id): expected \($words[1:] | join(" ")), got \(got)"),
    ($wanted[] | select(.[1] == "says") | . as $words | $criteria[$words[0]] | select(. != null)
        | select((.cause.message // "") | contains($words[2:] | join(" ")) | not)
        | "\(.id): expected to say \($words[2:] | join(" ")), got \(got)"),
    ($file.criteria[] | . as $criterion
        | select([$wanted[][0]] | index($criterion.id) | not)
        | select(passes | not) | "\(.id): expected passed, got \(got)"),
    (select($file.schema != "gpugrade/score/v1") | "the score is not one"),
    (select(($file.score - ([$file.criteria[].points] | add)) | fabs > 0.001)
        | "the score \($file.score) is not the sum of its points"),
    ($file.criteria[] | select(.status == "failed" and .points != 0)
        | "\(.id): failed with \(.points) points"),
    ($file.criteria[] | select(.points > .max_points) | "\(.id): more than all points"),
    (select($file.machine.sandbox.tier != $tier)
        | "graded in tier \($file.machine.sandbox.tier)")
  )
