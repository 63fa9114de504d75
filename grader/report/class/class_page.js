"use strict";
// class_page.js: sorts, filters and pages the tables of the pages on a class and on a term, which can be read
// without it. Rows that are not shown are taken out of the page, so that ten thousand stay quick;
// until the page is there the style sheet hides them.
document.documentElement.classList.add("loading");
document.addEventListener("DOMContentLoaded", () => {
    const PAGE_ROWS = 500;
    const LETTERS = { passed: "P", partial: "\u00bd", failed: "F", skipped: "S", error: "E" };
    const STATE_CELL = 7;
    const LETTERS_CELL = 2;

    const enhanced = [];

    // What a row is sorted by: null for nothing, which comes last either way.
    function keyOf(row, column, isNumber) {
        const cell = row.cells[column];
        const text = cell.dataset.v ?? cell.textContent.trim();
        if (!isNumber) {
            return text === "" ? null : text.toLowerCase();
        }
        const number = parseFloat(text.replace(/,/g, ""));
        return Number.isNaN(number) ? null : number;
    }

    function compare(a, b, sign) {
        if (a.key === null || b.key === null) {
            return (a.key === null) - (b.key === null) || a.index - b.index;
        }
        const order = typeof a.key === "number" ? a.key - b.key : a.key.localeCompare(b.key);
        return sign * order || a.index - b.index;
    }

    function render(table) {
        const end = Math.min(table.first + table.limit, table.selected.length);
        const fragment = document.createDocumentFragment();
        for (const row of table.selected.slice(table.first, end)) {
            fragment.append(row);
        }
        table.body.replaceChildren(fragment);
        table.pager.hidden = table.first === 0 && end === table.selected.length;
        table.pagerText.textContent =
            `Rows ${table.first + 1} to ${end} of ${table.selected.length}. `;
        table.previous.disabled = table.first === 0;
        table.next.disabled = end === table.selected.length;
    }

    function show(table, first, limit) {
        table.first = first;
        table.limit = limit;
        render(table);
    }

    function select(table, isWanted) {
        table.isWanted = isWanted;
        table.selected = table.rows.filter(isWanted);
        show(table, 0, table.limit);
    }

    function sort(table, column, head) {
        const isNumber = head.dataset.sort === "number";
        const old = head.getAttribute("aria-sort");
        const isDescending = old === null ? isNumber : old === "ascending";

        for (const other of table.heads) {
            other.removeAttribute("aria-sort");
        }
        head.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
        const keyed = table.rows.map((row, index) => ({
            row, index, key: keyOf(row, column, isNumber),
        }));
        keyed.sort((a, b) => compare(a, b, isDescending ? -1 : 1));
        table.rows = keyed.map((entry) => entry.row);
        select(table, table.isWanted);
    }

    function addSorting(table) {
        table.heads.forEach((head, column) => {
            if (head.dataset.sort === undefined) {
                return;
            }
            const button = document.createElement("button");
            button.type = "button";
            button.append(...head.childNodes);
            button.addEventListener("click", () => sort(table, column, head));
            head.append(button);
        });
    }

    function addPager(table) {
        const addButton = (text, action) => {
            const button = document.createElement("button");
            button.type = "button";
            button.textContent = text;
            button.addEventListener("click", action);
            table.pager.append(button, " ");
            return button;
        };
        table.pager = document.createElement("p");
        table.pager.className = "pager";
        table.pagerText = document.createElement("span");
        table.pager.append(table.pagerText);
        table.previous = addButton(`Previous ${PAGE_ROWS}`, () =>
            show(table, Math.max(0, table.first - PAGE_ROWS), PAGE_ROWS));
        table.next = addButton(`Next ${PAGE_ROWS}`, () =>
            show(table, table.first + PAGE_ROWS, PAGE_ROWS));
        addButton("Show all", () => show(table, 0, Infinity));
        table.element.before(table.pager);
    }

    function enhance(element) {
        const table = {
            element,
            body: element.tBodies[0],
            rows: [...element.tBodies[0].rows],
            heads: [...element.tHead.rows[0].cells],
            first: 0,
            limit: PAGE_ROWS,
        };
        addSorting(table);
        addPager(table);
        select(table, () => true);
        enhanced.push(table);
        return table;
    }

    // The filters of the list of students.
    function addFilters(table, form) {
        const search = form.querySelector("input");
        const texts = new Map(table.rows.map((row) => [row, row.textContent.toLowerCase()]));
        const fits = (row) => {
            const words = search.value.toLowerCase().split(/\s+/);
            const state = form.state.value;
            const criterion = form.criterion.value;
            const letter = LETTERS[form.status.value];
            const letters = row.cells[LETTERS_CELL].textContent;
            return words.every((word) => texts.get(row).includes(word)) &&
                (state === "" || row.cells[STATE_CELL].textContent === state) &&
                (letter === undefined ||
                    (criterion === "" ? letters.includes(letter) : letters[criterion] === letter));
        };
        const update = () => {
            select(table, fits);
            form.querySelector("p").textContent =
                `${table.selected.length} of ${table.rows.length} students`;
        };
        form.addEventListener("submit", (event) => event.preventDefault());
        form.addEventListener("input", update);
        form.hidden = false;
        update();
        return () => {
            form.reset();
            update();
        };
    }

    // A link to a student leads to the row also if it is filtered out or not shown yet.
    function showTarget(table, reset) {
        const id = location.hash.slice(1);
        const row = table.rows.find((each) => each.id === id);
        if (row === undefined) {
            return;
        }
        if (!table.selected.includes(row)) {
            reset();
        }
        const index = table.selected.indexOf(row);
        if (!row.isConnected) {
            show(table, index - index % PAGE_ROWS, PAGE_ROWS);
        }
        row.scrollIntoView({ block: "center" });
        for (const other of table.body.querySelectorAll(".found")) {
            other.classList.remove("found");
        }
        row.classList.add("found");
    }

    document.querySelectorAll("table.sortable").forEach(enhance);
    const students = enhanced.find((table) => table.element.classList.contains("students"));
    if (students !== undefined) { // the page on a term has another list
        const reset = addFilters(students, document.querySelector("form.filter"));
        addEventListener("hashchange", () => showTarget(students, reset));
        showTarget(students, reset);
    }

    // Paper has all rows that are selected.
    addEventListener("beforeprint", () => {
        for (const table of enhanced) {
            table.before = [table.first, table.limit];
            show(table, 0, Infinity);
        }
    });
    addEventListener("afterprint", () => {
        for (const table of enhanced) {
            show(table, ...table.before);
        }
    });
    document.documentElement.classList.remove("loading");
});
