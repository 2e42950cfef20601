// Starts a browser and records the requests and errors of its pages.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { chromium } = require("playwright-core");

const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const timeoutMs = 60_000; // rendering a large document takes long on slow machines

/** A phone in dark mode. */
exports.telephone = { viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true, isMobile: true };

/** A desktop in light mode. */
exports.desk = { viewport: { width: 1280, height: 800 }, colorScheme: "light" };

/** Options of a test that a short round (make test-browser SHORT=-short) leaves out. */
exports.long = { skip: Boolean(process.env.SHORT) };

exports.launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [], // Chromium has no sandbox for root
  });

/** Reports whether the browser itself canceled a request, because it left the page or loaded it again. */
const isCanceled = (r) => r.failure().errorText === "net::ERR_ABORTED";

/** Opens an empty page and records its requests and errors. */
exports.open = async function open(browser, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(timeoutMs);
  const seen = { requests: [], complaints: [] };
  page.on("request", (r) => seen.requests.push(r.url()));
  page.on("requestfailed", (r) => isCanceled(r) || seen.complaints.push(`${r.url()}: ${r.failure().errorText}`));
  page.on("pageerror", (e) => seen.complaints.push(e.message));
  page.on("console", (m) => {
    if (["error", "warning"].includes(m.type())) seen.complaints.push(m.text());
  });
  return { page, seen, close: () => context.close() };
};

/** Fails if a page sent a request to another server or had an error. */
exports.checkRequests = function checkRequests(server, seen) {
  const foreign = seen.requests.filter((url) => !url.startsWith(`${server.url}/`) && !/^(data|blob):/.test(url));
  assert.deepEqual(foreign, []);
  assert.deepEqual(seen.complaints, []);
};

/** Fails if a page is wider than the screen or axe finds an accessibility violation. */
exports.check = async function check(page) {
  const [width, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(width <= screen, `${page.url()}: ${width} pixels on ${screen}`);
  await page.evaluate(axe); // evaluate is exempt from the page's content security policy
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(violations.map((v) => `${page.url()}: ${v.id}: ${v.nodes.map((n) => n.html).join(" ")}`), []);
};
