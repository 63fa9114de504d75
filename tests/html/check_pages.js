// check_pages.js PAGE...: looks at pages of `gpugrade check --html` in a headless Chromium.
//
// For each page one line "ok ..." or "NOT OK ..." per check, what was seen behind it. run.sh sets
// CHROMIUM and NODE_PATH; SHOTS, if it is set, is a folder for screenshots. The pages forbid scripts, so everything is asked through the debugger.
"use strict";

const fs = require("fs");
const path = require("path");
const puppeteer = require("puppeteer-core");
const axeSource = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const WIDE = { width: 1200, height: 900 };
const NARROW = { width: 360, height: 740 };
// What a reader's system may ask for. Pages made by hand (page_*) are looked at in every way, the
// others in the first two.
const LOOKS = [
    { name: "light", size: WIDE, features: { "prefers-color-scheme": "light" } },
    { name: "narrow and dark", size: NARROW, features: { "prefers-color-scheme": "dark" } },
    { name: "dark", size: WIDE, features: { "prefers-color-scheme": "dark" } },
    { name: "narrow", size: NARROW, features: { "prefers-color-scheme": "light" } },
    { name: "forced dark", size: WIDE, features: { "prefers-color-scheme": "light" }, forcesDark: true },
    { name: "forced colours", size: WIDE, features: { "forced-colors": "active" } },
];
const LOOKS_AT_LEAST = 2;
// What has to be caught hangs; a machine may be slow and have much else to do.
const TIMEOUT_MS = 180000;
const FOCUS_MAX = 600;
const shots = process.env.SHOTS || "";

let name = "";

function told(what, problems) {
    const list = Array.isArray(problems) ? problems : [problems].filter(Boolean);
    const words = list.slice(0, 5).join("; ") + (list.length > 5 ? `; and ${list.length - 5} more` : "");
    console.log(list.length > 0 ? `NOT OK ${name}: ${what}: ${words}` : `ok ${name}: ${what}`);
}

async function look(page, client, how) {
    await page.setViewport(how.size);
    await client.send("Emulation.setEmulatedMedia", {
        media: how.media || "",
        features: Object.entries(how.features || {}).map(([key, value]) => ({ name: key, value })),
    });
    await client.send("Emulation.setAutoDarkModeOverride", { enabled: Boolean(how.forcesDark) });
}

// Every rule of axe, also those that are off by default and stay within one page.
async function accessibility(page) {
    return page.evaluate(async () => {
        const rules = {
            "target-size": { enabled: true },
            "identical-links-same-purpose": { enabled: false }, // links to lines: files differ
        };
        const result = await globalThis.axe.run(document, { rules });
        return result.violations.map(
            (rule) => `${rule.id} at ${rule.nodes[0].target.join(" ")} (${rule.nodes.length}): ` +
                rule.nodes[0].failureSummary.replace(/\s+/g, " "));
    });
}

// Elements that reach beyond the window, and those whose text reaches beyond themselves.
async function overflow(page) {
    return page.evaluate(() => {
        const width = document.documentElement.clientWidth;
        const found = [];
        for (const element of document.body.querySelectorAll("*")) {
            const box = element.getBoundingClientRect();
            const isUnseen = element.closest(".unseen, thead, svg") !== null || box.width === 0;
            if (isUnseen && element.tagName !== "svg") {
                continue;
            }
            const words = `${element.tagName.toLowerCase()} ${element.textContent.trim().slice(0, 40)}`;
            if (box.right > width + 0.5 || box.left < -0.5) {
                found.push(`${words} goes from ${box.left} to ${box.right} of ${width}`);
            } else if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0) {
                found.push(`${words} is ${element.scrollWidth} wide in ${element.clientWidth}`);
            }
        }
        return found;
    });
}

