// Tests the reference page in a real browser.
const assert = require("node:assert/strict");
const { after, before, test } = require("node:test");
const { desk, checkRequests, launch, long, open, telephone } = require("./browser.cjs");
const { start } = require("./server.cjs");

let server, browser;

before(async () => {
  server = await start("--demo");
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.stop();
});

/** Opens the reference page. */
async function show(options) {
  const opened = await open(browser, options);
  await opened.page.goto(`${server.url}/docs`);
  await opened.page.getByRole("heading", { name: "Lyceum API" }).first().waitFor();
  return opened;
}

/** Fails if the page had an error or did not request all of its files. */
function checkLoaded(seen) {
  checkRequests(server, seen);
  assert.ok(seen.requests.length >= 5, "the page, its three files and the description");
}

/** Returns the brightness of the background, from 0 to 255. */
async function brightness(page) {
  const [red, green, blue, alpha] = await page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.fillStyle = getComputedStyle(document.querySelector(".scalar-app")).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  });
  assert.equal(alpha, 255, "the background is painted");
  return (red + green + blue) / 3;
}

/** Fails if a line of the diagram of the concepts is wider than its box. */
async function checkPicture(page) {
  const picture = page.locator("pre", { hasText: "membership ──► group" });
  await picture.waitFor({ state: "attached" });
  const [width, room] = await picture.evaluate((pre) => [pre.scrollWidth, pre.clientWidth]);
  assert.ok(room > 0 && width <= room, `the picture is ${width} pixels wide in a box of ${room}`);
}

test("desktop, light mode", async (t) => {
  const { page, seen, close } = await show(desk);

  await t.test("the picture of the concepts fits", () => checkPicture(page));

  await t.test("all header cells of tables have a text", async () => {
    const rows = await page.locator(".markdown table").evaluateAll((tables) =>
      tables.map((table) => [table.querySelectorAll("thead th").length, table.querySelectorAll("tbody tr:first-child td").length]),
    );
    assert.ok(rows.length > 5, `${rows.length} tables`);
    for (const [header, cells] of rows) assert.equal(header, cells);
  });

  await t.test("the page shows the API", async () => {
    assert.equal(await page.title(), "Lyceum API");
    assert.ok((await brightness(page)) > 200);
    const description = await (await fetch(`${server.url}/openapi.json`)).json();
    for (const tag of description.tags) {
      await page.getByRole("link", { name: tag.name, exact: true }).first().waitFor();
    }
    await page.goto(`${server.url}/docs#tag/groups`);
    for (const summary of ["List groups (v1)", "List groups (v2)", "Update a group (v1)", "Delete a group (v2)"]) {
      await page.getByRole("link", { name: summary }).first().waitFor();
    }
  });

  await t.test("an operation can be tried", async () => {
    await page.locator('input[placeholder^="QUxM"]').first().fill(server.key);
    await page.goto(`${server.url}/docs#tag/courses`);
    await page.getByRole("link", { name: "List courses (v2)" }).first().click();
    await page.getByRole("button", { name: /Test Request.*get.*\/v[12]\/courses\b(?!\/)/i }).first().click();
    const answered = page.waitForResponse((r) => /^\/v[12]\/courses$/.test(new URL(r.url()).pathname));
    await page.getByRole("button", { name: /^Send/ }).first().click();
    const answer = await answered;
    assert.equal(answer.status(), 200, answer.url());
    assert.equal(new URL(answer.url()).origin, server.url);
    assert.equal((await answer.request().allHeaders())["x-api-key"], server.key);
    assert.equal((await answer.json()).data.length, 8, answer.url()); // all courses of the demo school
    await page.getByText("200 OK").first().waitFor();
  });

  await t.test("no requests to other servers, no errors", () => checkLoaded(seen));
  await close();
});

test("phone, dark mode", long, async (t) => {
  const { page, seen, close } = await show(telephone);

  await t.test("the page is dark", async () => assert.ok((await brightness(page)) < 60));

  await t.test("the picture of the concepts fits", () => checkPicture(page));

  await t.test("nothing is wider than the screen", async () => {
    for (const part of ["", "#tag/groups", "#description/filters", "#description/errors"]) {
      await page.goto(`${server.url}/docs${part}`);
      await page.getByRole("heading", { name: "Lyceum API" }).first().waitFor({ state: "attached" });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 390, `${part || "the top"} is ${width} pixels wide`);
    }
  });

  await t.test("no word of a table is broken", async () => {
    const { words, broken } = await page.evaluate(() => {
      const found = { words: 0, broken: [] };
      for (const table of document.querySelectorAll(".markdown table")) {
        const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
        for (let node; (node = texts.nextNode()); ) {
          for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{N}_]+/gu)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            found.words++;
            if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.broken.push(word);
          }
        }
      }
      return found;
    });
    assert.ok(words > 500, `${words} words`);
    assert.deepEqual(broken, []);
  });

  await t.test("no requests to other servers, no errors", () => checkLoaded(seen));
  await close();
});
