// Tests the page at the root of the API in a real browser.
const assert = require("node:assert/strict");
const { after, before, test } = require("node:test");
const { check, checkRequests, desk, launch, open, telephone } = require("./browser.cjs");
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

for (const [name, options] of [
  ["desktop", desk],
  ["narrow desktop", { ...desk, viewport: { width: 1000, height: 800 } }],
  ["phone", telephone],
]) {
  test(`the first request fits into its box, ${name}`, async () => {
    const { page, seen, close } = await open(browser, options);
    await page.goto(`${server.url}/`);
    const [width, room] = await page.locator("pre", { hasText: server.key }).evaluate((pre) => [pre.scrollWidth, pre.clientWidth]);
    assert.ok(width <= room, `the command is ${width} pixels wide in a box of ${room}`);
    await check(page);
    checkRequests(server, seen);
    await close();
  });
}
