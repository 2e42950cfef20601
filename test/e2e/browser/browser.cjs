// Starts a browser and records the requests and errors of its pages.
const assert = require("node:assert/strict");
const { chromium } = require("playwright-core");

const timeoutMs = 60_000; // rendering a large document takes long on slow machines

/** A phone in dark mode. */
exports.telephone = { viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true, isMobile: true };

/** A desktop in light mode. */
exports.desk = { viewport: { width: 1280, height: 800 }, colorScheme: "light" };

exports.launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [], // Chromium has no sandbox for root
  });

/** Opens an empty page and records its requests and errors. */
exports.open = async function open(browser, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(timeoutMs);
  const seen = { requests: [], complaints: [] };
  page.on("request", (r) => seen.requests.push(r.url()));
  page.on("requestfailed", (r) => seen.complaints.push(`${r.url()}: ${r.failure().errorText}`));
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
