# rubric.jq: the shipped rubric of matmul with short limits, for one of its two programs ($program:
# "tiled" or "dynamic") or both ("whole"); "compile" is "tiled" for those that keep the compiler
# busy. Criteria of speed need a GPU and are left out. A machine that is five times slower still
# grades honest programs within these limits.

def short_limits:
    .limits += {
        compile_seconds: (if $program == "compile" then 8 else 60 end),
        program_seconds: 8,
        program_cpu_seconds: 4,
        program_memory_mb: 256,
        program_processes: 32,
        program_output_kb: 256,
        program_file_mb: 8,
        launch_seconds_emulated: 8,
        device_memory_mb: 256
    };

def sum_of_points:
    reduce .criteria[].points as $points (0; . + $points);

# The points that are left are scaled to 100; what rounding leaves goes to the first criterion.
def scaled:
    sum_of_points as $sum
    | .criteria |= map(.points = (.points * 100 / $sum | floor))
    | (100 - sum_of_points) as $rest
    | .criteria[0].points += $rest;

def half($program):
    .programs |= map(select(.id == $program))
    | .launches |= map(select(.id == $program))
    | .printouts |= map(select(.program == $program))
    | .criteria |= map(select(.kind == "compile" or .launch == $program));

short_limits
| .criteria |= map(select(.kind != "speedup"))
| .launches |= map(select(.id != "naive"))
| .cases |= map(if .repeat then .repeat = 1 else . end)
| if $program == "whole" then .
  elif $program == "compile" then half("tiled")
  else half($program) end
| scaled
