// A browser, and what its pages ask for and complain of.
const assert = require("node:assert/strict");
const { chromium } = require("playwright-core");

const patience = 60_000; // a page draws a large document on slow machines too

/** A telephone in the dark. */
exports.telephone = { viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true, isMobile: true };

/** A desk in the light. */
exports.desk = { viewport: { width: 1280, height: 800 }, colorScheme: "light" };

exports.launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [], // Chromium has none for root
  });

/** Opens an empty page and notes what it asks for and complains of. */
exports.open = async function open(browser, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  const seen = { requests: [], complaints: [] };
  page.on("request", (r) => seen.requests.push(r.url()));
  page.on("requestfailed", (r) => seen.complaints.push(`${r.url()}: ${r.failure().errorText}`));
  page.on("pageerror", (e) => seen.complaints.push(e.message));
  page.on("console", (m) => {
    if (["error", "warning"].includes(m.type())) seen.complaints.push(m.text());
  });
  return { page, seen, close: () => context.close() };
};

/** Fails unless a page asked nobody but its own server, and all went well. */
exports.innocent = function innocent(server, seen) {
  const strangers = seen.requests.filter((url) => !url.startsWith(`${server.url}/`) && !/^(data|blob):/.test(url));
  assert.deepEqual(strangers, []);
  assert.deepEqual(seen.complaints, []);
};
