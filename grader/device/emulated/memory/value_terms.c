/* value_terms.c: see value_terms.h. */
#include "device/emulated/memory/value_terms.h"

#include "device/emulated/exec/exchange.h"
#include "device/emulated/exec/op_model.h"
#include "device/emulated/memory/access_check.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORD = 4,
    WIDE = 8,
    FIRST_CAPACITY = 1 << 12,
    KNOWN_WORDS_MAX = 1 << 19,
    REGISTERS_MAX = 1 << 16, /* of all warps of a block */
};

/* A word of memory that has been stored to, or loaded. */
struct term_word {
    uint64_t word; /* address / WORD plus 1; 0: not in use */
    uint32_t nodes[WORD];
    uint8_t stored; /* a bit for each byte */
    uint8_t size;   /* of the stores */
    uint32_t leaf;  /* the node of the last leaf of this word, and its load; 0: there is none */
};

struct term_words {
    struct term_word *items; /* [capacity], a power of two */
    size_t capacity, count;
};

struct value_terms {
    struct term_graph graph;
    struct term_words global, shared;
    /* Of the launch that runs: */
    bool is_local_unknown; /* local memory holds something */
    uint32_t *numbers;     /* [slot_count] by slot / WORD: 1 plus the number of a register */
    size_t slot_count, register_count, warp_count;
    uint32_t *registers; /* [warp_count][register_count][LANES] nodes, of lanes that hold one */
    uint32_t *held;      /* [warp_count][register_count] lanes that hold more than nothing */
};

static void *new_array(size_t count, size_t bytes)
{
    void *array = calloc(count + 1, bytes);

    if (array == NULL) {
        abort();
    }
    return array;
}

struct value_terms *value_terms_new(void)
{
    struct value_terms *terms = new_array(1, sizeof *terms);

    term_graph_init(&terms->graph);
    return terms;
}

/* An element that is loaded or stored. */
struct touched_element {
    bool is_global; /* else it lies in shared memory */
    uint64_t address;
    uint32_t bytes;
};

static void end_launch(struct value_terms *terms)
{
    free(terms->numbers);
    free(terms->registers);
    free(terms->held);
    terms->numbers = terms->registers = terms->held = NULL;
    terms->register_count = terms->warp_count = terms->slot_count = 0;
}

void value_terms_free(struct value_terms *terms)
{
    if (terms != NULL) {
        end_launch(terms);
        term_graph_release(&terms->graph);
        free(terms->global.items);
        free(terms->shared.items);
        free(terms);
    }
}

void value_terms_lose(struct value_terms *terms)
{
    terms->graph.is_lost = true;
}

/* Memory ***********************************************************************************/

static struct term_word *slot_of(const struct term_words *words, uint64_t word)
{
    size_t at = (size_t)((word * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (words->capacity - 1);

    while (words->items[at].word != 0 && words->items[at].word != word + 1) {
        at = (at + 1) & (words->capacity - 1);
    }
    return &words->items[at];
}

/* What is known of a word; NULL: nothing is. */
static struct term_word *find_word(const struct term_words *words, uint64_t word)
{
    struct term_word *found = words->capacity == 0 ? NULL : slot_of(words, word);

    return found == NULL || found->word == 0 ? NULL : found;
}

static void grow(struct term_words *words)
{
    const struct term_words old = *words;

    words->capacity = old.capacity == 0 ? FIRST_CAPACITY : 2 * old.capacity;
    words->items = new_array(words->capacity, sizeof *words->items);
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.items[i].word != 0) {
            *slot_of(words, old.items[i].word - 1) = old.items[i];
        }
    }
    free(old.items);
}

/* A word that is known from now on; NULL where there is no room. */
static struct term_word *know_word(struct value_terms *terms, struct term_words *words,
                                   uint64_t word)
{
    struct term_word *known = find_word(words, word);

    if (known != NULL) {
        return known;
    }
    if (words->count == KNOWN_WORDS_MAX) {
        terms->graph.is_lost = true;
        return NULL;
    }
    if (++words->count > words->capacity / 2) {
        grow(words);
    }
    known = slot_of(words, word);
    known->word = word + 1;
    return known;
}

