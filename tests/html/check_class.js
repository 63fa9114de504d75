// check_class.js PAGE...: looks at pages of `gpugrade report --format html` in a headless Chromium.
//
// As check_pages.js, and what the page's script does: sorting, filtering, paging, links to students,
// paper. Pages without it must say the same. The largest ones are held to times, which are generous
// as the machine may be busy: what has to be caught is a page that hangs.
"use strict";

const path = require("path");
const {
    LOOKS, TIMEOUT_MS, WIDE, accessibility, axeSource, brokenLinks, launch, look, named, newPage,
    overflow, policy, structure, told,
} = require("./check_pages.js");

const SMALL_ROWS = 100; // axe and layout are asked for pages of at most so many
const PAGE_ROWS = 500;
const SECONDS_MAX = { load: 60, sort: 5, filter: 5 };

const rowsShown = () => document.querySelectorAll("table.students tbody tr").length;

// Seconds until a frame shows what an action did.
async function act(page, action, argument) {
    const start = Date.now();
    await page.evaluate(action, argument);
    await page.evaluate(() => new Promise((done) => {
        requestAnimationFrame(() => setTimeout(done, 0));
    }));
    return (Date.now() - start) / 1000;
}

// Rows and the words of each section, as a reader without the script has them.
async function plainRows(browser, file) {
    const page = await newPage(browser);

    await page.setJavaScriptEnabled(false);
    await page.goto(`file://${file}`);
    const client = await page.createCDPSession();
    const { root } = await client.send("DOM.getDocument", { depth: 0 });
    const { nodeIds } = await client.send("DOM.querySelectorAll", {
        nodeId: root.nodeId, selector: "table.students tbody tr",
    });
    const form = await client.send("DOM.querySelectorAll", {
        nodeId: root.nodeId, selector: "form.filter[hidden]",
    });
    await page.close();
    return { rows: nodeIds.length, isFormHidden: form.nodeIds.length === 1 };
}

const clickHead = (words) => {
    const buttons = [...document.querySelectorAll("table.students thead button")];
    buttons.find((button) => button.textContent.startsWith(words)).click();
};

const column = (index) =>
    [...document.querySelectorAll("table.students tbody tr")].map(
        (row) => row.cells[index].textContent);

async function sorting(page) {
    const problems = [];
    const seconds = await act(page, clickHead, "Mark");
    const isDescending = (cells) => {
        const numbers = cells.map(parseFloat).filter((number) => !Number.isNaN(number));
        return numbers.every((number, i) => i === 0 || numbers[i - 1] >= number);
    };
    if (!isDescending(await page.evaluate(column, 1))) {
        problems.push("marks do not descend");
    }
    await act(page, clickHead, "Mark");
    const ascending = await page.evaluate(column, 1);
    if (!isDescending(ascending.reverse())) {
        problems.push("marks do not ascend");
    }
    const sorted = await page.evaluate(() =>
        document.querySelector("th[aria-sort]")?.getAttribute("aria-sort"));
    if (sorted !== "ascending") {
        problems.push(`aria-sort is ${sorted}`);
    }
    await act(page, clickHead, "Student");
    if (seconds > SECONDS_MAX.sort) {
        problems.push(`it took ${seconds} s`);
    }
    return problems;
}

const setFilter = ([name, value]) => {
    const form = document.querySelector("form.filter");
    const field = name === "search" ? form.querySelector("input") : form.elements[name];
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
};

async function filtering(page, rows) {
    const problems = [];
    const all = Math.min(rows, PAGE_ROWS);

    const seconds = await act(page, setFilter, ["search", "ada lovelace"]);
    if (await page.evaluate(rowsShown) > 1) {
        problems.push("a search for one student shows others");
    }
    await act(page, setFilter, ["search", ""]);
    await act(page, setFilter, ["state", "missing"]);
    const states = await page.evaluate(column, 7);
    if (states.length === 0 || !states.every((state) => state === "missing")) {
        problems.push(`of the missing ${states.length} are shown`);
    }
    await act(page, setFilter, ["state", ""]);
    await act(page, setFilter, ["criterion", "1"]);
    await act(page, setFilter, ["status", "failed"]);
    const letters = await page.evaluate(column, 2);
    if (letters.length === 0 || !letters.every((each) => each[1] === "F")) {
        problems.push(`${letters.length} rows are said to fail at criterion b`);
    }
    await act(page, setFilter, ["criterion", ""]);
    await act(page, setFilter, ["status", ""]);
    if (await page.evaluate(rowsShown) !== all) {
        problems.push("not all rows come back");
    }
    if (!/^\d+ of \d+ students$/.test(await page.$eval("form.filter p", (p) => p.textContent))) {
        problems.push("it does not say how many are shown");
    }
    if (seconds > SECONDS_MAX.filter) {
        problems.push(`it took ${seconds} s`);
    }
    return problems;
}