async function brokenLinks(page) {
    return page.evaluate(() => {
        const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
        const twice = ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} is twice`);
        const links = [...document.querySelectorAll("a")]
            .map((link) => link.getAttribute("href") || "")
            .filter((href) => !href.startsWith("#") || !ids.includes(href.slice(1)))
            .map((href) => `${href} leads nowhere`);
        return [...twice, ...links];
    });
}

// Tab goes through everything that can be used, in the order of the page, and is seen where it is.
async function keyboard(page) {
    const wanted = await page.evaluate(() => {
        globalThis.order = [...document.querySelectorAll("a[href], summary, [tabindex]")].filter(
            (element) => element.checkVisibility({ contentVisibilityAuto: true }));
        document.body.tabIndex = -1;
        document.body.focus();
        return globalThis.order.length;
    });
    const problems = [];
    for (let i = 0; i < Math.min(wanted, FOCUS_MAX); i++) {
        await page.keyboard.press("Tab");
        const problem = await page.evaluate((index) => {
            const element = document.activeElement;
            const style = getComputedStyle(element);
            const box = element.getBoundingClientRect();
            if (globalThis.order[index] !== element) {
                return `step ${index + 1} is at ${element.outerHTML.slice(0, 60)}, ` +
                    `not at ${globalThis.order[index].outerHTML.slice(0, 60)}`;
            }
            if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 1) {
                return `the focus is not seen at ${element.outerHTML.slice(0, 60)}`;
            }
            return box.bottom < 0 || box.top > innerHeight ? `step ${index + 1} is out of sight` : "";
        }, i);
        if (problem) {
            problems.push(problem);
            break;
        }
    }
    return problems;
}

// The page's policy must stop what would get past the escaping.
async function policy(page) {
    return page.evaluate(async () => {
        const stopped = new Set();
        document.addEventListener("securitypolicyviolation", (event) => {
            stopped.add(event.effectiveDirective);
        });
        const script = document.createElement("script");
        script.textContent = "globalThis.wasRun = true";
        document.body.append(script);
        const box = document.createElement("div");
        box.innerHTML = '<img src="http://127.0.0.1:18080/x.png" onerror="globalThis.wasRun = true">';
        document.body.append(box);
        for (let i = 0; i < 1500 && stopped.size < 3; i++) {
            await new Promise((done) => setTimeout(done, 20));
        }
        return ["script-src-elem", "script-src-attr", "img-src"]
            .filter((directive) => !stopped.has(directive))
            .map((directive) => `${directive} is allowed`)
            .concat(globalThis.wasRun ? ["a script in the page was run"] : []);
    });
}

// What is closed on the screen is open on paper, and all of it fits.
async function paper(page, client) {
    await look(page, client, { size: WIDE, media: "print" });
    const closed = await page.evaluate(() =>
        [...document.querySelectorAll("details > :not(summary)")]
            .filter((element) => !element.checkVisibility())
            .map((element) => `${element.className || element.tagName} is not printed`));
    await look(page, client, { size: WIDE });
    const to = shots ? { path: `${shots}/${name}.pdf` } : {};
    const pdf = await page.pdf({
        format: "A4", printBackground: false, timeout: TIMEOUT_MS, ...to });
    return pdf.length > 2000 ? closed : ["the print is empty"];
}

async function structure(page) {
    return page.evaluate(() => {
        const problems = [];
        for (const svg of document.querySelectorAll("svg")) {
            if (!svg.querySelector(":scope > title")?.textContent.trim() ||
                !svg.querySelector(":scope > desc")) {
                problems.push("a picture without title and desc");
            }
        }
        for (const status of document.querySelectorAll(".status")) {
            if (!/^(pass|part|fail|skip|error)$/.test(status.textContent)) {
                problems.push(`a status without its word: ${status.textContent}`);
            }
        }
        return problems;
    });
}

async function scripts(page) {
    return page.evaluate(() => (document.scripts.length > 0 ? ["there are scripts"] : []));
}

async function launch() {
    return puppeteer.launch({
        executablePath: process.env.CHROMIUM,
        headless: true,
        timeout: TIMEOUT_MS,
        protocolTimeout: TIMEOUT_MS,
        args: ["--no-sandbox", "--hide-scrollbars", "--disable-dev-shm-usage"],
    });
}

async function newPage(browser) {
    const page = await browser.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    return page;
}

async function checkPage(browser, file) {
    const page = await newPage(browser);
    const client = await page.createCDPSession();
    const requests = [];
    const messages = [];

    name = path.basename(file, ".html");
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(String(error)));
    await page.goto(`file://${file}`);
    told("nothing is loaded", requests.slice(1));
    told("the console is silent", messages);
    told("every link leads somewhere", await brokenLinks(page));
    told("pictures and statuses have words", await structure(page));
    told("there is no script", await scripts(page));
    await page.evaluate(axeSource);
    for (const how of name.startsWith("page_") ? LOOKS : LOOKS.slice(0, LOOKS_AT_LEAST)) {
        await look(page, client, how);
        told(`accessible, ${how.name}`, await accessibility(page));
        told(`nothing reaches out, ${how.name}`, await overflow(page));
        if (shots) {
            const file = `${shots}/${name}-${how.name.replace(/ /g, "-")}.png`;
            await page.screenshot({ path: file, fullPage: true });
        }
    }
    await look(page, client, LOOKS[0]);
    told("the keyboard reaches everything in order", await keyboard(page));
    told("everything is printed", await paper(page, client));
    told("the policy holds", await policy(page));
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

// What check_class.js looks at too; `named` says whose lines follow.
module.exports = {
    LOOKS, TIMEOUT_MS, WIDE, accessibility, axeSource, brokenLinks, launch, look, newPage, overflow,
    policy, structure, told,
    named: (newName) => {
        name = newName;
    },
};

if (require.main === module) {
    main().catch((error) => {
        console.log(`NOT OK ${name}: ${error.stack}`);
        process.exit(2);
    });
}
