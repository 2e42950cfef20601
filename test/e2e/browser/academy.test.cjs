// Tests the academy in a real browser.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { check, desk, checkRequests, launch, long, open, telephone } = require("./browser.cjs");
const { servePage } = require("./pages.cjs");
const { start } = require("./server.cjs");

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
    if (role !== "learner") { // the staff start in the teaching app
      await opened.page.waitForURL(`${server.url}/app/riverside-academy`);
      await opened.page.goto(`${academy}/courses`);
    }
    await opened.page.waitForURL(`${academy}/courses`);
  }
  return opened;
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
  test(name, options === telephone ? long : {}, async () => {
    const course = await api("/v2/courses", { type: "courses", attributes: { name: `Beekeeping (${name})` } });
    const { page, seen, close } = await enter(options);
    const link = course.attributes.course_enrollment_link;
    await page.goto(link); // not signed in
    assert.ok(page.url().startsWith(`${academy}/sign-in?return=`));
    await check(page);
    await page.getByLabel("Email address").fill("jiwoo.park@example.test");
    await page.getByRole("button", { name: "Send me a sign-in link" }).click();
    await page.waitForURL(`${academy}/check-mail?return=**`);
    await page.getByRole("heading", { name: "This server does not send emails" }).waitFor();
    await check(page);
    await page.getByRole("link", { name: "Back to the sign-in page" }).click();
    await page.getByRole("button", { name: "Enter as a learner" }).click();
    await page.waitForURL(link); // back to the link
    await check(page);
    await page.getByRole("button", { name: "Enroll" }).click();
    await page.waitForURL(`${academy}/courses/${course.id}`);
    await page.getByRole("link", { name: "My courses" }).click();
    await page.waitForURL(`${academy}/courses`);
    await check(page);
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
    await page.getByText("Your coupon was redeemed.").waitFor();
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

test("links to covers and groups, and pages of errors", async () => {
  const [course] = await api("/v2/courses?q=Seeing");
  const group = await api("/v2/groups", { type: "groups", attributes: { name: "Beekeepers" } });
  const { page, seen, close } = await enter(telephone);
  await page.goto(course.attributes.share_course_link);
  await page.getByRole("listitem").getByText("What light does").waitFor();
  await check(page);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Enter as a learner" }).click();
  await page.waitForURL(course.attributes.share_course_link);
  await page.getByText("You are enrolled in this course.").waitFor();
  await check(page);
  await page.goto(group.attributes.group_enrollment_link);
  await check(page);
  await page.getByRole("button", { name: "Join" }).click();
  await page.waitForURL(`${academy}/courses`);
  await page.goto(`${academy}/coupon`);
  await page.getByLabel("Coupon code").fill("nothing");
  await page.getByRole("button", { name: "Use the coupon" }).click();
  await page.getByRole("alert").getByText("There is no coupon with this code.").waitFor();
  await check(page);
  for (const missing of [`${academy}/nothing`, `${server.url}/learn/nowhere`]) {
    await page.goto(missing);
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    await check(page);
  }
  checkRequests(server, { ...seen, complaints: seen.complaints.filter((c) => !/status of (404|422)/.test(c)) });
  await close();
});

test("the session opens neither the API nor the courses of others", async () => {
  const course = await api("/v2/courses", { type: "courses", attributes: { name: "Closed" } });
  const { page, close } = await enter(desk, "owner");
  const statuses = await page.evaluate((requests) => Promise.all(requests.map(async ([method, address]) => {
    const body = method === "GET" ? undefined : "{}";
    return (await fetch(address, { method, body, headers: { "Content-Type": "application/json" } })).status;
  })), [["GET", "/v2/people"], ["PATCH", "/v2/school"], ["GET", `${academy}/courses/${course.id}`]]);
  assert.deepEqual(statuses, [401, 401, 404]);
  await close();
});

test("a form of another origin changes nothing", async () => {
  const other = await servePage(); // another port is the same site, so the browser sends the cookie
  const { page, close } = await enter(desk, "learner");
  await page.goto(other.origin);
  await page.evaluate((action) => {
    const form = Object.assign(document.createElement("form"), { method: "post", action });
    document.body.append(form);
    form.submit();
  }, `${academy}/sign-out-everywhere`);
  await page.getByText("The request came from another website.").waitFor();
  await check(page);
  await page.goto(`${academy}/courses`);
  assert.equal(page.url(), `${academy}/courses`); // the session has not ended
  await close();
  other.stop();
});

test("visitors choose their school", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "schools-"));
  const load = ["North", "South"].flatMap((name) => {
    const file = path.join(folder, `${name}.jsonl`);
    fs.writeFileSync(file, `{"kind":"school","format":1,"name":"${name}"}\n{"kind":"end"}\n`);
    return ["--load", file];
  });
  const both = await start(...load);
  const { page, close } = await open(browser, telephone);
  try {
    await page.goto(`${both.url}/learn`);
    await check(page);
    await page.getByLabel("Address of your school").fill("west");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("alert").getByText("There is no school with this address.").waitFor();
    await check(page);
    await page.getByLabel("Address of your school").fill("South");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL(`${both.url}/learn/south/sign-in`);
  } finally {
    await close();
    both.stop();
    fs.rmSync(folder, { recursive: true });
  }
});

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
