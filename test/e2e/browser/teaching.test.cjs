// Tests the teaching app in a real browser.
const assert = require("node:assert/strict");
const http = require("node:http");
const { after, before, test } = require("node:test");
const { check, checkRequests, desk, launch, long, open, telephone } = require("./browser.cjs");
const { receiveMail } = require("./mail.cjs");
const { start } = require("./server.cjs");

let server, browser, app, mail;

before(async () => {
  mail = await receiveMail();
  server = await start("--demo", "--outgoing.allow=127.0.0.1", ...mail.settings);
  app = `${server.url}/app/riverside-academy`;
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.stop();
  mail?.stop();
});

/** Opens the app as a person of the demo school, with the button on the home page. */
async function enter(options, role) {
  const opened = await open(browser, options);
  await opened.page.goto(server.url);
  await opened.page.getByRole("button", { name: `Enter as ${role}` }).click();
  await opened.page.waitForURL(app);
  return opened;
}

/** Clicks a button or a link and waits for the page to which it leads. */
async function go(page, name, url, role = "button") {
  await page.getByRole(role, { name, exact: true }).first().click();
  await page.waitForURL(url);
}

/** Adds an activity to a course, and saves it after the review. */
async function add(page, course, kind, fill) {
  await go(page, kind, `**/courses/${course}/add?kind=${kind}`, "link");
  await fill();
  await go(page, "Review and save", "**/courses/*/builder");
  await page.getByText("is added").waitFor();
  await go(page, "Save", `**/courses/${course}/builder?done=1`);
}

/** Returns the number in a row of a table of the dashboard. */
const numbers = (page, plot) => page.locator(`.plot:has(#${plot}) tbody tr`).last().locator("td").allTextContents();

test("build a course, invite a learner, and see what the learner does", async () => {
  const { page, seen, close } = await enter(desk, "owner");
  await go(page, "New course", "**/add-course", "link");
  await check(page);
  await page.getByLabel("Name").fill("Keeping bees");
  await go(page, "Create the course", "**/courses/keeping-bees/builder?done=1");
  await add(page, "keeping-bees", "text", async () => {
    await page.getByLabel("Title").fill("The hive");
    await page.getByLabel("Text (Markdown)").fill("# Bees\n\nThey *dance*.");
    await check(page);
  });
  await add(page, "keeping-bees", "video", async () => {
    await page.getByLabel("Title").fill("The dance");
    await page.getByLabel("Address of the video (https)").fill("https://media.example.test/dance.mp4");
    await page.getByLabel("Length (minutes:seconds)").fill("3:25");
  });
  await add(page, "keeping-bees", "quiz", async () => {
    await page.getByLabel("Title").fill("What have you seen?");
    await page.getByLabel("Question", { exact: true }).fill("Who makes honey?");
    await page.getByLabel("Choice 1", { exact: true }).fill("Workers");
    await page.getByLabel("Choice 1: correct").check();
    await page.getByLabel("Choice 2", { exact: true }).fill("Drones");
    await check(page);
    await page.getByRole("button", { name: "Add another question" }).click();
    await page.getByRole("group", { name: "Question 2" }).waitFor();
  });
  await page.getByRole("button", { name: "Up What have you seen?" }).click();
  await page.getByText("changes: position").first().waitFor();
  await check(page);
  await go(page, "Save", "**/courses/keeping-bees/builder?done=1");
  assert.deepEqual(await page.locator(".activities .title").allTextContents(), ["The hive", "What have you seen?", "The dance"]);
  await check(page);

  await page.goto(`${app}/people/invite`);
  await check(page);
  await page.getByLabel("Email address").fill("nora.bee@example.test");
  await page.getByLabel("First name").fill("Nora");
  await go(page, "Send the invitation", "**/people/*?done=1");
  await page.goto(`${app}/courses/keeping-bees`);
  await page.getByLabel("Email address").fill("nora.bee@example.test");
  await go(page, "Enroll", "**/courses/keeping-bees?done=1");
  await check(page);

  const nora = await open(browser, telephone);
  await nora.page.goto(await mail.link("nora.bee@example.test"));
  await nora.page.getByRole("button", { name: "Accept the invitation" }).click();
  await nora.page.getByRole("heading", { name: "Welcome to Riverside Academy" }).waitFor();
  await nora.page.getByRole("link").first().click();
  await nora.page.getByRole("button", { name: "Sign in" }).click();
  await nora.page.waitForURL("**/learn/riverside-academy/courses");
  await nora.page.getByRole("link", { name: "Keeping bees" }).click();
  await nora.page.getByRole("link", { name: "Begin", exact: true }).click();
  await nora.page.getByRole("button", { name: /Mark as completed/ }).click();
  await nora.page.getByRole("link", { name: "Start the quiz" }).click();
  await nora.page.getByLabel("Drones").check();
  await nora.page.getByRole("button", { name: "Answer" }).click();
  await nora.page.getByText(/0 of 1|0 %|wrong|not correct|1\/1/i).first().waitFor();
  await nora.close();

  await page.goto(app);
  assert.deepEqual(await numbers(page, "active"), ["1"]);
  assert.deepEqual(await numbers(page, "progress-over-time"), ["1", "2"]);
  await page.getByRole("link", { name: "Who makes honey?" }).waitFor();
  assert.equal(await page.locator("canvas").count(), 4);
  await page.getByRole("link", { name: "Keeping bees" }).click();
  await page.waitForURL("**/courses/*");
  await page.getByRole("link", { name: "Nora" }).click();
  await page.waitForURL("**/people/*");
  await page.getByText("wrong").waitFor();
  await check(page);
  checkRequests(server, seen);
  await close();
});