/* The bits of an element's bytes in its first word. */
static uint8_t bits_of(uint64_t address, uint32_t bytes)
{
    const uint32_t size = bytes < WORD ? bytes : WORD;

    return (uint8_t)(((1U << size) - 1) << address % WORD);
}

static bool is_aligned(uint64_t address, uint32_t bytes)
{
    return bytes > 0 && bytes <= WIDE && (bytes & (bytes - 1)) == 0 && address % bytes == 0;
}

/* The node of an element that is read at a place. */
static uint32_t load(struct value_terms *terms, const struct touched_element *element,
                     uint32_t place)
{
    struct term_words *words = element->is_global ? &terms->global : &terms->shared;
    struct term_word *known = find_word(words, element->address / WORD);
    const uint8_t bits = bits_of(element->address, element->bytes);

    if (!is_aligned(element->address, element->bytes)) {
        return TERM_UNKNOWN;
    }
    if (known != NULL && (known->stored & bits) != 0) {
        return known->size == element->bytes && (known->stored & bits) == bits
                   ? term_read(&terms->graph, known->nodes[element->address % WORD], place)
                   : TERM_UNKNOWN;
    }
    if (!element->is_global) {
        return TERM_NOTHING; /* nothing has written it: that is reported otherwise */
    }
    known = know_word(terms, words, element->address / WORD);
    if (known == NULL) {
        return TERM_UNKNOWN;
    }
    if (!term_is_leaf(&terms->graph, known->leaf, element->address, element->bytes, place)) {
        known->leaf = term_leaf(&terms->graph, element->address, element->bytes, place);
    }
    return known->leaf;
}

static void store(struct value_terms *terms, const struct touched_element *element, uint32_t node)
{
    struct term_words *words = element->is_global ? &terms->global : &terms->shared;
    const bool aligned = is_aligned(element->address, element->bytes);
    const uint64_t end = element->address + element->bytes;

    for (uint64_t word = element->address / WORD; word <= (end - 1) / WORD; word++) {
        struct term_word *known = know_word(terms, words, word);
        if (known == NULL) {
            return;
        }
        const uint8_t bits =
            element->bytes < WORD && aligned ? bits_of(element->address, element->bytes) : 15;
        const bool is_same =
            aligned && (known->stored == 0 || known->size == element->bytes || bits == 15);
        for (unsigned i = 0; i < WORD; i++) {
            if ((bits >> i & 1) != 0 || !is_same) {
                known->nodes[i] = is_same ? node : TERM_UNKNOWN;
            }
        }
        known->stored |= is_same ? bits : 15;
        known->size = (uint8_t)element->bytes;
    }
}

void value_terms_clear(struct value_terms *terms, uint64_t address, uint64_t bytes)
{
    const uint64_t first = address / WORD;
    const uint64_t words = bytes / WORD + (bytes % WORD > 0 ? 1 : 0);

    for (size_t i = 0; i < terms->global.capacity && words > terms->global.capacity; i++) {
        struct term_word *known = &terms->global.items[i];
        if (known->word != 0 && known->word - 1 - first < words) {
            known->stored = 0;
        }
    }
    for (uint64_t i = 0; i < words && words <= terms->global.capacity; i++) {
        struct term_word *known = find_word(&terms->global, first + i);
        if (known != NULL) {
            known->stored = 0;
        }
    }
}

