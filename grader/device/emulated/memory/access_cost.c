/* access_cost.c: see access_cost.h. */
#include "device/emulated/memory/access_cost.h"

enum {
    SECTOR_SHIFT = 5,
    BANKS = 32,
    BANK_SHIFT = 2,
    WAVEFRONT_BYTES = 128,
    WORDS_OF_SECTOR = 8,
    TABLE_SLOTS = 1024,
    TABLE_SHIFT = 54, /* of 64 bits leaves a place in the table */
};

/* Different numbers among those of the lanes, each the address shifted right. Neighbours that are
 * in order need no table. The others are put into one by a hash: of those in one place the last
 * stands there, its equals are known by it, and what is different goes round again. So there are
 * no branches that depend on the numbers, but for a few that meet by chance. */
static uint32_t count_different(const struct access_lanes *lanes, unsigned shift)
{
    uint64_t numbers[LANES];
    uint16_t places[LANES];
    uint8_t owners[TABLE_SLOTS]; /* only what has been put there is looked at */
    uint32_t count = 0;
    uint64_t last = 0;
    uint32_t unseen = lanes->mask;
    for (; unseen != 0; unseen &= unseen - 1) {
        uint64_t number = lanes->addresses[__builtin_ctz(unseen)] >> shift;
        if (count != 0 && number < last) {
            break;
        }
        count += count == 0 || number != last;
        last = number;
    }
    if (unseen == 0) {
        return count;
    }
    count = 0;
    for (uint32_t rest = lanes->mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        numbers[lane] = lanes->addresses[lane] >> shift;
        places[lane] = (uint16_t)(numbers[lane] * UINT64_C(0x9e3779b97f4a7c15) >> TABLE_SHIFT);
        owners[places[lane]] = (uint8_t)lane;
    }
    for (uint32_t left = lanes->mask; left != 0;) {
        uint32_t others = 0;
        for (uint32_t rest = left; rest != 0; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            unsigned owner = owners[places[lane]];
            count += owner == lane;
            others |= numbers[owner] != numbers[lane] ? rest & -rest : 0;
        }
        left = others;
        for (; others != 0; others &= others - 1) {
            unsigned lane = (unsigned)__builtin_ctz(others);
            owners[places[lane]] = (uint8_t)lane;
        }
    }
    return count;
}

struct access_cost access_cost_global(const struct access_lanes *lanes)
{
    uint32_t element_shift = (uint32_t)__builtin_ctz(lanes->bytes);
    uint32_t sectors = count_different(lanes, SECTOR_SHIFT);
    uint32_t active = (uint32_t)__builtin_popcount(lanes->mask);
    /* lanes in sectors of their own have elements of their own */
    uint32_t elements = sectors == active ? active : count_different(lanes, element_shift);
    uint32_t bytes = elements * lanes->bytes;
    return (struct access_cost){
        .space = COUNT_SPACE_GLOBAL,
        .units = (uint8_t)sectors,
        .least_units = (uint8_t)((bytes + (1u << SECTOR_SHIFT) - 1) >> SECTOR_SHIFT),
    };
}

/* True if the lanes of one group need one wavefront, since each has words in banks of its own. */
static bool has_own_banks(const struct access_lanes *lanes, uint32_t group)
{
    const uint32_t own = (1u << (lanes->bytes + 3) / 4) - 1; /* from bank 0 on */
    uint32_t taken = 0;
    for (uint32_t left = group; left != 0; left &= left - 1) {
        uint32_t bank = (uint32_t)(lanes->addresses[__builtin_ctz(left)] >> BANK_SHIFT) % BANKS;
        if ((taken & own << bank) != 0) {
            return false;
        }
        taken |= own << bank;
    }
    return true;
}

/* Wavefronts that the lanes of one group need, and how many words they access. */
static uint32_t group_degree(const struct access_lanes *lanes, uint32_t group, uint32_t *out_words)
{
    uint32_t words[BANKS][LANES];
    uint8_t counts[BANKS] = {0};
    uint32_t degree = 0;
    if (has_own_banks(lanes, group)) {
        *out_words += (uint32_t)__builtin_popcount(group) * ((lanes->bytes + 3) / 4);
        return 1;
    }
    for (uint32_t left = group; left != 0; left &= left - 1) {
        uint64_t address = lanes->addresses[__builtin_ctz(left)];
        uint32_t first = (uint32_t)(address >> BANK_SHIFT);
        uint32_t last = (uint32_t)((address + lanes->bytes - 1) >> BANK_SHIFT);
        for (uint32_t word = first; word <= last; word++) {
            uint32_t *known = words[word % BANKS];
            uint32_t count = counts[word % BANKS];
            uint32_t i = lanes->is_atomic ? count : 0;
            while (i < count && known[i] != word) {
                i++;
            }
            if (i == count) {
                known[count] = word;
                counts[word % BANKS] = (uint8_t)(count + 1);
                ++*out_words;
                degree = count + 1 > degree ? count + 1 : degree;
            }
        }
    }
    return degree;
}

