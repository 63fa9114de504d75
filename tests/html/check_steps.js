// check_steps.js PAGE...: drives pages of `gpugrade step` in a headless Chromium, by keyboard alone.
//
// As check_pages.js, and what the page's script does: steps, findings, barriers, playing. With
// GPUGRADE_SHOTS there are pictures at three widths. With STEP_TIMES=1 it prints what a step takes and
// how large the page is.
"use strict";

const path = require("path");
const {
    LOOKS, accessibility, axeSource, launch, look, named, newPage, overflow, policy, told,
} = require("./check_pages.js");

const WIDTHS = [360, 800, 1440];
const BYTES_MAX = 2 << 20;
const shots = process.env.SHOTS || "";

const stepNow = (page) => page.evaluate(() => Number(document.body.dataset.step));
const says = (page, id) => page.evaluate((of) => document.getElementById(of).textContent, id);

// What the page says after a key, and the step that it is at.
async function press(page, key) {
    await page.keyboard.press(key);
    return stepNow(page);
}

async function walking(page) {
    const problems = [];
    const wants = (what, is, wanted) => {
        if (is !== wanted) {
            problems.push(`${what} leads to ${is}, not to ${wanted}`);
        }
    };
    const last = await page.evaluate(() => Number(document.getElementById("time").max));
    await page.evaluate(() => document.activeElement?.blur());
    wants("Home", await press(page, "Home"), 0);
    wants("the left arrow", await press(page, "ArrowLeft"), 0);
    wants("the right arrow", await press(page, "ArrowRight"), Math.min(1, last));
    wants("the left arrow", await press(page, "ArrowLeft"), 0);
    wants("End", await press(page, "End"), last);
    wants("the right arrow", await press(page, "ArrowRight"), last);
    await press(page, "Home");
    const barrier = await press(page, "b");
    const words = await says(page, "now");
    if (barrier > 0 && !/go on/.test(words)) {
        problems.push(`at a barrier it says: ${words}`);
    }
    return problems;
}

async function finding(page) {
    const moments = await page.evaluate(() =>
        [...document.querySelectorAll(".findings button")].map((of) => Number(of.dataset.step)));
    if (moments.length === 0) {
        return [];
    }
    await press(page, "Home");
    const first = Math.min(...moments.filter((at) => at > 0));
    const at = await press(page, "n");
    const words = await says(page, "happens");
    const lit = await page.evaluate(() => document.querySelectorAll(".findings .here").length);
    return (at === first ? [] : [`n leads to ${at}, not to ${first}`])
        .concat(/happens|first time/.test(words) ? [] : [`there it says: ${words}`])
        .concat(lit === 1 ? [] : [`${lit} findings are lit`]);
}

async function linking(page, file) {
    const id = await page.evaluate(() =>
        document.querySelector(".findings button")?.parentElement.id ?? "");
    if (id === "") {
        return [];
    }
    await page.goto("about:blank");
    await page.goto(`file://${file}#${id}`);
    const wanted = await page.evaluate((of) =>
        Number(document.querySelector(`#${of} button`).dataset.step), id);
    return await stepNow(page) === wanted ? [] : [`#${id} leads to another step than ${wanted}`];
}

async function playing(page) {
    await press(page, "Home");
    await page.keyboard.press(" ");
    await page.waitForFunction(() => Number(document.body.dataset.step) > 0);
    await page.keyboard.press(" ");
    const isStopped = await page.evaluate(() =>
        document.getElementById("play").textContent === "Play");
    return isStopped ? [] : ["a second blank does not stop it"];
}

// Everything that can be used has its place in the order of Tab, and is seen there.
async function tabbing(page) {
    const wanted = await page.evaluate(() => {
        document.body.tabIndex = -1;
        document.body.focus();
        return [...document.querySelectorAll("button, select, input")].filter(
            (of) => !of.disabled && of.checkVisibility()).length;
    });
    for (let i = 0; i < wanted; i++) {
        await page.keyboard.press("Tab");
        const problem = await page.evaluate(() => {
            const style = getComputedStyle(document.activeElement);
            return document.activeElement === document.body || style.outlineStyle === "none";
        });
        if (problem) {
            return [`Tab is lost after ${i} of ${wanted}`];
        }
    }
    return [];
}

async function times(page, name, size) {
    const all = await page.evaluate(async () => {
        const list = [], time = document.getElementById("time"), last = Number(time.max);
        for (let k = 0; k <= 400; k++) {
            time.value = k < 200 ? k : Math.floor((k * 7919) % (last + 1));
            time.dispatchEvent(new Event("input"));
            list.push(Number(document.body.dataset.milliseconds));
            await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
        }
        return list.sort((a, b) => a - b);
    });
    console.log(`${name}: ${size} bytes; a step takes ${all[200].toFixed(2)} ms, 95 % ${all[380].toFixed(2)} ms, ` +
        `at most ${all[400].toFixed(2)} ms`);
}

async function checkPage(browser, file) {
    const name = path.basename(file, ".html");
    const page = await newPage(browser);
    const client = await page.createCDPSession();
    const requests = [];
    const messages = [];

    named(name);
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(String(error)));
    await look(page, client, LOOKS[0]);
    await page.goto(`file://${file}`);
    const bytes = require("fs").statSync(file).size;
    told("it is small enough", bytes > BYTES_MAX ? `${bytes} bytes` : "");
    told("arrows, Home, End and b lead where they should", await walking(page));
    told("n leads to the finding, which is said", await finding(page));
    told("a link leads to its moment", await linking(page, file));
    told("blank plays and stops", await playing(page));
    await page.evaluate(axeSource);
    for (const how of LOOKS.slice(0, 4)) {
        await look(page, client, how);
        told(`accessible, ${how.name}`, await accessibility(page));
        told(`nothing reaches out, ${how.name}`, await overflow(page));
    }
    await press(page, "n");
    for (const width of shots ? WIDTHS : []) {
        await look(page, client, {
            size: { width, height: 900 },
            features: { "prefers-color-scheme": width === 800 ? "dark" : "light" },
        });
        await page.screenshot({ path: `${shots}/${name}-${width}.png`, fullPage: width < 400 });
    }
    await look(page, client, LOOKS[0]);
    told("Tab reaches everything", await tabbing(page));
    told("nothing is loaded", requests.filter((url) => !/^(file|about):/.test(url)));
    told("the console is silent", messages);
    if (process.env.STEP_TIMES) {
        await times(page, name, bytes);
    }
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
    console.log(`NOT OK steps: ${error.stack}`);
    process.exit(2);
});