void value_terms_copy(struct value_terms *terms, uint64_t to, uint64_t from, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes / WORD && !terms->graph.is_lost; i++) {
        const struct term_word *known = find_word(&terms->global, from / WORD + i);
        if (from % WORD != 0 || to % WORD != 0) {
            terms->graph.is_lost = true;
        } else if (known != NULL && known->stored != 0) {
            const struct term_word source = *known;
            struct term_word *target = know_word(terms, &terms->global, to / WORD + i);
            if (target != NULL) {
                memcpy(target->nodes, source.nodes, sizeof target->nodes);
                target->stored = source.stored;
                target->size = source.size;
            }
        } else {
            const struct touched_element source = {true, from + WORD * i, WORD};
            const struct touched_element target = {true, to + WORD * i, WORD};
            store(terms, &target, load(terms, &source, 0));
        }
    }
}

/* Registers ********************************************************************************/

static void number_slot(struct value_terms *terms, const struct kernel_code *code, uint32_t slot)
{
    if (slot != 0 && slot < code->register_bytes && terms->numbers[slot / WORD] == 0) {
        terms->numbers[slot / WORD] = (uint32_t)++terms->register_count;
    }
}

void value_terms_start(struct value_terms *terms, const struct launch *launch)
{
    const struct kernel_code *code = launch->code;

    end_launch(terms);
    terms->is_local_unknown = false;
    terms->slot_count = code->register_bytes / WORD;
    terms->numbers = new_array(terms->slot_count, sizeof *terms->numbers);
    for (size_t i = 0; i < code->op_count; i++) {
        for (unsigned k = 0; k < OP_SLOTS; k++) {
            number_slot(terms, code, code->ops[i].slot[k]);
        }
        number_slot(terms, code, code->ops[i].guard);
    }
    terms->warp_count = launch->warp_count;
    if (code->body_count > 0 || terms->register_count > REGISTERS_MAX / terms->warp_count) {
        terms->graph.is_lost = true;
        return;
    }
    terms->registers =
        new_array(terms->warp_count * terms->register_count * LANES, sizeof *terms->registers);
    terms->held = new_array(terms->warp_count * terms->register_count, sizeof *terms->held);
}

void value_terms_enter_block(struct value_terms *terms)
{
    const size_t count = terms->warp_count * terms->register_count;

    if (!terms->graph.is_lost) {
        memset(terms->held, 0, count * sizeof *terms->held);
        if (terms->shared.count > 0) {
            memset(terms->shared.items, 0, terms->shared.capacity * sizeof *terms->shared.items);
            terms->shared.count = 0;
        }
    }
}

/* The index of a warp's register among all; SIZE_MAX: it is none. */
static size_t register_of(const struct value_terms *terms, const struct warp *warp, uint32_t slot)
{
    const uint32_t number = slot / WORD < terms->slot_count ? terms->numbers[slot / WORD] : 0;

    return number == 0 ? SIZE_MAX : warp->index * terms->register_count + number - 1;
}

static uint32_t node_of(const struct value_terms *terms, const struct warp *warp, uint32_t slot,
                        unsigned lane)
{
    const size_t at = register_of(terms, warp, slot);

    return at == SIZE_MAX || (terms->held[at] >> lane & 1) == 0
               ? TERM_NOTHING
               : terms->registers[at * LANES + lane];
}

static uint32_t held_of(const struct value_terms *terms, const struct warp *warp, uint32_t slot)
{
    const size_t at = register_of(terms, warp, slot);

    return at == SIZE_MAX ? 0 : terms->held[at];
}

static void put(struct value_terms *terms, const struct warp *warp, uint32_t slot, unsigned lane,
                uint32_t node)
{
    const size_t at = register_of(terms, warp, slot);

    if (at != SIZE_MAX) {
        const uint32_t bit = UINT32_C(1) << lane;
        terms->registers[at * LANES + lane] = node;
        terms->held[at] = node == TERM_NOTHING ? terms->held[at] & ~bit : terms->held[at] | bit;
    }
}

/* Slots 1 to 5, and the guard, that a result is made of. */
static uint32_t sources_held(const struct value_terms *terms, const struct warp *warp,
                             const struct op *op)
{
    uint32_t held = (op->flags & OP_GUARDED) != 0 ? held_of(terms, warp, op->guard) : 0;

    for (unsigned k = 1; k < OP_SLOTS; k++) {
        held |= held_of(terms, warp, op->slot[k]);
    }
    return held;
}

