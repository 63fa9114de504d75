/* step_page.js: replays the steps of one block. It reads the numbers of step_data.h once, draws on
   three canvases and a time line, and says in words what it draws. */
"use strict";
document.addEventListener("DOMContentLoaded", () => {
    const READ = 0, WRITE = 1, ATOMIC = 2, BARRIER = 3, BRANCH = 4, EXIT = 5;
    const SHARED = 1, BANKS = 32, WORD = 4, SECTOR = 32;
    const BACK_MAX = 4096; // steps that a rebuilt picture of shared memory looks back
    const $ = (id) => document.getElementById(id);
    const read = (id) => JSON.parse($(id).textContent);
    const data = read("data"), places = read("lines");
    const threads = data.block[0] * data.block[1] * data.block[2];
    const warps = Math.ceil(threads / 32);
    const count = data.count;
    const still = matchMedia("(prefers-reduced-motion: reduce)");
    const isWide = matchMedia("(min-width: 60.01rem)");

    /* The steps, as columns. */
    const op = new Uint32Array(count), warp = new Uint8Array(count), lanes = new Uint32Array(count);
    const other = new Uint32Array(count), shape = new Int32Array(count);
    const first = new Float64Array(count);
    const isAccess = (i) => data.ops[op[i]][0] <= ATOMIC;
    const kindOf = (i) => data.ops[op[i]][0];
    const placeOf = (i) => data.ops[op[i]][3];

    (() => {
        const before = new Float64Array(data.ops.length), text = data.steps, numbers = [];
        let value = 0, sign = 1, i = 0;

        for (let at = 0; at < text.length; at++) {
            const code = text.charCodeAt(at);
            if (code >= 97) {
                value = value * 36 + code - 87;
            } else if (code >= 48 && code <= 57) {
                value = value * 36 + code - 48;
            } else if (code === 45) {
                sign = -1;
            } else {
                numbers.push(sign * value);
                value = 0;
                sign = 1;
            }
            if (code === 59) {
                op[i] = numbers[0];
                warp[i] = numbers[1];
                lanes[i] = data.lanes[numbers[2]];
                const kind = kindOf(i);
                other[i] = kind === BARRIER || kind === EXIT ? numbers[3] : data.lanes[numbers[3]];
                if (numbers.length > 4) {
                    shape[i] = numbers[4];
                    first[i] = before[op[i]] += numbers[5];
                }
                numbers.length = 0;
                i++;
            }
        }
    })();

    /* For each warp: its steps, and how its lanes wait and end from a step on. */
    const own = [], changes = [];
    const released = new Int32Array(count); // after which step the picture of shared memory begins
    for (let w = 0; w < warps; w++) {
        own.push([]);
        changes.push({ at: [-1], waits: [0], ended: [0] });
    }
    (() => {
        const waits = [], ended = new Uint32Array(warps);
        const gaps = data.gaps.slice();
        let begin = -1;
        const note = (w, i) => {
            let all = 0;
            for (const key in waits[w]) {
                all |= waits[w][key];
            }
            changes[w].at.push(i);
            changes[w].waits.push(all >>> 0);
            changes[w].ended.push(ended[w]);
        };

        for (let w = 0; w < warps; w++) {
            waits.push({});
        }
        for (let i = 0; i < count; i++) {
            if (gaps.length > 0 && gaps[0][0] === i) {
                const gap = gaps.shift();
                waits.forEach((of, w) => { waits[w] = {}; });
                gap[2].forEach(([w, barrier, mask]) => { waits[w][barrier] = mask; });
                gap[3].forEach(([w, mask]) => { ended[w] = mask; });
                waits.forEach((of, w) => note(w, i - 1));
                begin = i - 1;
            }
            const kind = kindOf(i), w = warp[i], barrier = other[i] & 15;
            own[w].push(i);
            if (kind === EXIT) {
                ended[w] |= lanes[i];
                note(w, i);
            } else if (kind === BARRIER && (other[i] & 16) === 0) {
                waits[w][barrier] |= lanes[i];
                note(w, i);
            }
            released[i] = begin;
            if (data.ops[op[i]][4]) {
                waits.forEach((of, k) => {
                    if (of[barrier]) {
                        of[barrier] = 0;
                        note(k, i);
                    }
                });
                begin = i;
            }
        }
    })();

    /* The last number in a sorted list that is at most `most`, as an index; -1: none is. */
    const lastUpTo = (list, most) => {
        let low = 0, high = list.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (list[middle] <= most) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    };
    const lanesOf = (mask) => {
        const list = [];
        for (let lane = 0; lane < 32; lane++) {
            if (mask >>> lane & 1) {
                list.push(lane);
            }
        }
        return list;
    };
    const lowest = (mask) => 31 - Math.clz32(mask & -mask);
    const bits = (mask) => lanesOf(mask).length;

    /* Where each lane's access begins: [lane, address] pairs. */
    const addresses = (i) => {
        const of = data.shapes[shape[i]], low = lowest(lanes[i]);
        return lanesOf(lanes[i]).map((lane, k) =>
            [lane, first[i] + (Array.isArray(of) ? of[k] : of * (lane - low))]);
    };

    const memories = [...$("memories").children].map((item) => ({
        space: +item.dataset.space, start: +item.dataset.start, bytes: +item.dataset.bytes,
        size: +item.dataset.element, name: item.textContent,
    }));
    memories.filter((of) => of.space !== SHARED && of.name === "").forEach((of, k) => {
        of.name = `allocation ${k + 1}`;
    });
    const memoryAt = (space, address) => memories.find((of) => of.space === space &&
        address >= of.start && address < of.start + of.bytes);
    /* Where nobody says how large an element is, it is as large as the smallest access. */
    for (let i = 0; i < count; i++) {
        const of = isAccess(i) && memoryAt(data.ops[op[i]][1], first[i]);
        if (of && !(+of.smallest <= data.ops[op[i]][2])) {
            of.smallest = data.ops[op[i]][2];
        }
    }
    /* A rubric's arrays have one index; what the program declares may have several. */
    const indexIn = (of, address) =>
        Math.floor((address - of.start) / (of.size || of.smallest || 1));
    const elementAt = (space, address) => {
        const of = memoryAt(space, address);
        if (!of) {
            return space === SHARED ? `byte ${address}` : "an address outside of all arrays";
        }
        const index = indexIn(of, address);
        return of.size > 0 ? `${of.name}[${index}]` : `element ${index} of ${of.name}`;
    };

    const threadName = (w, lane) => {
        const t = w * 32 + lane, [x, y, z] = data.block;
        const parts = [t % x, Math.floor(t / x) % y, Math.floor(t / x / y)];
        return `(${(z > 1 ? parts : parts.slice(0, 2)).join(",")})`;
    };
    const laneRange = (mask) => {
        const list = lanesOf(mask), low = list[0], high = list[list.length - 1];
        if (list.length === 32) {
            return "all 32 lanes";
        }
        if (list.length === 1) {
            return `lane ${low}`;
        }
        return high - low + 1 === list.length ? `lanes ${low} to ${high}` : `${list.length} lanes`;
    };
    const lineName = (i) => {
        const line = places[placeOf(i)][1];
        return line > 0 ? `line ${line}` : "a line that is not known";
    };
    const digits = new Intl.NumberFormat("en");
    const plural = (number, word) => `${digits.format(number)} ${word}${number === 1 ? "" : "s"}`;

    /* What an access costs, as the grader counts it. */
    const bankCost = (i) => {
        const bytes = data.ops[op[i]][2], size = bytes <= 4 ? 32 : bytes === 8 ? 16 : 8;
        let units = 0, least = 0, degree = 0;
        for (let from = 0; from < 32; from += size) {
            const words = new Set(), banks = new Array(BANKS).fill(0);
            let any = false;
            addresses(i).forEach(([lane, address]) => {
                if (lane < from || lane >= from + size) {
                    return;
                }
                any = true;
                for (let at = address - address % WORD; at < address + bytes; at += WORD) {
                    const word = at / WORD;
                    if (!words.has(word)) {
                        words.add(word);
                        banks[((word % BANKS) + BANKS) % BANKS]++;
                    }
                }
            });
            const most = Math.max(...banks);
            units += most;
            least += any ? 1 : 0;
            degree = Math.max(degree, most);
        }
        return { units, least, degree };
    };
    const sectorsOf = (i) => {
        const bytes = data.ops[op[i]][2], sectors = new Map();
        addresses(i).forEach(([lane, address]) => {
            for (let at = Math.floor(address / SECTOR); at * SECTOR < address + bytes; at++) {
                if (!sectors.has(at)) {
                    sectors.set(at, []);
                }
                sectors.get(at).push([lane, address]);
            }
        });
        return [...sectors.entries()].sort((a, b) => a[0] - b[0]);
    };

    /* Colours are those of the style sheet, read again when the screen turns dark. */
    let colour = {};
    const readColours = () => {
        const style = getComputedStyle(document.documentElement);
        ["read", "write", "atomic", "wait", "past", "off", "bad-now", "paper", "ink", "soft",
            "line", "accent", "panel"].forEach((name) => {
            colour[name] = style.getPropertyValue(`--${name}`).trim();
        });
    };
    const kindColour = (kind) => [colour.read, colour.write, colour.atomic][kind];

    /* Widths of canvases are measured when the window changes: to ask at each step would have the
       page laid out each time. */
    const widths = new Map();
    const measure = () => document.querySelectorAll("canvas").forEach((canvas) => {
        widths.set(canvas, canvas.clientWidth || 300);
    });
    /* A canvas of `height` pixels of the page, sharp on any screen. */
    const prepare = (canvas, height) => {
        const ratio = devicePixelRatio || 1, width = widths.get(canvas);
        const size = [Math.round(width * ratio), Math.round(height * ratio)];
        if (canvas.width !== size[0] || canvas.height !== size[1]) {
            [canvas.width, canvas.height] = size;
            canvas.style.height = `${height}px`;
        }
        const context = canvas.getContext("2d");
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, width, height);
        return { context, width, height };
    };

    let now = 0, moment = null, timer = 0;

    /* The time line ***********************************************************************/
    const rows = [...new Set(places.map(([file, line]) => `${file}:${line}`))]
        .map((key) => key.split(":").map(Number)).filter(([, line]) => line > 0)
        .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const rowOf = new Map(rows.map(([file, line], k) => [`${file}:${line}`, k]));
    const placeRow = places.map(([file, line]) => rowOf.get(`${file}:${line}`) ?? 0);
    const buttons = [...document.querySelectorAll(".findings button")];
    let picture = null, margin = 0; // left of the time line: numbers of lines, where they fit

    const drawSteps = () => {
        const canvas = $("line");
        const { context, width: whole, height } = prepare(canvas,
            Math.max(36, Math.min(isWide.matches ? 99 : 56, rows.length * 11)));
        const tall = height / Math.max(1, rows.length);
        margin = tall >= 9 ? 30 : 0;
        const width = whole - margin, wide = Math.max(1, width / count);
        context.fillStyle = colour.soft;
        context.font = "10px sans-serif";
        context.textBaseline = "middle";
        rows.forEach(([, line], k) =>
            margin > 0 && context.fillText(String(line), 2, (k + .5) * tall));
        context.translate(margin, 0);
        for (let i = 0; i < count; i++) {
            const kind = kindOf(i);
            context.fillStyle = isAccess(i) ? kindColour(kind)
                : kind === BARRIER ? colour.wait : colour.soft;
            context.fillRect(i / count * width, placeRow[placeOf(i)] * tall, wide,
                Math.max(1, tall - .5));
        }
        context.fillStyle = colour.ink;
        data.gaps.forEach(([at]) => context.fillRect(at / count * width, 0, 1, height));
        context.fillStyle = colour["bad-now"];
        buttons.forEach((button) => context.fillRect(
            (+button.dataset.step + .5) / count * width - 1, 0, 2, height));
        picture = document.createElement("canvas");
        picture.width = canvas.width;
        picture.height = canvas.height;
        picture.getContext("2d").drawImage(canvas, 0, 0);
    };
    const drawTime = () => {
        const canvas = $("line"), context = canvas.getContext("2d");
        const left = margin * canvas.width / (widths.get(canvas) || 1);
        const x = left + (now + .5) / count * (canvas.width - left);
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.clearRect(0, 0, canvas.width, canvas.height);
        context.drawImage(picture, 0, 0);
        context.fillStyle = colour.ink;
        context.fillRect(x - 1, 0, 2, canvas.height);
    };

    /* The threads *************************************************************************/
    const stateOf = (w) => {
        const of = changes[w], k = lastUpTo(of.at, now);
        return { waits: of.waits[k], ended: of.ended[k] };
    };
    const liveMask = (w) => {
        const left = threads - 32 * w;
        return left >= 32 ? 0xffffffff : (1 << left) - 1 >>> 0;
    };
    const drawThreads = () => {
        const canvas = $("lanes"), label = 26;
        const cell = Math.min(20, (widths.get(canvas) - label) / 32, Math.max(10, 400 / warps));
        const { context } = prepare(canvas, Math.max(1, Math.ceil(cell * warps)));
        const kind = kindOf(now);
        const marks = !moment || moment.step !== now || moment.lane > 31 ? []
            : [[warp[now], moment.lane]].concat(
                moment.other < 0 ? [] : [[warp[moment.other], moment.otherLane]]);
        let waiting = 0, coming = 0, ended = 0;

        context.font = `${Math.min(11, cell - 1)}px sans-serif`;
        context.textBaseline = "middle";
        for (let w = 0; w < warps; w++) {
            const { waits, ended: gone } = stateOf(w), exist = liveMask(w), y = w * cell;
            context.fillStyle = w === warp[now] ? colour.ink : colour.soft;
            context.fillText(`w${w}`, 0, y + cell / 2);
            for (let lane = 0; lane < 32; lane++) {
                if (!(exist >>> lane & 1)) {
                    continue;
                }
                const x = label + lane * cell;
                const acts = w === warp[now] && lanes[now] >>> lane & 1;
                const waitsHere = waits >>> lane & 1, goneHere = gone >>> lane & 1;
                waiting += waitsHere;
                ended += goneHere;
                coming += !waitsHere && !goneHere ? 1 : 0;
                context.fillStyle = acts && kind <= ATOMIC ? kindColour(kind)
                    : waitsHere ? colour.wait : goneHere ? colour.off
                        : acts ? colour.accent : colour.past;
                context.fillRect(x + .5, y + .5, cell - 1, cell - 1);
                if (goneHere) {
                    context.strokeStyle = colour.soft;
                    context.strokeRect(x + 1.5, y + 1.5, cell - 3, cell - 3);
                }
                if (acts && kind <= ATOMIC && other[now] >>> lane & 1) {
                    context.fillStyle = colour["bad-now"];
                    context.fillRect(x + .5, y + cell / 2, cell - 1, cell / 2 - .5);
                }
            }
            for (const [of, lane] of marks) {
                if (w === of) {
                    context.strokeStyle = colour["bad-now"];
                    context.lineWidth = 3;
                    context.strokeRect(label + lane * cell + 1, y + 1, cell - 2, cell - 2);
                    context.lineWidth = 1;
                }
            }
            if (w === warp[now]) {
                context.strokeStyle = colour.ink;
                context.lineWidth = 1.5;
                context.strokeRect(label + .5, y + .5, 32 * cell - 1, cell - 1);
                context.lineWidth = 1;
            }
        }
        const words = waiting === 0 ? [`${plural(threads - ended, "thread")} run`]
            : [`${plural(waiting, "thread")} wait at a barrier`,
                `${plural(coming, "thread")} still run`];
        $("lanes-says").textContent =
            words.concat(ended > 0 ? [`${plural(ended, "thread")} have ended`] : []).join(", ");
    };

    /* Shared memory: what happened to each word since the last barrier *******************/
    const words = Math.ceil(data.shared / WORD);
    const writer = new Int32Array(words), reader = new Int32Array(words); // thread plus 1; 0: none
    const readers = new Uint8Array(words); // 1: threads of several warps read it
    let shownAt = -2, shownFrom = -2;

    const touch = (i) => {
        const [kind, space, bytes] = data.ops[op[i]];
        if (kind > ATOMIC || space !== SHARED) {
            return;
        }
        addresses(i).forEach(([lane, address]) => {
            const thread = warp[i] * 32 + lane + 1;
            for (let at = Math.floor(address / WORD); at * WORD < address + bytes; at++) {
                if (at < 0 || at >= words) {
                    continue;
                }
                if (kind !== READ) {
                    writer[at] = thread;
                }
                if (kind !== WRITE) {
                    reader[at] = thread;
                }
            }
        });
    };
    const rebuild = () => {
        const from = Math.max(released[now], now - BACK_MAX);
        if (!(from === shownFrom && shownAt < now && now - shownAt < BACK_MAX)) {
            writer.fill(0);
            reader.fill(0);
            shownAt = from;
        }
        for (let i = shownAt + 1; i < now; i++) {
            touch(i);
        }
        shownAt = now - 1;
        shownFrom = from;
    };
    /* Words that a lane of a step touches. */
    const wordsOf = (i, lane) => {
        const found = addresses(i).find(([of]) => of === lane), list = new Set();
        if (found) {
            const end = found[1] + data.ops[op[i]][2];
            for (let at = Math.floor(found[1] / WORD); at * WORD < end; at++) {
                list.add(at);
            }
        }
        return list;
    };
    const isShared = (i) => isAccess(i) && data.ops[op[i]][1] === SHARED;
    let topRow = 0;

    const drawShared = () => {
        const canvas = $("shared"), section = canvas.parentElement;
        section.hidden = words === 0;
        if (words === 0) {
            return;
        }
        rebuild();
        const total = Math.ceil(words / BANKS), shown = Math.min(total, 40), label = 40;
        const cell = Math.min(18, (widths.get(canvas) - label) / BANKS), low = Math.min(cell, 12);
        const touched = new Map();
        if (isShared(now)) {
            const bytes = data.ops[op[now]][2];
            let least = Infinity;
            addresses(now).forEach(([lane, address]) => {
                for (let at = Math.floor(address / WORD); at * WORD < address + bytes; at++) {
                    touched.set(at, (touched.get(at) || 0) + 1);
                    least = Math.min(least, at);
                }
            });
            const row = Math.max(0, Math.min(total - 1, Math.floor(least / BANKS)));
            if (row < topRow || row >= topRow + shown - 1) {
                topRow = Math.max(0, Math.min(total - shown, row - 2));
            }
        }
        const { context } = prepare(canvas, shown * low + 14);
        context.font = "10px sans-serif";
        context.textBaseline = "middle";
        context.fillStyle = colour.soft;
        for (let bank = 0; bank < BANKS; bank += 8) {
            context.fillText(`bank ${bank}`, label + bank * cell, 6);
        }
        const bad = moment && moment.step === now && moment.other >= 0 && isShared(now)
            ? wordsOf(now, moment.lane) : new Set();
        const crowded = isShared(now) ? bankCost(now) : { units: 0, least: 0 };
        const inBank = new Array(BANKS).fill(0);
        [...touched.keys()].forEach((at) => { inBank[at % BANKS]++; });
        for (let row = 0; row < shown; row++) {
            const y = 14 + row * low;
            context.fillStyle = colour.soft;
            context.fillText(String((topRow + row) * BANKS * WORD), 0, y + low / 2);
            for (let bank = 0; bank < BANKS; bank++) {
                const at = (topRow + row) * BANKS + bank, x = label + bank * cell;
                if (at >= words) {
                    break;
                }
                context.fillStyle = writer[at] ? colour.write
                    : reader[at] ? colour.read : colour.off;
                context.globalAlpha = writer[at] || reader[at] ? .35 : 1;
                context.fillRect(x + .5, y + .5, cell - 1, low - 1);
                context.globalAlpha = 1;
                if (touched.has(at)) {
                    context.fillStyle = kindColour(kindOf(now));
                    context.fillRect(x + .5, y + .5, cell - 1, low - 1);
                }
                if (touched.has(at) && crowded.units > crowded.least && inBank[bank] > 1) {
                    context.fillStyle = colour["bad-now"];
                    context.fillRect(x + .5, y + low / 2, cell - 1, low / 2 - .5);
                }
                if (bad.has(at)) {
                    context.strokeStyle = colour["bad-now"];
                    context.lineWidth = 3;
                    context.strokeRect(x + 1, y + 1, cell - 2, low - 2);
                    context.lineWidth = 1;
                }
            }
        }
        $("shared-says").textContent = sharedWords();
    };
    const sharedWords = () => {
        if (!isShared(now)) {
            return `${plural(data.shared, "byte")}; coloured: touched since the last barrier`;
        }
        const cost = bankCost(now), of = memoryAt(SHARED, first[now]);
        const where = of && of.name ? `${of.name}: ` : "";
        return cost.units <= cost.least
            ? `${where}${plural(cost.units, "wavefront")}, no bank conflict`
            : `${where}a ${cost.degree}-way bank conflict: ${plural(cost.units, "wavefront")}, ` +
              `where ${cost.least} would do`;
    };

    /* Global memory ***********************************************************************/
    /* What a sector holds at first, or what it is that is touched in it: "A[8]". */
    const sectorName = (space, touches, start) => {
        const of = memoryAt(space, start) || memoryAt(space, touches[0][1]);
        return of ? `${of.name}[${indexIn(of, Math.max(start, of.start))}]`.slice(0, 22)
            : "not in an array";
    };
    const drawGlobal = () => {
        const canvas = $("global"), isGlobal = isAccess(now) && data.ops[op[now]][1] !== SHARED;
        const label = 130, cell = Math.min(26, Math.max(8, (widths.get(canvas) - label) / 8));
        const tall = 14, most = 32;
        if (!isGlobal) {
            prepare(canvas, 1);
            $("global-says").textContent = "this step does not touch it";
            return;
        }
        const [kind, space, bytes] = data.ops[op[now]];
        const sectors = sectorsOf(now), shown = sectors.slice(0, most);
        const { context } = prepare(canvas, shown.length * tall + 2);
        context.font = "11px sans-serif";
        context.textBaseline = "middle";
        const marked = moment && moment.step === now
            ? addresses(now).find(([lane]) => lane === moment.lane) : null;
        shown.forEach(([number, touches], row) => {
            const start = number * SECTOR, y = row * tall;
            const isBad = touches.some(([lane]) => other[now] >>> lane & 1);
            context.fillStyle = isBad ? colour["bad-now"] : colour.soft;
            context.fillText(sectorName(space, touches, start), 0, y + tall / 2);
            for (let word = 0; word < SECTOR / WORD; word++) {
                const from = start + word * WORD, x = label + word * cell;
                const is = touches.filter(([, at]) => at < from + WORD && at + bytes > from);
                context.fillStyle = is.length === 0 ? colour.off
                    : is.some(([lane]) => other[now] >>> lane & 1) ? colour["bad-now"]
                        : kindColour(kind);
                context.fillRect(x + .5, y + .5, cell - 1, tall - 1);
                if (marked && marked[1] < from + WORD && marked[1] + bytes > from) {
                    context.strokeStyle = colour["bad-now"];
                    context.lineWidth = 3;
                    context.strokeRect(x + 1, y + 1, cell - 2, tall - 2);
                    context.lineWidth = 1;
                }
            }
        });
        const distinct = new Set(addresses(now).map(([, at]) => at)).size;
        const least = Math.ceil(distinct * bytes / SECTOR);
        const more = sectors.length > most ? `; the first ${most} are shown` : "";
        $("global-says").textContent = sectors.length <= least
            ? `${plural(sectors.length, "sector")} of 32 bytes, as few as possible${more}`
            : `${plural(sectors.length, "sector")} of 32 bytes, where ${least} would do${more}`;
    };

    /* The source **************************************************************************/
    const items = new Map();
    document.querySelectorAll("ol.source[data-file]").forEach((list) => {
        list.querySelectorAll("li[data-line]").forEach((item) => {
            items.set(`${list.dataset.file}:${item.dataset.line}`, item);
        });
    });
    const itemOf = (i) => items.get(places[placeOf(i)].join(":"));
    let current = null, paired = null;
    const marked = new Map(); // what each line says of the warps that are there

    /* Asked before anything changes on the page, which is laid out then. */
    const bringIntoSight = () => {
        const item = itemOf(now);
        if (!item || item === current || !isWide.matches) {
            return;
        }
        const box = item.getBoundingClientRect(), list = item.closest(".listing");
        const around = list.getBoundingClientRect();
        if (box.top < around.top || box.bottom > Math.min(around.bottom, innerHeight)) {
            list.scrollTop += box.top - around.top - around.height / 2;
        }
    };
    const drawSource = () => {
        const item = itemOf(now), at = new Map();
        const pair = moment && moment.step === now && moment.other >= 0
            ? itemOf(moment.other) : null;
        if (current !== item) {
            current?.classList.remove("current");
            current?.removeAttribute("aria-current");
            item?.classList.add("current");
            item?.setAttribute("aria-current", "step");
            current = item;
        }
        if (paired !== pair) {
            paired?.classList.remove("paired");
            pair?.classList.add("paired");
            paired = pair;
        }
        for (let w = 0; w < warps; w++) {
            const k = lastUpTo(own[w], now), line = k < 0 ? null : itemOf(own[w][k]);
            if (line) {
                at.set(line, (at.get(line) || []).concat(w));
            }
        }
        marked.forEach((words, line) => {
            if (!at.has(line)) {
                line.querySelector(".who").textContent = "";
                marked.delete(line);
            }
        });
        at.forEach((list, line) => {
            const text = list.length === warps && warps > 1 ? "all warps"
                : list.length > 3 ? `${list.length} warps` : list.map((w) => `w${w}`).join(" ");
            if (marked.get(line) !== text) {
                line.querySelector(".who").textContent = text;
                marked.set(line, text);
            }
        });
    };

    /* Words *******************************************************************************/
    /* The elements that the lanes with valid addresses touch. */
    const elementsOf = (i) => {
        const [, space, bytes] = data.ops[op[i]];
        const list = addresses(i).filter(([lane]) => !(other[i] >>> lane & 1)).map(([, at]) => at);
        const low = Math.min(...list), high = Math.max(...list) + bytes - 1;
        const from = elementAt(space, low), to = elementAt(space, high);
        const distinct = new Set(list).size, of = memoryAt(space, low);
        const isDense = high - low + 1 === distinct * bytes;
        const isSame = of && of === memoryAt(space, high) && !of.size;
        const range = isSame
            ? `elements ${indexIn(of, low)} to ${indexIn(of, high)} of ${of.name}`
            : `${from} to ${to}`;
        return from === to ? from
            : isDense ? range : `${plural(distinct, "place")} among ${range}`;
    };
    const describe = (i) => {
        const [kind, , , , releases] = data.ops[op[i]], w = `warp ${warp[i]}`;
        const who = `${w}, ${lineName(i)}: ${laneRange(lanes[i])}`;
        const one = bits(lanes[i]) === 1 ? "s" : "";
        if (kind <= ATOMIC) {
            const verb = ["read", "write", "update"][kind] + one;
            const bad = other[i] === 0 ? ""
                : `; ${laneRange(other[i])} at an address that is not valid`;
            return other[i] === lanes[i] ? `${who} ${verb} at an address that is not valid`
                : `${who} ${verb} ${elementsOf(i)}${bad}`;
        }
        if (kind === BARRIER) {
            const end = releases ? ", the last that it waits for: all go on"
                : other[i] & 16 ? `, and go${one ? "es" : ""} on` : `, and wait${one}`;
            const which = (other[i] & 15) === 0 ? "a barrier" : `barrier ${other[i] & 15}`;
            return `${who} come${one} to ${which}${end}`;
        }
        if (kind === BRANCH) {
            const rest = (other[i] & ~lanes[i]) >>> 0;
            return `${w}, ${lineName(i)}: the lanes part; ${laneRange(lanes[i])} branch, ` +
                `${laneRange(rest)} do not`;
        }
        return `${who} end${one}${releases ? "; those who wait at the barrier go on" : ""}`;
    };
    const say = () => {
        const gap = data.gaps.find(([at]) => at === now);
        const before = gap ? `${plural(gap[1], "step")} are left out here. ` : "";
        $("now").textContent = before + describe(now);
        let happens = "";
        if (moment && moment.step === now && moment.other >= 0 && !isAccess(now)) {
            const i = moment.other, mine = threadName(warp[now], moment.lane);
            const theirs = threadName(warp[i], moment.otherLane);
            const ends = kindOf(now) === EXIT ? "ends" : "comes to the barrier";
            const did = kindOf(i) === EXIT ? "has ended" : "waits at the barrier";
            happens = `Here it happens: thread ${mine} ${ends} in ${lineName(now)}, ` +
                `while thread ${theirs} ${did} in ${lineName(i)}`;
        } else if (moment && moment.step === now && moment.other >= 0) {
            const i = moment.other, space = data.ops[op[now]][1];
            const mine = addresses(now).find(([lane]) => lane === moment.lane);
            const verbs = ["reads", "writes", "updates"], did = ["read", "wrote", "updated"];
            happens = mine ? `Here it happens: thread ${threadName(warp[now], moment.lane)} ` +
                `${verbs[kindOf(now)]} ${elementAt(space, mine[1])}, which thread ` +
                `${threadName(warp[i], moment.otherLane)} ` + (i === now
                ? `${verbs[kindOf(i)]} in the same step`
                : `${did[kindOf(i)]} in ${lineName(i)}, ${plural(now - i, "step")} earlier; ` +
                  "no barrier is between") : "";
        } else if (moment && moment.step === now) {
            happens = moment.lane < 32
                ? `Here it happens, in thread ${threadName(warp[now], moment.lane)}` +
                  (isAccess(now) && other[now] >>> moment.lane & 1
                      ? ": its address is not valid" : "") +
                  (moment.isBeyond ? "; the other thread is in another block" : "")
                : "This line runs here for the first time";
        }
        $("happens").textContent = happens;
        $("place").textContent = `step ${digits.format(now + 1)} of ${digits.format(count)}`;
        $("first").disabled = $("back").disabled = now === 0;
        $("next").disabled = now === count - 1;
        buttons.forEach((button) => button.parentElement.classList.toggle(
            "here", moment !== null && moment.button === button && moment.step === now));
    };

    /* Going *******************************************************************************/
    const show = (i, scrolls = true) => {
        now = Math.max(0, Math.min(count - 1, i));
        const start = performance.now();
        if (scrolls) {
            bringIntoSight();
        }
        $("time").value = now;
        $("time").setAttribute("aria-valuetext", `step ${now + 1} of ${count}`);
        drawTime();
        drawThreads();
        drawShared();
        drawGlobal();
        drawSource();
        say();
        document.body.dataset.step = now;
        document.body.dataset.milliseconds = (performance.now() - start).toFixed(2);
    };
    const momentOf = (button) => ({
        button, step: +button.dataset.step, lane: +button.dataset.lane,
        other: "other" in button.dataset ? +button.dataset.other : -1,
        otherLane: +(button.dataset.otherLane ?? 0), isBeyond: "beyond" in button.dataset,
    });
    const goTo = (button) => {
        stop();
        moment = momentOf(button);
        show(moment.step);
    };
    const sorted = buttons.slice().sort((a, b) => a.dataset.step - b.dataset.step);
    const nextFinding = (back) => {
        const list = back ? sorted.slice().reverse() : sorted;
        const is = (of) => (back ? +of.dataset.step < now : +of.dataset.step > now);
        const to = list.find(is) ?? list[0];
        if (to) {
            goTo(to);
        }
    };
    const nextBarrier = () => {
        let i = now + 1;
        while (i < count && !data.ops[op[i]][4]) {
            i++;
        }
        if (i < count) {
            stop();
            show(i);
        }
    };
    const stop = () => {
        clearInterval(timer);
        timer = 0;
        $("play").textContent = "Play";
        $("now").setAttribute("aria-live", "polite");
    };
    const tick = () => (now < count - 1 ? show(now + 1) : stop());
    const play = () => {
        if (timer !== 0) {
            stop();
            return;
        }
        if (now === count - 1) {
            show(0);
        }
        const speed = still.matches ? Math.min(1, +$("speed").value) : +$("speed").value;
        timer = setInterval(tick, 1000 / speed);
        $("play").textContent = "Stop";
        $("now").setAttribute("aria-live", "off"); // too much to be read out
    };
    const step = (by) => {
        stop();
        show(now + by);
    };

    $("first").addEventListener("click", () => step(-count));
    $("back").addEventListener("click", () => step(-1));
    $("next").addEventListener("click", () => step(1));
    $("play").addEventListener("click", play);
    $("barrier").addEventListener("click", nextBarrier);
    $("finding").addEventListener("click", () => nextFinding(false));
    $("finding").disabled = buttons.length === 0;
    $("speed").addEventListener("change", () => {
        if (timer !== 0) {
            stop();
            play();
        }
    });
    $("time").addEventListener("input", () => step(+$("time").value - now));
    $("line").addEventListener("click", (event) => {
        const part = (event.offsetX - margin) / ($("line").clientWidth - margin);
        step(Math.floor(part * count) - now);
    });
    buttons.forEach((button) => button.addEventListener("click", () => goTo(button)));

    const keys = {
        ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-count),
        End: () => step(count), " ": play, n: () => nextFinding(false),
        p: () => nextFinding(true), b: nextBarrier,
    };
    document.addEventListener("keydown", (event) => {
        const on = event.target.closest("button, input, select, a");
        const isOwn = event.key === " " ? on : on && on.matches("input, select");
        if (!keys[event.key] || isOwn || event.ctrlKey || event.altKey || event.metaKey) {
            return;
        }
        event.preventDefault();
        keys[event.key]();
    });

    const legend = (id, parts) => parts.forEach(([name, words]) => {
        const span = document.createElement("span");
        span.style.setProperty("--of", `var(--${name})`);
        span.textContent = words;
        $(id).append(span);
    });
    const accesses = [["read", "reads"], ["write", "writes"], ["atomic", "updates"]];
    legend("lanes-legend", accesses.concat([["wait", "waits at a barrier"], ["past", "runs"],
        ["off", "has ended"], ["bad-now", "not a valid address"]]));
    legend("shared-legend",
        accesses.concat([["off", "untouched"], ["bad-now", "shares its bank"]]));
    legend("global-legend", accesses.concat([["off", "not asked for"]]));

    const redraw = () => {
        readColours();
        measure();
        drawSteps();
        show(now, false);
    };
    const follow = () => {
        const item = document.getElementById(location.hash.slice(1));
        const button = item?.querySelector?.("button[data-step]");
        if (button) {
            goTo(button);
            return true;
        }
        return false;
    };

    if (count === 0) {
        $("now").textContent = "This block made no steps that are shown.";
        return;
    }
    redraw();
    if (!follow() && sorted.length > 0) {
        goTo(sorted[0]);
    }
    addEventListener("hashchange", follow);
    addEventListener("resize", redraw);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
});
