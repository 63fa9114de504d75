/* value_origins.c: see value_origins.h. */
#include "device/emulated/memory/value_origins.h"

#include "device/emulated/lower/op_place.h"
#include "device/emulated/memory/access_check.h"
#include "device/emulated/memory/access_counts.h"
#include "device/emulated/memory/op_tap.h"
#include "device/emulated/memory/value_terms.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORD = 4,
    FIRST_CAPACITY = 1 << 12,
    PLACES_MAX = 1 << 12,
    LAUNCHES_MAX = 1 << 12,
    LOADS_KEPT = 8,            /* of a thread */
    COPIED_WORDS_MAX = 1 << 26 /* of all copies, fills and writes together, or of all reads */
};

struct origin {
    uint32_t last, made; /* numbers of places, from 1 */
    uint32_t launch;     /* number of the launch that stored it last, from 1 */
};

struct known_word {
    uint64_t word; /* address / WORD; 0: not in use */
    struct origin origin;
    uint32_t loader; /* number of a place; 0: none, or a copy */
    uint32_t loaded; /* a bit for each byte */
};

struct origin_place {
    uint32_t module;
    struct finding_record_place place;
};

/* What a thread has loaded. */
struct kept_load {
    uint64_t bits;
    uint32_t bytes; /* 0: nothing */
    uint32_t made;
};

struct thread_loads {
    struct kept_load loads[LOADS_KEPT];
    uint32_t next;
};

struct origin_launch {
    const struct kernel_code *code;
    uint32_t first; /* index of the first launch of the same kernel */
    uint32_t site;
    bool stores, is_used; /* by later launches, copies or the host */
};

struct value_origins {
    struct known_word *words; /* [capacity], a power of two */
    size_t capacity, count;
    uint64_t copied;             /* of COPIED_WORDS_MAX */
    bool is_full;                /* something did not fit */
    struct origin_place *places; /* [place_count] */
    uint32_t place_count;
    uint32_t launch;                /* number of the last one */
    struct origin_launch *launches; /* [LAUNCHES_MAX] */
    uint64_t read;                  /* words that the host has read */
    bool misses_uses;               /* something may have used what launches stored, unseen */
    struct value_terms *terms;
    /* Of the launch that is followed, and of the block that ran last: */
    struct kernel_code code; /* with handlers of this file */
    struct op *ops;          /* [op_count] of it */
    uint32_t *numbers;       /* [op_count] of the ops' places; 0: not asked yet */
    uint64_t block;          /* UINT64_MAX: none has run */
    struct origin *shared;   /* [shared_words] */
    size_t shared_words;
    struct thread_loads *threads; /* [launch->threads] */
    size_t thread_count;
};

static void *new_array(size_t count, size_t bytes)
{
    void *array = calloc(count + 1, bytes);

    if (array == NULL) {
        abort();
    }
    return array;
}

struct value_origins *value_origins_new(void)
{
    struct value_origins *origins = new_array(1, sizeof *origins);

    origins->capacity = FIRST_CAPACITY;
    origins->words = new_array(origins->capacity, sizeof *origins->words);
    origins->places = new_array(PLACES_MAX, sizeof *origins->places);
    origins->launches = new_array(LAUNCHES_MAX, sizeof *origins->launches);
    origins->terms = value_terms_new();
    return origins;
}

void value_origins_free(struct value_origins *origins)
{
    if (origins != NULL) {
        value_origins_finish(origins);
        value_terms_free(origins->terms);
        free(origins->words);
        free(origins->places);
        free(origins->launches);
        free(origins);
    }
}

/* Words ************************************************************************************/

