// Tests the academy in a real browser.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { after, before, test } = require("node:test");
const { desk, checkRequests, launch, open, telephone } = require("./browser.cjs");
const { start } = require("./server.cjs");

const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
let server, browser, academy;

before(async () => {
  server = await start("--demo");
  academy = `${server.url}/learn/riverside-academy`;
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.stop();
});

/** Opens an empty page. With a role, signs in to the academy with the button on the home page. */
async function enter(options, role) {
  const opened = await open(browser, options);
  if (role) {
    await opened.page.goto(server.url);
    await opened.page.getByRole("button", { name: `Enter as ${role}` }).click();
    await opened.page.waitForURL(`${academy}/courses`);
  }
  return opened;
}

/** Fails if a page is wider than the screen or axe finds an accessibility violation. */
async function check(page) {
  const [width, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(width <= screen, `${page.url()}: ${width} pixels on ${screen}`);
  await page.evaluate(axe); // evaluate is exempt from the page's content security policy
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(violations.map((v) => `${page.url()}: ${v.id}: ${v.nodes.map((n) => n.html).join(" ")}`), []);
}

async function api(path, body) {
  const response = await fetch(server.url + path, {
    method: body ? "POST" : "GET",
    headers: { "X-Api-Key": server.key, "Content-Type": "application/vnd.api+json" },
    body: body && JSON.stringify({ data: body }),
  });
  assert.ok(response.ok, `${path}: ${response.status}`);
  return (await response.json()).data;
}

for (const [name, options] of Object.entries({ "desktop, light mode": desk, "phone, dark mode": telephone })) {
  test(name, async () => {
    const course = await api("/v2/courses", { type: "courses", attributes: { name: `Beekeeping (${name})` } });
    const { page, seen, close } = await enter(options);
    const link = course.attributes.course_enrollment_link;
    await page.goto(link); // not signed in
    assert.ok(page.url().startsWith(`${academy}/sign-in?return=`));
    await check(page);
    await page.getByLabel("Email address").fill("jiwoo.park@example.test");
    await page.getByRole("button", { name: "Send me a sign-in link" }).click();
    await page.waitForURL(`${academy}/check-mail`);
    await check(page);
    await page.goto(`${academy}/sign-in`);
    await page.getByRole("button", { name: "Enter as a learner" }).click();
    await page.waitForURL(`${academy}/courses`);
    await check(page);
    await page.goto(link);
    await check(page);
    await page.getByRole("button", { name: "Enroll" }).click();
    await page.waitForURL(`${academy}/courses`);
    await page.getByRole("link", { name: course.attributes.name }).click();
    await page.getByText("This course has no activities yet.").waitFor();
    await check(page);
    await page.getByRole("link", { name: "Use a coupon" }).click();
    await page.getByLabel("Coupon code").waitFor();
    await page.goBack();
    await page.getByText("This course has no activities yet.").waitFor();
    await page.goForward();
    await page.getByLabel("Coupon code").fill("WELCOME10");
    await check(page);
    await page.getByRole("button", { name: "Use the coupon" }).click();
    await page.getByRole("status").waitFor();
    await page.reload();
    await page.getByRole("status").waitFor();
    await page.getByRole("link", { name: "Devices" }).click();
    await page.getByText("(this device)").waitFor();
    await page.goBack();
    await page.getByText("The coupon is used.").waitFor();
    await page.goForward();
    await page.getByText("(this device)").waitFor();
    await check(page);
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.waitForURL(`${academy}/sign-in`);
    await page.goBack(); // the pages of the session are not shown again
    await page.waitForURL(`${academy}/sign-in**`);
    checkRequests(server, seen);
    await close();
  });
}

test("the session is lost in the middle", async () => {
  const { page, close } = await enter(desk, "learner");
  await page.getByRole("link", { name: "Use a coupon" }).click();
  await page.context().clearCookies();
  await page.getByLabel("Coupon code").fill("WELCOME10");
  await page.getByRole("button", { name: "Use the coupon" }).click();
  await page.waitForURL(`${academy}/sign-in?return=%2Fcoupon`);
  await close();
});

test("the keyboard alone", async () => {
  const { page, close } = await enter(desk);
  await page.goto(`${academy}/sign-in`);
  const focused = () => page.evaluate(() => document.activeElement.textContent.trim() || document.activeElement.id);
  const found = [];
  for (let i = 0; i < 8 && found.at(-1) !== "Enter as a learner"; i++) {
    await page.keyboard.press("Tab");
    found.push(await focused());
  }
  assert.deepEqual(found, [
    "Skip to content", "Riverside Academy", "email", "Send me a sign-in link", "Enter as the owner", "Enter as an instructor", "Enter as a learner",
  ]);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${academy}/courses`);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter"); // skip the navigation
  assert.equal(await page.evaluate(() => document.activeElement.id), "content");
  await close();
});
