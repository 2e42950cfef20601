// Tests single sign-on in a real browser, with the provider of test/e2e/sso.
const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const net = require("node:net");
const readline = require("node:readline");
const { after, before, test } = require("node:test");
const { check, desk, launch, open, telephone } = require("./browser.cjs");
const { start } = require("./server.cjs");

let server, browser, academy, provider, issuer;

/** Returns a port that nothing listens on. The provider needs the server's address before it starts. */
async function freePort() {
  const probe = net.createServer();
  await new Promise((listening) => probe.listen(0, "127.0.0.1", listening));
  const { port } = probe.address();
  await new Promise((closed) => probe.close(closed));
  return port;
}

before(async () => {
  const addr = `127.0.0.1:${await freePort()}`;
  server = await start("--demo", "--addr", addr, "--outgoing.allow", "127.0.0.1");
  academy = `${server.url}/learn/riverside-academy`;
  provider = spawn("bin/provider", [`${academy}/sso/return`], { stdio: ["ignore", "pipe", "ignore"] });
  for await (const line of readline.createInterface({ input: provider.stdout })) {
    issuer = line;
    break;
  }
  browser = await launch();
});

after(async () => {
  await browser?.close();
  provider?.kill("SIGTERM");
  server?.stop();
});

async function api(method, path, attributes, type) {
  const response = await fetch(server.url + path, {
    method,
    headers: { "X-Api-Key": server.key, "Content-Type": "application/vnd.api+json" },
    body: attributes && JSON.stringify({ data: { type, attributes } }),
  });
  assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`);
  return (await response.json()).data;
}

const admit = (people) =>
  api("PATCH", "/v2/school", {
    authentication: "sso", sso_issuer: issuer, sso_client_id: "lyceum", sso_client_secret: "only for tests",
    admits_new_people: people,
  }, "schools");

/** Fills in the form of the provider. */
async function signIn(page, name) {
  await page.getByLabel("Username:").fill(name);
  await page.getByLabel("Password:").fill("only for tests");
  await page.getByRole("button", { name: "Login" }).click();
}

for (const [name, options] of Object.entries({ "desktop, light mode": desk, "phone, dark mode": telephone })) {
  test(`sign in at the provider, enroll, sign out: ${name}`, async () => {
    await admit(false);
    const course = await api("POST", "/v2/courses", { name: `Beekeeping (${name})` }, "courses");
    const { page, close } = await open(browser, options);
    await page.goto(course.attributes.course_enrollment_link);
    assert.ok(page.url().startsWith(`${academy}/sign-in?return=`));
    assert.equal(await page.getByLabel("Email address").count(), 0);
    await check(page);
    await page.getByRole("link", { name: "Sign in" }).click();
    await signIn(page, "jiwoo");
    await page.waitForURL(course.attributes.course_enrollment_link);
    await page.getByRole("button", { name: "Enroll" }).click();
    await page.waitForURL(`${academy}/courses/${course.id}`);
    await page.getByText(course.attributes.name).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(`${academy}/sign-in`);
    await page.goto(`${academy}/courses`);
    assert.ok(page.url().startsWith(`${academy}/sign-in?return=`));
    await close();
  });
}

test("an unknown person is refused, or added if the school says so", async () => {
  await admit(false);
  const { page, close } = await open(browser, desk);
  await page.goto(`${academy}/sign-in`);
  await page.keyboard.press("Tab"); // skip link
  for (let i = 0; i < 5; i++) {
    if ((await page.evaluate(() => document.activeElement.textContent.trim())) === "Sign in") break;
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
  await signIn(page, "eve");
  await page.getByRole("alert").getByText("Ask the school to add eve@example.test").waitFor();
  await check(page);
  await admit(true);
  await page.getByRole("link", { name: "Sign in" }).click();
  await signIn(page, "eve");
  await page.waitForURL(`${academy}/courses`);
  await check(page);
  const [eve] = await api("GET", "/v2/people?filter[email]=eve@example.test");
  assert.equal(eve.attributes.first_name, "Eve");
  await close();
});

test("an address that is not verified is refused", async () => {
  await admit(true);
  const { page, close } = await open(browser, desk);
  await page.goto(`${academy}/sso`);
  await signIn(page, "mallory");
  await page.getByText("does not confirm your email address").waitFor();
  await close();
});