/* Where a word is, or would be. */
static struct known_word *slot_of(const struct value_origins *origins, uint64_t word)
{
    size_t at = (size_t)((word * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (origins->capacity - 1);

    while (origins->words[at].word != 0 && origins->words[at].word != word) {
        at = (at + 1) & (origins->capacity - 1);
    }
    return &origins->words[at];
}

static struct origin origin_of(const struct value_origins *origins, uint64_t word)
{
    return slot_of(origins, word)->origin; /* of an unused one zeros */
}

static void grow(struct value_origins *origins)
{
    struct known_word *old = origins->words;
    const size_t count = origins->capacity;

    origins->capacity *= 2;
    origins->words = new_array(origins->capacity, sizeof *origins->words);
    for (size_t i = 0; i < count; i++) {
        if (old[i].word != 0) {
            *slot_of(origins, old[i].word) = old[i];
        }
    }
    free(old);
}

/* The word, which is known from now on; NULL where there is no room. */
static struct known_word *know(struct value_origins *origins, uint64_t word)
{
    struct known_word *slot = slot_of(origins, word);

    if (slot->word != 0) {
        return slot;
    }
    if (origins->count == ORIGIN_WORDS_MAX) {
        origins->is_full = true;
        return NULL;
    }
    if (++origins->count > origins->capacity / 2) {
        grow(origins);
        slot = slot_of(origins, word);
    }
    slot->word = word;
    return slot;
}

/* Something uses what a launch stored, unless that is the one that runs. */
static void use(struct value_origins *origins, uint32_t launch)
{
    if (launch > 0 && launch <= LAUNCHES_MAX) {
        origins->launches[launch - 1].is_used = true;
    }
}

void value_origins_use(struct value_origins *origins, uint64_t address, uint64_t bytes)
{
    const uint64_t words = bytes / WORD + 2;

    if (origins->misses_uses || words > COPIED_WORDS_MAX - origins->read) {
        origins->misses_uses = true;
        return;
    }
    origins->read += words;
    for (uint64_t word = address / WORD; word * WORD < address + bytes; word++) {
        use(origins, origin_of(origins, word).launch);
    }
}

static void set_origin(struct value_origins *origins, uint64_t word, struct origin origin,
                       bool is_whole)
{
    struct known_word *known = know(origins, word);

    if (known != NULL) {
        if (!is_whole && known->origin.launch != origin.launch) {
            use(origins, known->origin.launch); /* its other bytes may be */
        }
        known->origin = origin;
    }
}

/* [address, address + bytes) is loaded at a place, 0: by a copy. */
static void note_load(struct value_origins *origins, uint64_t address, uint64_t bytes,
                      uint32_t place)
{
    for (uint64_t at = address; at < address + bytes; at = (at / WORD + 1) * WORD) {
        struct known_word *known = know(origins, at / WORD);
        const uint64_t left = address + bytes - at;
        const uint32_t mask = left < WORD ? (1U << left) - 1 : (1U << WORD) - 1;
        if (known != NULL) {
            if (place == 0 || known->origin.launch != origins->launch) {
                use(origins, known->origin.launch);
            }
            known->loaded |= (mask << at % WORD) & ((1U << WORD) - 1);
            known->loader = place != 0 ? place : known->loader;
        }
    }
}

/* False if there has been too much for the host's copies to be followed. */
static bool takes_words(struct value_origins *origins, uint64_t words)
{
    if (words > COPIED_WORDS_MAX - origins->copied) {
        origins->is_full = true;
        return false;
    }
    origins->copied += words;
    return true;
}

static void forget(struct known_word *known)
{
    *known = (struct known_word){.word = known->word};
}

void value_origins_clear(struct value_origins *origins, uint64_t address, uint64_t bytes)
{
    const uint64_t first = address / WORD;
    const uint64_t words = bytes / WORD + (bytes % WORD > 0 ? 1 : 0);

    if (words > origins->capacity && takes_words(origins, origins->capacity)) {
        for (size_t i = 0; i < origins->capacity; i++) {
            if (origins->words[i].word - first < words) {
                forget(&origins->words[i]);
            }
        }
    } else if (words <= origins->capacity && takes_words(origins, words)) {
        for (uint64_t i = 0; i < words; i++) {
            forget(slot_of(origins, first + i));
        }
    }
    value_terms_clear(origins->terms, address, bytes);
}

void value_origins_copy(struct value_origins *origins, uint64_t to, uint64_t from, uint64_t bytes)
{
    const uint64_t words = bytes / WORD + (bytes % WORD > 0 ? 1 : 0);

    if (takes_words(origins, words)) {
        note_load(origins, from, bytes, 0);
        for (uint64_t i = 0; i < words; i++) {
            set_origin(origins, to / WORD + i, origin_of(origins, from / WORD + i), true);
        }
        value_terms_copy(origins->terms, to, from, bytes);
    }
}

static void put_place(const struct value_origins *origins, uint32_t number,
                      struct device_place *out_place)
{
    memset(out_place, 0, sizeof *out_place);
    if (number > 0) {
        out_place->is_known = true;
        out_place->module = origins->places[number - 1].module;
        out_place->place = origins->places[number - 1].place;
    }
}

/* The offset of the first byte that nothing has loaded, and the number of the place that loads what
 * comes before it, or else after it; 0: none does. */
static uint64_t find_unloaded(const struct value_origins *origins, uint64_t address, uint64_t bytes,
                              uint32_t *out_loader)
{
    const uint64_t end = address + bytes;
    uint64_t at = address;

    *out_loader = 0;
    while (at < end && (slot_of(origins, at / WORD)->loaded >> at % WORD & 1) != 0) {
        const uint32_t loader = slot_of(origins, at / WORD)->loader;
        *out_loader = loader != 0 ? loader : *out_loader;
        at++;
    }
    for (uint64_t i = at; i < end && *out_loader == 0; i += WORD) {
        *out_loader = slot_of(origins, i / WORD)->loader;
    }
    return at - address;
}

/* The site of the first launch whose stores are lost, see device_origin. */
static uint32_t find_lost(const struct value_origins *origins, uint64_t address, uint64_t bytes)
{
    const uint32_t count = origins->launch <= LAUNCHES_MAX ? origins->launch : 0;
    bool *is_there = new_array(LAUNCHES_MAX + 1, sizeof *is_there);
    bool *of_kernel = new_array(LAUNCHES_MAX, sizeof *of_kernel); /* by its first launch: kept */
    bool *of_site = new_array(LAUNCHES_MAX + 1, sizeof *of_site); /* likewise */
    uint32_t lost = 0;

    for (uint64_t word = address / WORD; word * WORD < address + bytes; word++) {
        const uint32_t launch = origin_of(origins, word).launch;
        is_there[launch <= count ? launch : 0] = true;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct origin_launch *of = &origins->launches[i];
        const bool is_kept = of->stores && (of->is_used || is_there[i + 1]);
        of_kernel[of->first] = of_kernel[of->first] || is_kept;
        of_site[of->site] = of_site[of->site] || is_kept;
    }
    for (uint32_t i = 0; i < count && lost == 0; i++) {
        const struct origin_launch *of = &origins->launches[i];
        lost = of->stores && of_kernel[of->first] && !of_site[of->site] ? of->site : 0;
    }
    free(is_there);
    free(of_kernel);
    free(of_site);
    return lost;
}

void value_origins_find(const struct value_origins *origins, uint64_t address, uint64_t bytes,
                        struct device_origin *out_origin)
{
    const struct origin origin =
        origins->is_full ? (struct origin){0, 0, 0} : origin_of(origins, address / WORD);
    uint32_t loader = 0;

    if (!origins->is_full && bytes <= WORD * (uint64_t)ORIGIN_WORDS_MAX) {
        out_origin->unloaded = find_unloaded(origins, address, bytes, &loader);
        out_origin->lost_site = origins->misses_uses ? 0 : find_lost(origins, address, bytes);
    }
    out_origin->launch = origin.launch;
    put_place(origins, origin.last, &out_origin->last);
    put_place(origins, origin.made, &out_origin->made);
    put_place(origins, loader, &out_origin->loader);
}

size_t value_origins_terms(const struct value_origins *origins, uint64_t address, uint64_t bytes,
                           struct device_term *out_terms, size_t room)
{
    struct value_term *terms = new_array(room, sizeof *terms);
    size_t count = origins->is_full || bytes > sizeof(uint64_t)
                       ? SIZE_MAX
                       : value_terms_list(origins->terms, address, (uint32_t)bytes, terms, room);

    for (size_t i = 0; i < room && i < count && count != SIZE_MAX; i++) {
        out_terms[i] = (struct device_term){
            .address = terms[i].address, .bytes = terms[i].bytes, .count = terms[i].count};
        put_place(origins, terms[i].load, &out_terms[i].load);
        put_place(origins, terms[i].place, &out_terms[i].place);
    }
    free(terms);
    return count;
}

enum term_fate value_origins_fate(const struct value_origins *origins, uint64_t address,
                                  struct device_place *out_place)
{
    enum term_fate fate = TERM_LOADED;

    put_place(origins, origins->is_full ? 0 : value_terms_fate(origins->terms, address, &fate),
              out_place);
    return fate;
}

/* Launches *********************************************************************************/

/* The number of an op's place; a place that several ops have, or launches, has one. */
static uint32_t number_of(struct value_origins *origins, const struct op *op)
{
    uint32_t *number = &origins->numbers[op - origins->ops];
    struct origin_place place;

    if (*number != 0) {
        return *number;
    }
    memset(&place, 0, sizeof place);
    place.module = origins->code.module_index;
    op_place_fill(&origins->code, op, &place.place);
    for (uint32_t i = 0; i < origins->place_count && *number == 0; i++) {
        *number = memcmp(&origins->places[i], &place, sizeof place) == 0 ? i + 1 : 0;
    }
    if (*number == 0 && origins->place_count == PLACES_MAX) {
        origins->is_full = true;
        return 1;
    }
    if (*number == 0) {
        origins->places[origins->place_count++] = place;
        *number = origins->place_count;
    }
    return *number;
}

/* An element of a lane's access. */
struct touched {
    uint8_t space;   /* enum ptx_space */
    uint64_t offset; /* of global memory the address */
    uint32_t bytes;
};

static struct origin element_origin(const struct value_origins *origins,
                                    const struct touched *element)
{
    if (element->space == PTX_SPACE_GLOBAL) {
        return origin_of(origins, element->offset / WORD);
    }
    return element->space == PTX_SPACE_SHARED && element->offset / WORD < origins->shared_words
               ? origins->shared[element->offset / WORD]
               : (struct origin){0, 0, 0};
}

static void set_element(struct value_origins *origins, const struct touched *element,
                        struct origin origin)
{
    if (element->space == PTX_SPACE_GLOBAL && origins->launch <= LAUNCHES_MAX) {
        origins->launches[origins->launch - 1].stores = true;
    }
    for (uint64_t word = element->offset / WORD;
         word <= (element->offset + element->bytes - 1) / WORD; word++) {
        if (element->space == PTX_SPACE_GLOBAL) {
            set_origin(origins, word, origin, element->bytes >= WORD);
        } else if (element->space == PTX_SPACE_SHARED && word < origins->shared_words) {
            origins->shared[word] = origin;
        }
    }
}

static void keep_load(struct value_origins *origins, struct thread_loads *thread, uint64_t bits,
                      const struct touched *element)
{
    thread->loads[thread->next] =
        (struct kept_load){bits, element->bytes, element_origin(origins, element).made};
    thread->next = (thread->next + 1) % LOADS_KEPT;
}

/* The place that made what a thread stores at the place `here`. */
static uint32_t maker_of(const struct thread_loads *thread, uint64_t bits, uint32_t bytes,
                         uint32_t here)
{
    for (uint32_t i = 1; i <= LOADS_KEPT; i++) {
        const struct kept_load *load = &thread->loads[(thread->next + LOADS_KEPT - i) % LOADS_KEPT];
        if (load->bytes == bytes && load->bits == bits) {
            return load->made;
        }
    }
    return here;
}

static void follow_lane(struct value_origins *origins, struct warp *warp, const struct op *op,
                        unsigned lane)
{
    const enum finding_record_access access = op_access(op);
    const bool has_value = op->code != OP_ATOMIC && op->code != OP_MBARRIER &&
                           op->code != OP_COPY_READ && op->code != OP_COPY_WRITE;
    struct thread_loads *thread = &origins->threads[warp->index * LANES + lane];
    struct touched element = {.bytes = op->bytes};
    const uint8_t *host = access_peek(warp, op, lane, access, &element.space, &element.offset);

    value_terms_access(origins->terms,
                       &(struct term_access){warp, op, lane, host != NULL, element.space,
                                             element.offset, number_of(origins, op)});
    for (unsigned k = 0; k < op->count && host != NULL; k++) {
        if (element.space == PTX_SPACE_GLOBAL && access != FINDING_RECORD_WRITE) {
            note_load(origins, element.offset, element.bytes, number_of(origins, op));
        }
        if (access == FINDING_RECORD_READ) {
            uint64_t bits = 0;
            memcpy(&bits, host + (size_t)k * op->bytes, op->bytes);
            keep_load(origins, thread, bits, &element);
        } else {
            const uint32_t here = number_of(origins, op);
            const uint32_t made =
                has_value ? maker_of(thread, access_stored_bits(warp, op, k, lane), op->bytes, here)
                          : here;
            set_element(origins, &element, (struct origin){here, made, origins->launch});
        }
        element.offset += op->bytes;
    }
}

/* Another block runs, or the first one. */
static void enter_block(struct value_origins *origins, uint64_t block)
{
    if (origins->block != block) {
        if (origins->block != UINT64_MAX && block < origins->block) {
            value_terms_lose(origins->terms); /* blocks run by turns */
        }
        origins->block = block;
        memset(origins->shared, 0, origins->shared_words * sizeof *origins->shared);
        memset(origins->threads, 0, origins->thread_count * sizeof *origins->threads);
        value_terms_enter_block(origins->terms);
    }
}

static void run_followed(struct warp *warp, const struct op *op, uint32_t mask)
{
    struct launch *launch = warp->block->launch;

    enter_block(launch->origins, warp->block->linear);
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        follow_lane(launch->origins, warp, op, (unsigned)__builtin_ctz(left));
    }
    launch->variant->handler(op->code)(warp, op, mask);
}

/* An op that is no access to memory. */
static void run_stepped(struct warp *warp, const struct op *op, uint32_t mask)
{
    struct launch *launch = warp->block->launch;

    enter_block(launch->origins, warp->block->linear);
    value_terms_step(launch->origins->terms, warp, op, mask,
                     op->code == OP_SHUFFLE ? number_of(launch->origins, op) : 0);
    launch->variant->handler(op->code)(warp, op, mask);
}

static void add_launch(struct value_origins *origins, const struct kernel_code *code, uint32_t site)
{
    uint32_t first = 0;

    if (origins->launch++ < LAUNCHES_MAX) {
        while (first + 1 < origins->launch && origins->launches[first].code != code) {
            first++;
        }
        origins->launches[origins->launch - 1] = (struct origin_launch){
            .code = code, .first = first, .site = site <= LAUNCHES_MAX ? site : 0};
    }
}

void value_origins_start(struct value_origins *origins, struct launch *launch, uint32_t site)
{
    const struct kernel_code *code = launch->code;

    origins->code = *launch->code;
    origins->ops = new_array(launch->code->op_count, sizeof *origins->ops);
    origins->numbers = new_array(launch->code->op_count, sizeof *origins->numbers);
    memcpy(origins->ops, launch->code->ops, launch->code->op_count * sizeof *origins->ops);
    ops_unlink(origins->ops, launch->code->op_count);
    for (size_t i = 0; i < launch->code->op_count; i++) {
        struct op *op = &origins->ops[i];
        op->run = op_is_memory(op) ? run_followed : value_terms_want(op) ? run_stepped : op->run;
        origins->misses_uses = origins->misses_uses || op_is_texture(op);
    }
    origins->code.ops = origins->ops;
    origins->block = UINT64_MAX;
    origins->shared_words = (size_t)(launch->shared_bytes / WORD + 1);
    origins->shared = new_array(origins->shared_words, sizeof *origins->shared);
    origins->thread_count = (size_t)launch->warp_count * LANES;
    origins->threads = new_array(origins->thread_count, sizeof *origins->threads);
    add_launch(origins, code, site);
    value_terms_start(origins->terms, launch);
    launch->code = &origins->code;
    launch->origins = origins;
    launch->shuffle_seed = 0;
    launch->is_unwatched = true;
    launch->checks_global_races = false; /* it might run its blocks twice */
}

void value_origins_finish(struct value_origins *origins)
{
    free(origins->ops);
    free(origins->numbers);
    free(origins->shared);
    free(origins->threads);
    origins->ops = NULL;
    origins->numbers = NULL;
    origins->shared = NULL;
    origins->threads = NULL;
}