const clickPager = (words) => {
    const buttons = [...document.querySelectorAll("table.students")[0].previousElementSibling
        .querySelectorAll("button")];
    buttons.find((button) => button.textContent.startsWith(words)).click();
};

// Pages of rows; nothing to do where all fit.
async function paging(page, rows) {
    const problems = [];
    const first = () => document.querySelector("table.students tbody tr").id;

    if (rows <= PAGE_ROWS) {
        return problems;
    }
    await act(page, clickPager, "Next");
    if (await page.evaluate(first) !== `s${PAGE_ROWS + 1}`) {
        problems.push("the next page starts elsewhere");
    }
    await act(page, clickPager, "Previous");
    if (await page.evaluate(first) !== "s1") {
        problems.push("the page before starts elsewhere");
    }
    await act(page, clickPager, "Show all");
    if (await page.evaluate(rowsShown) !== rows) {
        problems.push("all are not all");
    }
    return problems;
}

// A link to the last student leads there, even if it is filtered out or not shown.
async function following(page, rows) {
    await act(page, setFilter, ["search", "nobody has this name"]);
    await act(page, (id) => {
        location.hash = id;
    }, `s${rows}`);
    const problem = await page.evaluate((id) => {
        const row = document.getElementById(id);
        const box = row?.getBoundingClientRect();
        return !row ? "the row is not there"
            : box.bottom < 0 || box.top > innerHeight ? "the row is out of sight" : "";
    }, `s${rows}`);
    return problem;
}

async function paper(page, client, rows) {
    const shown = await page.evaluate((count) => {
        dispatchEvent(new Event("beforeprint"));
        const printed = document.querySelectorAll("table.students tbody tr").length;
        dispatchEvent(new Event("afterprint"));
        return printed === count ? "" : `${printed} of ${count} rows are printed`;
    }, rows);
    await look(page, client, { size: WIDE, media: "print" });
    const pdf = await page.pdf({ format: "A4", printBackground: false, timeout: TIMEOUT_MS });
    await look(page, client, { size: WIDE });
    return [shown, pdf.length > 2000 ? "" : "the print is empty"].filter(Boolean);
}

async function checkLooks(page, client, name) {
    await page.evaluate(axeSource);
    for (const how of name.includes("pseudonyms") ? LOOKS.slice(0, 2) : LOOKS) {
        await look(page, client, how);
        told(`accessible, ${how.name}`, await accessibility(page));
        told(`nothing reaches out, ${how.name}`, await overflow(page));
        if (process.env.SHOTS) {
            const file = `${process.env.SHOTS}/${name}-${how.name.replace(/ /g, "-")}.png`;
            await page.screenshot({ path: file, fullPage: true });
        }
    }
    await look(page, client, LOOKS[0]);
}

async function checkPage(browser, file) {
    const name = path.basename(file, ".html");
    const plain = await plainRows(browser, file);
    const page = await newPage(browser);
    const client = await page.createCDPSession();
    const requests = [];
    const messages = [];

    named(name);
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(String(error)));
    await look(page, client, LOOKS[0]);
    const start = Date.now();
    await page.goto(`file://${file}`);
    const seconds = (Date.now() - start) / 1000;
    told("it is there in time", seconds > SECONDS_MAX.load ? `it took ${seconds} s` : "");
    told("without its script it has all rows and no form",
        plain.isFormHidden && plain.rows > 0 ? "" : JSON.stringify(plain));
    told("its script shows what fits", await page.evaluate(rowsShown) ===
        Math.min(plain.rows, PAGE_ROWS) ? "" : "another number of rows is shown");
    told("nothing is loaded", requests.slice(1));
    told("the console is silent", messages);
    if (plain.rows <= SMALL_ROWS) {
        told("every link leads somewhere", await brokenLinks(page));
        told("pictures have words", await structure(page));
        await checkLooks(page, client, name);
    }
    told("rows can be sorted", await sorting(page));
    told("rows can be filtered", await filtering(page, plain.rows));
    told("links lead to students", await following(page, plain.rows));
    await page.goto("about:blank");
    await page.goto(`file://${file}`);
    told("rows can be paged", await paging(page, plain.rows));
    if (plain.rows <= SMALL_ROWS) {
        told("everything is printed", await paper(page, client, plain.rows));
    }
    told("the console is still silent", messages);
    told("the policy lets no other script run", await policy(page));
    await page.close();
}

async function main() {
    const browser = await launch();
    for (const file of process.argv.slice(2)) {
        await checkPage(browser, file);
    }
    await browser.close();
    process.exit(0);
}

main().catch((error) => {
    console.log(`NOT OK class: ${error.stack}`);
    process.exit(2);
});
