/* pseudonym.c: see pseudonym.h. */
#include "batch/pseudonym.h"

#include "base/file.h"
#include "base/rng.h"
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const manners[] = {
    "agile",  "amber", "ample",  "azure",  "blithe", "bold",    "brave",  "brief",
    "bright", "brisk", "calm",   "clear",  "clever", "cosy",    "crisp",  "deft",
    "eager",  "early", "easy",   "fair",   "fleet",  "fond",    "frank",  "fresh",
    "gentle", "glad",  "golden", "grand",  "green",  "happy",   "hardy",  "honest",
    "jolly",  "keen",  "kind",   "lively", "loyal",  "lucid",   "lucky",  "mellow",
    "merry",  "mild",  "neat",   "nimble", "noble",  "patient", "placid", "polite",
    "proud",  "quick", "quiet",  "ready",  "royal",  "serene",  "silver", "smart",
    "snug",   "solid", "steady", "sunny",  "swift",  "tidy",    "warm",   "witty",
};

static const char *const creatures[] = {
    "alder",  "badger",  "beaver",  "birch",   "bison",  "cedar",  "comet",   "condor",
    "coral",  "cricket", "dolphin", "eagle",   "egret",  "falcon", "fern",    "finch",
    "fjord",  "fox",     "gecko",   "glacier", "hare",   "hazel",  "heron",   "ibex",
    "iris",   "island",  "jay",     "kestrel", "koala",  "lark",   "lemur",   "lilac",
    "lynx",   "magpie",  "maple",   "marten",  "meadow", "moss",   "newt",    "oak",
    "orca",   "osprey",  "otter",   "owl",     "panda",  "pebble", "pelican", "pine",
    "plover", "puffin",  "raven",   "robin",   "salmon", "seal",   "sparrow", "stork",
    "swan",   "tern",    "thrush",  "tiger",   "tulip",  "walrus", "willow",  "wren",
};

bool pseudonym_key(char out_key[PSEUDONYM_KEY_BYTES])
{
    uint64_t numbers[4];

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (!rng_seed_from_system(&numbers[i])) {
            return false;
        }
    }
    hash_bytes(numbers, sizeof numbers, out_key);
    return true;
}

void pseudonym_make(const char *key, const char *kind, const char *name,
                    char out_pseudonym[PSEUDONYM_BYTES])
{
    struct text text;
    char digits[65];

    text_init(&text);
    text_printf(&text, "%s %s %s", key, kind, name);
    hash_bytes(text.bytes, text.length, digits);
    snprintf(out_pseudonym, PSEUDONYM_BYTES, "%s-%.12s", kind, digits);
    text_release(&text);
}

void pseudonym_words(const char *secret, const char *student, bool with_number,
                     char out_words[PSEUDONYM_WORDS_BYTES])
{
    enum { WORDS = sizeof manners / sizeof manners[0], DIGITS = 15, BELOW = 1000000 };
    struct text text;
    char digits[65];

    text_init(&text);
    text_printf(&text, "%s board %s", secret, student);
    hash_bytes(text.bytes, text.length, digits);
    text_release(&text);
    digits[DIGITS] = '\0';
    const unsigned long long number = strtoull(digits, NULL, 16);
    const char *manner = manners[number % WORDS], *creature = creatures[number / WORDS % WORDS];
    if (with_number) {
        snprintf(out_words, PSEUDONYM_WORDS_BYTES, "%s %s %llu", manner, creature,
                 number / WORDS / WORDS % BELOW);
    } else {
        snprintf(out_words, PSEUDONYM_WORDS_BYTES, "%s %s", manner, creature);
    }
}
