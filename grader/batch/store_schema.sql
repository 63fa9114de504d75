-- store_schema.sql: what RESULTS/gpugrade.sqlite holds. `PRAGMA application_id` is 0x67706772
-- ("gpgr"), `PRAGMA user_version` the version of the schema. This file is version 1; what store_upgrade.c
-- adds to it:
--
--     2  students.was_in_roster  0 or 1: some roster had this person, if not that of now
--        students.submitted      time: when the roster says that their submission came
--
--     3  criteria.status         also 'open': a person gives the points
--     4  decisions               what people decided about students: model/class_results.h
--     5  runs.ranked             by what the rubric's leaderboard ranks; 0: not on it
--        runs.gpu                the GPU that measured it; '' where it was counted
--     6  submissions.time_content  hash of the files with which `submitted` came; '' if those of now
--
--     students --< decisions
--     students --< submissions >-- runs --< criteria
--                                    |---< findings
--                                    |---< device_code
--                                    |---- archives
--                                    '---> machines, rubrics
--     known_code, settings, events
--
-- Times are seconds since 1970 (UTC), 0 where unknown. Texts are UTF-8, but for paths and names
-- of submissions, which are bytes as the file system has them. Nothing is NULL unless it says so.
--
-- Personal data: students, submissions, archives (source files may name their author), decisions, events. The
-- key of the pseudonyms (settings) tells who is behind one.

-- What is fixed for a RESULTS, by name: "coursework", "submissions", "options", "seed" ("0x...").
-- "zone" is that of times without one, as it was said last.
-- "pseudonym_key" is drawn when the store is made, and secret; "rubric" is the id of the rubric by
-- which marks are given now.
CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Every rubric by which marks were given.
CREATE TABLE rubrics (
    id       INTEGER PRIMARY KEY,
    sha256   TEXT NOT NULL UNIQUE, -- of all its files
    evidence TEXT NOT NULL,        -- hash of what of it decides what is run and seen
    text     TEXT NOT NULL,        -- merged into one file, hidden parts included
    put      INTEGER NOT NULL      -- time at which it was first used
) STRICT;

-- Who is in the class: by the roster, by what was handed in, or both.
CREATE TABLE students (
    id        INTEGER PRIMARY KEY,
    student   TEXT NOT NULL UNIQUE, -- the key that entries and the roster share
    pseudonym TEXT NOT NULL UNIQUE, -- "student-3f9a1c0b7e2d"
    in_roster INTEGER NOT NULL CHECK (in_roster IN (0, 1)),
    person_id TEXT NOT NULL DEFAULT '', -- as the roster or the export has them, '' where unknown
    name      TEXT NOT NULL DEFAULT '',
    email     TEXT NOT NULL DEFAULT '',
    canvas_id TEXT NOT NULL DEFAULT '',
    sis_id    TEXT NOT NULL DEFAULT '',
    login     TEXT NOT NULL DEFAULT '',
    section   TEXT NOT NULL DEFAULT '',
    moodle_id TEXT NOT NULL DEFAULT ''
) STRICT;

-- What one run has seen, for one content: equal files are graded once, whoever handed them in. A
-- run is found again by content, evidence and seed.
CREATE TABLE runs (
    id       INTEGER PRIMARY KEY,
    content  TEXT NOT NULL, -- SHA-256 over names and contents of the graded files, 64 digits
    evidence TEXT NOT NULL, -- hash of what of rubric, reference, tools and device decides
    seed     TEXT NOT NULL, -- "0x..."
    rubric   INTEGER NOT NULL REFERENCES rubrics, -- by which `criteria` has its points
    machine  INTEGER NOT NULL REFERENCES machines,
    grader   TEXT NOT NULL,    -- version of the grader
    started  INTEGER NOT NULL, -- time
    seconds  REAL NOT NULL,    -- that it took
    speedup  REAL NOT NULL,    -- the largest that was measured; 0: none
    UNIQUE (content, evidence, seed)
) STRICT;