static bool is_chosen(const struct warp *warp, const struct op *op, unsigned lane)
{
    return (*(const uint32_t *)(const void *)(warp->file + op->slot[3]) >> lane & 1) != 0;
}

static uint32_t result_node(struct value_terms *terms, const struct warp *warp, const struct op *op,
                            unsigned lane)
{
    uint32_t node = (op->flags & OP_GUARDED) != 0 ? node_of(terms, warp, op->guard, lane) : 0;

    if (op->code == OP_SELECT_32 || op->code == OP_SELECT_64) {
        node = term_join(&terms->graph, node, node_of(terms, warp, op->slot[3], lane));
        return term_join(&terms->graph, node,
                         node_of(terms, warp, op->slot[is_chosen(warp, op, lane) ? 1 : 2], lane));
    }
    for (unsigned k = 1; k < OP_SLOTS; k++) {
        node = term_join(&terms->graph, node, node_of(terms, warp, op->slot[k], lane));
    }
    return node;
}

static void step_shuffle(struct value_terms *terms, const struct warp *warp, const struct op *op,
                         uint32_t mask, uint32_t place)
{
    uint32_t nodes[LANES];

    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const unsigned source = shuffle_lane(warp, op, lane);
        const bool is_here = source < LANES && (mask >> source & 1) != 0;
        nodes[lane] = is_here ? node_of(terms, warp, op->slot[2], source) : TERM_UNKNOWN;
        nodes[lane] = op->slot[0] == op->slot[2] ? TERM_UNKNOWN : nodes[lane];
        nodes[lane] =
            source == lane ? nodes[lane] : term_shuffle(&terms->graph, nodes[lane], place);
    }
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        put(terms, warp, op->slot[0], lane, nodes[lane]);
        put(terms, warp, op->slot[1], lane, TERM_NOTHING);
    }
}

bool value_terms_want(const struct op *op)
{
    switch (op->code) {
    case OP_EXIT:
    case OP_WARP_SYNC:
    case OP_WARP_JOIN:
    case OP_FENCE:
    case OP_ORDER:
    case OP_NOTHING:
    case OP_YIELD:
    case OP_LIBDEVICE: /* its arguments and its result lie in local memory */
        return false;
    default:
        return !op_is_memory(op);
    }
}

void value_terms_step(struct value_terms *terms, struct warp *warp, const struct op *op,
                      uint32_t mask, uint32_t place)
{
    const enum op_model model = op_model_of(op);
    const bool is_set = model == MODEL_SETS || model == MODEL_DECIDES;
    const bool is_nothing = op->code == OP_LOAD_PARAM || op->code == OP_ACTIVE_MASK;

    if (terms->graph.is_lost) {
        return;
    }
    if (op->code == OP_SHUFFLE) {
        step_shuffle(terms, warp, op, mask, place);
        return;
    }
    if (model == MODEL_GOES) {
        for (uint32_t left = warp->active; left != 0; left &= left - 1) {
            term_note_decision(&terms->graph,
                               result_node(terms, warp, op, (unsigned)__builtin_ctz(left)));
        }
        return;
    }
    const uint32_t held = is_set ? sources_held(terms, warp, op) : 0;
    if ((is_set || is_nothing) && ((held | held_of(terms, warp, op->slot[0])) & mask) == 0) {
        return; /* the usual case: nothing but indices */
    }
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const uint32_t node = is_set       ? result_node(terms, warp, op, lane)
                              : is_nothing ? TERM_NOTHING
                                           : TERM_UNKNOWN;
        for (unsigned k = 0; k < (is_set || is_nothing ? 1 : SLOT_ADDRESS); k++) {
            put(terms, warp, op->slot[k], lane, node);
        }
    }
}