test("go back from a review, and add questions, without losing what was typed", long, async () => {
  const { page, seen, close } = await enter(desk, "instructor");
  await page.goto(`${app}/courses/seeing-light/builder`);
  await go(page, "text", "**/add?kind=text", "link");
  await page.getByLabel("Title").fill("Shadows");
  await page.getByLabel("Text (Markdown)").fill("They are *long* in winter.");
  await go(page, "Review and save", "**/builder");
  await check(page);
  await go(page, "Continue editing", "**/builder");
  assert.equal(await page.getByLabel("Title").inputValue(), "Shadows");
  await page.getByLabel("Title").fill("Long shadows");
  await go(page, "Review and save", "**/builder");
  await page.getByText("Long shadows").waitFor();
  await page.goBack(); // the response to a form is shown again
  assert.equal(await page.getByLabel("Title").inputValue(), "Long shadows");
  await page.goBack();
  await page.getByText("is added").waitFor();
  await page.goBack();
  assert.equal(await page.getByLabel("Title").inputValue(), "Shadows");
  assert.equal(await page.getByLabel("Text (Markdown)").inputValue(), "They are *long* in winter.");
  await go(page, "Review and save", "**/builder");
  await go(page, "Save", "**/builder?done=1");
  await page.goBack();
  await page.getByText("is added").waitFor();

  await page.goto(`${app}/courses/seeing-light/add?kind=quiz`);
  await page.getByLabel("Title").fill("About shadows");
  for (const number of [2, 3]) {
    await page.getByLabel("Question", { exact: true }).last().fill("Why?");
    await page.getByRole("button", { name: "Add another question" }).click();
    const question = page.getByRole("group", { name: `Question ${number}` });
    await question.waitFor();
    await page.waitForFunction((id) => document.activeElement.id === id, `q${number - 1}`);
    assert.ok(await question.getByLabel("Question", { exact: true }).evaluate((e) => e.getBoundingClientRect().bottom <= innerHeight && e.getBoundingClientRect().top >= 0));
  }
  await page.getByRole("button", { name: "Review and save" }).click();
  await page.getByRole("alert").getByText("Question 2: needs at least two choices").waitFor();
  await check(page);
  checkRequests(server, { ...seen, complaints: seen.complaints.filter((c) => !c.includes("422")) });
  await close();
});

test("import people from a file with wrong rows", async () => {
  const { page, seen, close } = await enter(desk, "owner");
  await page.goto(`${app}/people/import`);
  await check(page);
  const buffer = Buffer.from("email,first_name,groups\nada.bee@example.test,Ada,\nnot an address,Bob,\ncleo.bee@example.test,Cleo,No such group\n");
  await page.getByLabel("CSV file").setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer });
  await go(page, "Import", "**/imports/*");
  await page.getByText("The import is complete.").waitFor(); // without a reload by the test
  assert.deepEqual(await page.locator("#import-status tbody tr td:first-child").allTextContents(), ["3", "4"]);
  await check(page);
  await page.goto(`${app}/people?q=bee`);
  await page.getByRole("link", { name: "Ada" }).waitFor();
  assert.equal(await page.getByText("cleo.bee@example.test").count(), 0);
  checkRequests(server, seen);
  await close();
});