-- What was handed in: one attempt of one student.
CREATE TABLE submissions (
    id         INTEGER PRIMARY KEY, -- the order of grading
    student    INTEGER NOT NULL REFERENCES students,
    submission TEXT NOT NULL UNIQUE, -- its name below the folder of submissions
    pseudonym  TEXT NOT NULL UNIQUE,
    path       TEXT NOT NULL,
    is_folder  INTEGER NOT NULL CHECK (is_folder IN (0, 1)),
    submitted  INTEGER NOT NULL, -- time
    stamp      TEXT NOT NULL,    -- hash over names, sizes and times of its files: other, if changed
    is_gone    INTEGER NOT NULL DEFAULT 0 CHECK (is_gone IN (0, 1)), -- not there any more: kept,
                                                                     -- but it does not count
    state      TEXT NOT NULL DEFAULT 'pending'
               CHECK (state IN ('pending', 'graded', 'nothing', 'trouble')),
    run        INTEGER REFERENCES runs CHECK ((run IS NOT NULL) = (state = 'graded')),
    content    TEXT NOT NULL DEFAULT '', -- hash of its files, '' where they could not be read
    message    TEXT NOT NULL DEFAULT '', -- states nothing and trouble: why
    tries      INTEGER NOT NULL DEFAULT 0, -- since it was pending last
    seconds    REAL NOT NULL DEFAULT 0     -- that the last one took
) STRICT;
CREATE INDEX submissions_by_student ON submissions (student);
CREATE INDEX submissions_by_run ON submissions (run);

-- What each criterion of the rubric gave.
CREATE TABLE criteria (
    run       INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    criterion TEXT NOT NULL, -- id in the rubric
    status    TEXT NOT NULL CHECK (status IN ('passed', 'partial', 'failed', 'skipped', 'error')),
    points    REAL NOT NULL,
    code      TEXT NOT NULL, -- of the cause: "W02" (gpugrade explain W02); '' where there is none
    PRIMARY KEY (run, criterion)
) STRICT, WITHOUT ROWID;

-- What was found, by code and place.
CREATE TABLE findings (
    run      INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    number   INTEGER NOT NULL, -- from 0, in the report's order
    code     TEXT NOT NULL,    -- "R01"
    severity TEXT NOT NULL CHECK (severity IN ('error', 'warning')),
    message  TEXT NOT NULL,
    kernel   TEXT NOT NULL,
    launch   TEXT NOT NULL,    -- id in the rubric
    count    INTEGER NOT NULL, -- how often
    file     TEXT NOT NULL,    -- '' where unknown
    line     INTEGER NOT NULL, -- 0 where unknown
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

-- What is left of the device code of a program when names, order and layout are taken away.
CREATE TABLE device_code (
    run          INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    program      TEXT NOT NULL,    -- id in the rubric
    instructions INTEGER NOT NULL, -- of the student's own
    marks        BLOB NOT NULL,    -- 64-bit numbers, little endian, ascending
    PRIMARY KEY (run, program)
) STRICT;

-- The same of the template and of the reference solution, which nobody has from another student.
CREATE TABLE known_code (
    id           INTEGER PRIMARY KEY,
    evidence     TEXT NOT NULL, -- of the rubric with whose files it was made
    program      TEXT NOT NULL,
    instructions INTEGER NOT NULL,
    marks        BLOB NOT NULL
) STRICT;

-- The whole report of a run, "gpugrade/archive/v1": JSON, compressed by zstd with a checksum.
CREATE TABLE archives (
    run   INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    bytes BLOB NOT NULL
) STRICT;

-- Where runs took place: devices, sandbox, tools; one line each.
CREATE TABLE machines (
    id   INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
) STRICT;

-- What happened, in order; for people.
CREATE TABLE events (
    id      INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL, -- time
    kind    TEXT NOT NULL,    -- 'class', 'rubric', 'trouble', 'merge'
    about   TEXT NOT NULL,    -- the submission, the rubric, the folder
    message TEXT NOT NULL
) STRICT;