/* Accesses *********************************************************************************/

static void access_element(struct value_terms *terms, const struct term_access *access, unsigned k,
                           uint32_t where)
{
    const struct op *op = access->op;
    const struct touched_element element = {access->space == PTX_SPACE_GLOBAL,
                                            access->offset + (uint64_t)k * op->bytes, op->bytes};
    const bool is_followed = access->space == PTX_SPACE_GLOBAL || access->space == PTX_SPACE_SHARED;
    const uint32_t value = node_of(terms, access->warp, op->slot[k], access->lane);

    if (op_is_load(op)) {
        uint32_t node = access->space == PTX_SPACE_PARAM || access->space == PTX_SPACE_CONST
                            ? TERM_NOTHING
                        : is_followed             ? load(terms, &element, access->place)
                        : terms->is_local_unknown ? TERM_UNKNOWN
                                                  : TERM_NOTHING;
        node = access->is_valid ? term_join(&terms->graph, node, where) : TERM_UNKNOWN;
        put(terms, access->warp, op->slot[k], access->lane, node);
    } else if (access->is_valid && is_followed) {
        store(terms, &element, term_join(&terms->graph, value, where));
    } else if (access->is_valid) {
        terms->is_local_unknown = terms->is_local_unknown || value != TERM_NOTHING;
    }
}

/* An atomic leaves what it was given joined to what was there, and returns that; what copies store
 * is not followed. */
static void update_element(struct value_terms *terms, const struct term_access *access,
                           uint32_t where)
{
    const struct op *op = access->op;
    const struct touched_element element = {access->space == PTX_SPACE_GLOBAL, access->offset,
                                            op->bytes};
    const bool is_atomic = op->code == OP_ATOMIC && op->count == 1;
    uint32_t node = TERM_UNKNOWN;
    uint32_t old = TERM_UNKNOWN;

    if (access->is_valid && is_atomic) {
        old = term_join(&terms->graph, load(terms, &element, access->place), where);
        node = old;
        for (unsigned k = 1; k < SLOT_ADDRESS; k++) {
            node = term_join(&terms->graph, node,
                             node_of(terms, access->warp, op->slot[k], access->lane));
        }
    }
    if (access->is_valid && op->code != OP_COPY_READ) {
        store(terms, &element, node);
    }
    for (unsigned k = 0; k < (is_atomic ? 1 : SLOT_ADDRESS); k++) {
        put(terms, access->warp, op->slot[k], access->lane, old);
    }
}

void value_terms_access(struct value_terms *terms, const struct term_access *access)
{
    const struct op *op = access->op;

    if (terms->graph.is_lost) {
        return;
    }
    uint32_t where = node_of(terms, access->warp, op->slot[SLOT_ADDRESS], access->lane);
    where = term_join(&terms->graph, where,
                      (op->flags & OP_GUARDED) != 0
                          ? node_of(terms, access->warp, op->guard, access->lane)
                          : TERM_NOTHING);
    if (!op_is_load(op)) {
        term_note_decision(&terms->graph, where);
    }
    if (!op_is_load(op) && !op_is_store(op)) {
        update_element(terms, access, where);
        return;
    }
    for (unsigned k = 0; k < op->count; k++) {
        access_element(terms, access, k, where);
    }
}

size_t value_terms_list(const struct value_terms *terms, uint64_t address, uint32_t bytes,
                        struct value_term *out_terms, size_t room)
{
    const struct term_word *known = find_word(&terms->global, address / WORD);
    const uint8_t bits = bits_of(address, bytes);

    return !is_aligned(address, bytes) || known == NULL || known->size != bytes ||
                   (known->stored & bits) != bits
               ? SIZE_MAX
               : term_list(&terms->graph, known->nodes[address % WORD], out_terms, room);
}

uint32_t value_terms_fate(const struct value_terms *terms, uint64_t address,
                          enum term_fate *out_fate)
{
    return term_fate(&terms->graph, address, out_fate);
}