/* True if each active lane has the address of lane ^ distance, as far as that is active. */
static bool comes_in_pairs(const struct access_lanes *lanes, unsigned distance)
{
    for (uint32_t left = lanes->mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        unsigned other = lane ^ distance;
        if ((lanes->mask >> other & 1) != 0 && lanes->addresses[lane] != lanes->addresses[other]) {
            return false;
        }
    }
    return true;
}

static uint32_t lanes_together(const struct access_lanes *lanes)
{
    uint32_t together = lanes->bytes <= 4 ? LANES : WAVEFRONT_BYTES / lanes->bytes;
    bool may_pair = lanes->is_load && (lanes->bytes == 8 || lanes->bytes == 16);
    if (may_pair && (comes_in_pairs(lanes, 1) || comes_in_pairs(lanes, 2))) {
        together *= 2;
    }
    return together;
}

struct access_cost access_cost_shared(const struct access_lanes *lanes)
{
    uint32_t together = lanes_together(lanes);
    uint32_t group = together == LANES ? ALL_LANES : (UINT32_C(1) << together) - 1;
    struct access_cost cost = {.space = COUNT_SPACE_SHARED};
    for (uint32_t start = 0; start < LANES; start += together) {
        uint32_t active = lanes->mask & group << start;
        if (active != 0) {
            uint32_t words = 0;
            uint32_t degree = group_degree(lanes, active, &words);
            cost.units = (uint8_t)(cost.units + degree);
            cost.least_units++;
            cost.pieces = (uint8_t)(cost.pieces + (words + WORDS_OF_SECTOR - 1) / WORDS_OF_SECTOR);
            cost.degree = degree > cost.degree ? (uint8_t)degree : cost.degree;
        }
    }
    return cost;
}

/* Puts a set where it belongs by its size. */
static void add_set(struct bank_sets *sets, uint32_t lanes)
{
    const uint8_t size = (uint8_t)__builtin_popcount(lanes);
    unsigned place = sets->count++;
    for (; place > 0 && sets->sizes[place - 1] < size; place--) {
        sets->sizes[place] = sets->sizes[place - 1];
        sets->lanes[place] = sets->lanes[place - 1];
    }
    sets->sizes[place] = size;
    sets->lanes[place] = lanes;
}

void access_bank_sets(const int32_t delta[LANES], uint32_t mask, struct bank_sets *out_sets)
{
    uint32_t banks[BANKS] = {0};
    *out_sets = (struct bank_sets){.has_own_words = true};
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint32_t *bank = &banks[((uint32_t)delta[lane] >> BANK_SHIFT) % BANKS];
        for (uint32_t others = *bank; others != 0; others &= others - 1) {
            bool is_same = delta[__builtin_ctz(others)] == delta[lane];
            out_sets->has_own_words = out_sets->has_own_words && !is_same;
        }
        *bank |= left & -left;
    }
    for (unsigned bank = 0; bank < BANKS; bank++) {
        if ((banks[bank] & (banks[bank] - 1)) != 0) {
            add_set(out_sets, banks[bank]);
        }
    }
}

struct access_cost access_cost_of_words(const struct bank_sets *sets, uint32_t active)
{
    uint32_t words = (uint32_t)__builtin_popcount(active);
    uint32_t degree = 1;
    for (unsigned i = 0; i < sets->count && sets->sizes[i] > degree; i++) {
        uint32_t together = sets->lanes[i] & active;
        if ((together & (together - 1)) != 0) {
            uint32_t count = (uint32_t)__builtin_popcount(together);
            degree = count > degree ? count : degree;
        }
    }
    return (struct access_cost){
        .space = COUNT_SPACE_SHARED,
        .units = (uint8_t)degree,
        .least_units = 1,
        .pieces = (uint8_t)((words + WORDS_OF_SECTOR - 1) / WORDS_OF_SECTOR),
        .degree = (uint8_t)degree,
    };
}
