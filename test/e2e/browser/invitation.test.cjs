// Tests the invitation page in a real browser.
const assert = require("node:assert/strict");
const { after, before, test } = require("node:test");
const { desk, checkRequests, launch, open, telephone } = require("./browser.cjs");
const { start } = require("./server.cjs");

const link = (digit) => `${server.url}/invitations/${digit.repeat(40)}`; // see school.jsonl
const over = "This invitation has already been used or has expired.";
let server, browser;

before(async () => {
  server = await start("--load", "test/e2e/browser/school.jsonl");
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.stop();
});

/** Fails if the browser reported more 410 (Gone) responses than given, or other errors. */
function checkGone(seen, times) {
  const gone = seen.complaints.filter((c) => /status of 410 \(Gone\)/.test(c));
  assert.ok(gone.length <= times, `${gone.length} pages are gone`);
  checkRequests(server, { ...seen, complaints: seen.complaints.filter((c) => !gone.includes(c)) });
}

/** Returns the brightness of the page near its upper left corner, from 0 to 255. */
async function brightness(page) {
  const shot = (await page.screenshot()).toString("base64");
  const blank = await page.context().newPage();
  const [red, green, blue] = await blank.evaluate(async (shot) => {
    const image = new Image();
    image.src = `data:image/png;base64,${shot}`;
    await image.decode();
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.drawImage(image, 0, 0);
    return [...canvas.getImageData(1, 1, 1, 1).data];
  }, shot);
  await blank.close();
  return (red + green + blue) / 3;
}

/** Fails if an element is wider than the screen or too small for a finger. */
async function fits(page) {
  const [width, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(width <= screen, `${width} pixels on ${screen}`);
  for (const part of await page.locator("input, button").all()) {
    assert.ok((await part.boundingBox()).height >= 36, "large enough for a finger");
  }
}

test("phone, dark mode", async (t) => {
  const { page, seen, close } = await open(browser, telephone);
  await page.goto(link("1"));

  await t.test("the page is dark and fits", async () => {
    assert.ok((await brightness(page)) < 60);
    await fits(page);
    await page.setViewportSize({ width: 320, height: 568 });
    await fits(page);
  });

  await t.test("the form accepts the invitation", async () => {
    await page.getByLabel("First name").fill("Maximiliana");
    await page.getByLabel("Last name").fill("Unzerbrechlichlangernachnamenbestandteil");
    const answered = page.waitForResponse((r) => r.request().method() === "POST");
    await page.getByRole("button", { name: "Accept the invitation" }).click();
    assert.equal((await answered).status(), 200);
    await page.getByRole("heading", { name: "Welcome to Donau" }).waitFor();
    await page.getByText("Maximiliana Unzerbrechlichlangernachnamenbestandteil, you have joined").waitFor();
    assert.equal(await page.locator("form").count(), 0);
    assert.ok((await brightness(page)) < 60);
    await fits(page);
    const people = await (await fetch(`${server.url}/v2/people?q=Maximiliana`, { headers: { "X-Api-Key": server.key } })).json();
    assert.ok(people.data[0].attributes.activated_at);
  });

  await t.test("no requests to other servers, no errors", () => checkRequests(server, seen));

  await t.test("the link works once", async () => {
    assert.equal((await page.goto(link("1"))).status(), 410);
    await page.getByText(over).waitFor();
    await fits(page);
    checkGone(seen, 1);
  });
  await close();
});

test("desktop, light mode", async (t) => {
  const { page, seen, close } = await open(browser, desk);
  const second = await open(browser, { ...desk, javaScriptEnabled: false });
  await page.goto(link("2"));
  await second.page.goto(link("2"));

  await t.test("the page is light, styled, and escapes names", async () => {
    assert.ok((await brightness(page)) > 200);
    const main = await page.locator("main").boundingBox();
    assert.equal(main.width, 448);
    assert.ok(Math.abs(main.x * 2 + main.width - 1280) <= 20, "in the middle");
    await page.getByText("Hello Eva <b>Bold</b>, you are invited").waitFor();
    assert.equal(await page.getByLabel("Last name").inputValue(), "<b>Bold</b>");
  });

  await t.test("the page works without scripts and with the keyboard only", async () => {
    await second.page.getByLabel("Last name").focus();
    await second.page.keyboard.press("Enter");
    await second.page.getByText("Eva <b>Bold</b>, you have joined").waitFor();
    checkRequests(server, second.seen);
  });

  await t.test("a second acceptance shows that the link was used", async () => {
    const answered = page.waitForResponse((r) => r.request().method() === "POST");
    await page.getByRole("button", { name: "Accept the invitation" }).click();
    assert.equal((await answered).status(), 410);
    await page.getByText(over).waitFor();
    checkGone(seen, 1);
  });

  await t.test("an expired link shows that it has expired", async () => {
    assert.equal((await page.goto(link("3"))).status(), 410);
    await page.getByText(over).waitFor();
    assert.equal(await page.locator("form").count(), 0);
    checkGone(seen, 2);
  });

  await t.test("an unknown link shows that it does not exist", async () => {
    assert.equal((await page.goto(link("4"))).status(), 404);
    await page.getByText("This invitation does not exist").waitFor();
  });
  await second.close();
  await close();
});

test("the content security policy of the page is enforced", async () => {
  const { page, seen, close } = await open(browser, desk);
  await page.goto(link("3"));
  await page.evaluate(() => document.body.append(Object.assign(document.createElement("style"), { textContent: "p { color: red }" })));
  await page.waitForFunction(() => getComputedStyle(document.querySelector("p")).color !== "rgb(255, 0, 0)");
  assert.ok(seen.complaints.some((c) => /Content Security Policy/.test(c)), "the browser rejects another style");
  await close();
});

test("the home page, a link to an unknown school, and the page of an invitation in German", async () => {
  const { page, seen, close } = await open(browser, { ...telephone, locale: "de-DE" });
  assert.equal((await page.goto(server.url)).status(), 200);
  await page.getByRole("link", { name: "API reference" }).waitFor();
  await fits(page);
  assert.equal((await page.goto(`${server.url}/app/courses/welcome`)).status(), 404);
  await page.getByRole("heading", { name: "Nicht gefunden" }).waitFor();
  await fits(page);
  await page.goto(link("4"));
  await page.getByText("Diese Einladung gibt es nicht").waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "de");
  const missing = seen.complaints.filter((c) => /status of 404/.test(c));
  assert.ok(missing.length <= 2, "the icon and the styles load");
  checkRequests(server, { ...seen, complaints: seen.complaints.filter((c) => !missing.includes(c)) });
  await close();
});
