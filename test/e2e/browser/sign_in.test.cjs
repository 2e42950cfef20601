// Tests in a real browser how people enter by a mailed link and by an entry link. sso.test.cjs tests single sign-on.
const assert = require("node:assert/strict");
const { createHmac, randomBytes } = require("node:crypto");
const { after, before, test } = require("node:test");
const { check, desk, checkRequests, launch, open, telephone } = require("./browser.cjs");
const { receiveMail } = require("./mailbox.cjs");
const { start } = require("./server.cjs");

const bounded = { timeout: 30_000 };
const secret = randomBytes(32).toString("hex");
let server, browser, academy, mailbox;

before(async () => {
  mailbox = await receiveMail();
  server = await start("--demo", "--worker.poll=100ms", ...mailbox.settings);
  academy = `${server.url}/learn/riverside-academy`;
  browser = await launch();
}, bounded);

after(async () => {
  await browser?.close();
  server?.stop();
  mailbox?.stop();
});

async function api(method, path, type, attributes) {
  const response = await fetch(server.url + path, {
    method,
    headers: { "X-Api-Key": server.key, "Content-Type": "application/vnd.api+json" },
    body: attributes && JSON.stringify({ data: { type, attributes } }),
    signal: AbortSignal.timeout(10_000),
  });
  assert.ok(response.ok, `${path}: ${response.status}`);
  return (await response.json()).data;
}

const setMethod = (authentication) => api("PATCH", "/v2/school", "schools", { authentication, entry_secret: secret });

/** Follows an enrollment link without being signed in, and requests a sign-in link for the address. */
async function request(page, course, address) {
  await page.goto(course.attributes.course_enrollment_link);
  assert.ok(page.url().startsWith(`${academy}/sign-in?return=`));
  await page.getByLabel("Email address").fill(address);
  await page.getByRole("button", { name: "Send me a sign-in link" }).click();
  await page.waitForURL(`${academy}/check-mail?return=**`);
}

/** Opens the mailed link, signs in, enrolls, and checks that the link works once. */
async function enter(page, course, address, link) {
  await page.goto(link);
  await page.getByText(`You are about to sign in as ${address}.`).waitFor();
  await check(page);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(course.attributes.course_enrollment_link); // back to the first link
  await page.getByRole("button", { name: "Enroll" }).click();
  await page.waitForURL(`${academy}/courses/${course.id}`);
  await page.goto(link);
  await page.getByRole("heading", { name: "This link is no longer valid" }).waitFor();
  await check(page);
}

/** Fails if a page had errors other than the expected response 410. */
function checkGone(seen) {
  checkRequests(server, { ...seen, complaints: seen.complaints.filter((c) => !/status of 410 \(Gone\)/.test(c)) });
}

test("preregistration: a mailed link signs in a person whom the school has added", bounded, async () => {
  await setMethod("preregistration");
  const course = await api("POST", "/v2/courses", "courses", { name: "Beekeeping" });
  const { page, seen, close } = await open(browser, desk);
  await request(page, course, "stranger@example.test"); // the answer is the same, but no mail is sent
  await request(page, course, "jiwoo.park@example.test");
  const { link, text } = await mailbox.next("jiwoo.park@example.test");
  assert.match(text, /Sign in to Riverside Academy/);
  await enter(page, course, "jiwoo.park@example.test", link);
  await assert.rejects(mailbox.next("stranger@example.test", 0));
  checkGone(seen);
  await close();
});

test("open: a mailed link adds a new person", bounded, async () => {
  await setMethod("open");
  const course = await api("POST", "/v2/courses", "courses", { name: "Honey" });
  const { page, seen, close } = await open(browser, telephone);
  await request(page, course, "new@example.test");
  assert.deepEqual(await api("GET", "/v2/people?filter[email]=new@example.test"), []);
  await enter(page, course, "new@example.test", (await mailbox.next("new@example.test")).link);
  const [added] = await api("GET", "/v2/people?filter[email]=new@example.test");
  assert.ok(added.attributes.activated_at);
  checkGone(seen);
  await close();
});

/** Returns an entry link, as docs/academy.md describes it. */
function entryLink(person, path) {
  const values = [
    person, "Ada", "Lovelace", path, randomBytes(16).toString("hex"), String(Math.floor(Date.now() / 1000) + 60),
  ];
  const signature = createHmac("sha256", secret).update(values.join("\n")).digest("hex");
  const names = ["email", "first_name", "last_name", "return", "nonce", "expires", "signature"];
  return `${academy}/enter?${new URLSearchParams([...values, signature].map((value, i) => [names[i], value]))}`;
}

test("url: an entry link signs in once, and asks before it replaces a session", bounded, async () => {
  await setMethod("url");
  const { page, seen, close } = await open(browser, desk);
  await page.goto(`${academy}/sign-in`);
  await page.getByText("through the school’s own website").waitFor();
  assert.equal(await page.getByLabel("Email address").count(), 0);
  await check(page);
  const link = entryLink("ada@example.test", "/coupon");
  await page.goto(link);
  assert.equal(page.url(), `${academy}/coupon`);

  const copy = await open(browser, desk);
  for (const refused of [link, entryLink("eve@example.test", "/").replace("eve%40", "mallory%40")]) {
    await copy.page.goto(refused);
    await copy.page.getByRole("heading", { name: "This link is no longer valid" }).waitFor();
    await check(copy.page);
  }
  await copy.page.goto(`${academy}/courses`);
  assert.ok(copy.page.url().startsWith(`${academy}/sign-in`));
  await copy.close();

  await page.goto(entryLink("jiwoo.park@example.test", ""));
  await page.getByText("You are about to sign in as jiwoo.park@example.test.").waitFor();
  await check(page);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${academy}/courses`);
  checkRequests(server, seen);
  await close();
});