for (const [role, paths] of [
  ["owner", ["", "/people", "/people/invite", "/people/import", "/courses", "/courses/seeing-light/edit", "/courses/seeing-light/remove", "/categories", "/groups", "/results", "/answers", "/submissions", "/coupons", "/jobs", "/audit", "/keys", "/webhooks", "/settings"]],
  ["instructor", ["", "/people", "/courses", "/courses/seeing-light/builder"]],
]) {
  test(`the pages of ${role === "owner" ? "an owner" : "an instructor"} on a phone, in dark mode`, long, async () => {
    const { page, seen, close } = await enter(telephone, role);
    for (const path of paths) {
      await page.goto(app + path);
      await check(page);
    }
    checkRequests(server, seen);
    await close();
  });
}

test("the menu on a phone shows every entry, also in German and on a narrow screen", long, async () => {
  for (const [width, locale] of [[390, "en"], [320, "de"]]) {
    const { page, close } = await enter({ ...telephone, viewport: { width, height: 844 }, locale }, "owner");
    const boxes = await page.locator(".sections a").evaluateAll((all) => all.map((a) => ({ name: a.textContent, ...a.getBoundingClientRect().toJSON() })));
    assert.equal(boxes.length, 12);
    for (const { name, left, right, height } of boxes) assert.ok(left >= 0 && right <= width && height >= 24, `${name}: ${left} to ${right}`);
    assert.ok(boxes.at(-1).bottom < 844 / 2, "the menu takes more than half of the screen");
    await page.locator(".sections a").last().focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${app}/settings`);
    await check(page);
    await close();
  }
});

test("the period of the dashboard is chosen with a link", long, async () => {
  const { page, seen, close } = await enter(desk, "owner");
  await go(page, "4 weeks", "**/riverside-academy?period=4", "link");
  assert.equal(await page.locator(".plot:has(#active) tbody tr").count(), 4);
  await check(page);
  await go(page, "All", "**/riverside-academy?period=all", "link");
  assert.ok((await page.locator(".plot:has(#active) tbody tr").count()) > 12);
  assert.equal(await page.locator(".period [aria-current]").textContent(), "All");
  assert.equal(await page.locator("canvas").count(), 4);
  await check(page);
  checkRequests(server, seen);
  await close();
});

test("no table is cut on a desktop", long, async () => {
  for (const locale of ["en", "de"]) {
    const { page, close } = await open(browser, { ...desk, locale });
    await page.goto(server.url);
    await page.getByRole("button", { name: /Enter as owner/ }).click();
    await page.waitForURL(app);
    await page.locator("canvas").nth(3).waitFor();
    for (const path of ["", "/people", "/courses/seeing-light", "/results", "/answers", "/submissions", "/coupons"]) {
      if (path) await page.goto(app + path);
      const cut = await page.locator(".scroll").evaluateAll((all) => all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent.slice(0, 50)));
      assert.deepEqual(cut, [], `${locale} ${path}`);
    }
    await close();
  }
});

test("keys: the secret is shown once, and a key is revoked after a confirmation", async () => {
  const { page, close } = await enter(desk, "owner");
  await page.goto(`${app}/keys`);
  await page.getByLabel("Name").fill("Website");
  await page.getByRole("button", { name: "Create the key" }).click();
  const secret = await page.locator(".secret").textContent();
  const call = async () => (await fetch(`${server.url}/v2/courses`, { headers: { "X-Api-Key": secret } })).status;
  assert.equal(await call(), 200);
  await check(page);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy" }).click();
  await page.getByText("Copied.", { exact: true }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), secret);
  await page.goto(`${app}/keys`);
  assert.equal(await page.locator(".secret").count(), 0);
  await page.getByRole("link", { name: "Revoke Website" }).click();
  await page.waitForURL("**/revoke");
  await page.getByRole("heading", { name: "Revoke the API key Website?" }).waitFor();
  await check(page);
  await go(page, "Revoke", "**/keys?done=1");
  await close();
});

test("a sign-in link for a manager is selected where the clipboard is closed, and lets the manager in", long, async () => {
  const { page, seen, close } = await enter(telephone, "owner");
  await page.goto(`${app}/people/invite`);
  await page.getByLabel("Email address").fill("mara.bee@example.test");
  await go(page, "Send the invitation", "**/people/*?done=1");
  await page.getByLabel("New role").selectOption("manager");
  await page.getByRole("button", { name: "Grant" }).click();
  await page.getByRole("link", { name: "Withdraw manager" }).waitFor();
  await check(page);
  const person = page.url();
  await page.getByRole("button", { name: "Create a sign-in link" }).click();
  await page.waitForURL("**/link");
  const link = await page.locator(".secret").textContent();
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.getByRole("button", { name: "Copy" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("The text is selected.").waitFor();
  assert.equal(await page.evaluate(() => String(getSelection())), link);
  await check(page);
  const mara = await open(browser, telephone);
  await mara.page.goto(link);
  await mara.page.getByRole("button").last().click();
  await mara.page.waitForURL(app);
  await mara.close();
  await page.goto(person);
  await page.getByRole("link", { name: "Withdraw manager" }).click();
  await page.getByText("cannot enter these pages").waitFor();
  await check(page);
  await go(page, "Withdraw", "**/people/*?done=1");
  assert.equal(await page.getByRole("link", { name: "Withdraw manager" }).count(), 0);
  checkRequests(server, seen);
  await close();
});

test("webhooks: a receiver gets a test message and a change, and one that fails is sent again", long, async () => {
  let status = 204;
  const received = [];
  const receiver = http.createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += part));
    request.on("end", () => {
      received.push({ signature: request.headers["webhook-signature"], ...JSON.parse(body) });
      response.writeHead(status).end();
    });
  });
  await new Promise((listening) => receiver.listen(0, "127.0.0.1", listening));
  const address = `http://127.0.0.1:${receiver.address().port}/lyceum`;
  const { page, close } = await enter(desk, "owner");
  /** Reloads the page until its first message has a status. */
  const reload = async (wanted) => {
    for (let tries = 0; (await page.locator("tbody tr").first().locator("td").nth(1).textContent()) !== wanted; tries++) {
      assert.ok(tries < 100, `no message became ${wanted}`);
      await page.waitForTimeout(100);
      await page.reload();
    }
  };
  await page.goto(`${app}/webhooks`);
  await check(page);
  await page.getByLabel("Address (https)").fill("http://192.0.2.1/");
  await page.getByRole("button", { name: "Create the webhook" }).click();
  await page.getByRole("alert").getByText("Url must start with https://").waitFor();
  const field = page.getByLabel("Address (https)");
  assert.match(await page.locator(`#${await field.getAttribute("aria-describedby")}`).textContent(), /^Url must start with https/);
  await check(page);
  await page.getByLabel("Address (https)").fill(address);
  await page.getByLabel("All types").uncheck();
  await page.getByLabel("groups", { exact: true }).check();
  await page.getByRole("button", { name: "Create the webhook" }).click();
  assert.match(await page.locator(".secret").textContent(), /^whsec_/);
  await check(page);
  await page.getByRole("link", { name: "To the messages of this webhook" }).click();
  await page.waitForURL("**/webhooks/*");
  assert.equal(await page.locator(".secret").count(), 0);
  await page.getByRole("button", { name: "Send a test message" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/webhooks/*?done=1");
  await reload("succeeded");
  assert.match(received[0].signature, /^v1,/);
  assert.deepEqual(received[0].meta, { ping: true });

  status = 500;
  const endpoint = page.url();
  await page.goto(`${app}/groups`);
  await page.getByLabel("Name").fill("Beekeepers");
  await go(page, "Create the group", "**/groups/*?done=1");
  while (!received.some((message) => message.data)) await page.waitForTimeout(50);
  status = 204;
  await page.goto(endpoint);
  await reload("pending");
  await page.getByRole("button", { name: /^Send again \d/ }).first().click();
  await page.waitForURL("**/webhooks/*?done=1");
  await reload("succeeded");
  const last = received.at(-1);
  assert.equal(last.included[0].attributes.name, "Beekeepers");
  await check(page);
  const phone = await enter(telephone, "owner");
  await phone.page.goto(endpoint);
  await check(phone.page);
  await phone.close();
  await page.getByRole("link", { name: "Remove", exact: true }).click();
  await page.waitForURL("**/remove");
  await go(page, "Remove", "**/webhooks?done=1");
  await close();
  receiver.close();
});

test("the keyboard alone, back and forth, and a lost session", async () => {
  const { page, close } = await enter(desk, "instructor");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter"); // skip the navigation
  assert.equal(await page.evaluate(() => document.activeElement.id), "content");
  await page.getByRole("link", { name: "Courses", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(`${app}/courses`);
  assert.equal(await page.getByRole("link", { name: "Songwriting Workshop" }).count(), 0);
  await page.goBack();
  await page.waitForURL(`${app}#content`);
  await page.goForward();
  await page.waitForURL(`${app}/courses`);
  await page.context().clearCookies();
  await go(page, "People", "**/learn/riverside-academy/sign-in?return=%2Fapp%2Fpeople", "link");
  await page.getByRole("button", { name: "Enter as an instructor" }).click();
  await page.waitForURL(`${app}/people`);
  await close();
});

test("more courses than a select offers: a search field finds the last one", long, async () => {
  const names = Array.from({ length: 205 }, (_, i) => `Zoo ${i}`);
  for (const name of names) {
    const response = await fetch(`${server.url}/v2/courses`, {
      method: "POST",
      headers: { "X-Api-Key": server.key, "Content-Type": "application/vnd.api+json" },
      body: JSON.stringify({ data: { type: "courses", attributes: { name } } }),
    });
    assert.equal(response.status, 201);
  }
  const { page, seen, close } = await enter(telephone, "owner");
  await page.goto(`${app}/groups`);
  await page.getByLabel("Name").fill("Zookeepers");
  await go(page, "Create the group", "**/groups/*?done=1");
  await check(page);
  await page.getByLabel("Find a course").fill("zoo 99");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/groups/*?find_course=zoo+99#courses");
  await check(page);
  await page.getByLabel("Course", { exact: true }).selectOption("Zoo 99");
  await go(page, "Add the course", "**/groups/*?done=1");
  await page.getByRole("link", { name: "Zoo 99" }).waitFor();
  await page.goto(`${app}/people`);
  await check(page);
  await page.getByLabel("Find a course").fill("zoo 99");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.waitForURL("**/people?*");
  await page.getByLabel("Course", { exact: true }).selectOption("Zoo 99");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByText("No people match.").waitFor();
  checkRequests(server, seen);
  await close();
});

test("two tabs with the same form: the second one is refused and shows both texts", long, async () => {
  const { page, close } = await enter(telephone, "instructor");
  const form = `${app}/courses/seeing-light/builder/what-light-does`;
  const other = await page.context().newPage();
  await Promise.all([page.goto(form), other.goto(form)]);
  await other.getByLabel("Text (Markdown)").fill("Text of the other tab");
  await go(other, "Review and save", "**/builder/what-light-does");
  await go(other, "Save", "**/builder?done=1");
  await page.getByLabel("Title").fill("What light can do");
  await page.getByRole("button", { name: "Review and save" }).click();
  await page.getByText("was changed after you opened the form").waitFor();
  await page.getByText("Text of the other tab").waitFor();
  assert.equal(await page.getByLabel("Title").inputValue(), "What light can do");
  await check(page);
  await page.getByRole("button", { name: "Review and save" }).click();
  await page.getByText("changes: title, text").waitFor();
  await go(page, "Save", "**/builder?done=1");
  await close();
});

test("a reload of the page with a new key creates no second key", long, async () => {
  const { page, close } = await enter(desk, "owner");
  await page.goto(`${app}/keys`);
  await page.getByLabel("Name").fill("Reloaded");
  await page.getByRole("button", { name: "Create the key" }).click();
  await page.getByText("it is not shown again").waitFor();
  await page.reload();
  await page.getByText("This form was already sent").first().waitFor();
  assert.equal(await page.getByRole("rowheader", { name: "Reloaded" }).count(), 1);
  await check(page);
  await close();
});
