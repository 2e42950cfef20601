// Writes the pictures of docs/images from the demo school. `make screenshots` runs it.
const fs = require("node:fs");
const { launch, open } = require("./browser.cjs");
const { start } = require("./server.cjs");

const folder = "docs/images";
const maxBytes = 120_000; // the pictures are part of every checkout
const address = "127.0.0.1:8080"; // as in README.md; pictures show it
const desk = { width: 1000, height: 640 };
const telephone = { width: 390, height: 700 };
let server, browser;

/** Saves a picture of the page. */
async function save(page, name) {
  const picture = await page.screenshot({ path: `${folder}/${name}.png`, animations: "disabled", caret: "hide" });
  console.log(`${folder}/${name}.png: ${picture.length} bytes`);
  if (picture.length > maxBytes) throw new Error(`${name}.png is larger than ${maxBytes} bytes`);
}

/** Saves pictures of pages of the academy as its demo learner sees them. */
async function academy(colorScheme, viewport, pictures) {
  const { page, close } = await open(browser, { colorScheme, viewport });
  await page.goto(`${server.url}/learn/riverside-academy/sign-in`);
  await page.getByRole("button", { name: "Enter as a learner" }).click();
  await page.waitForURL("**/riverside-academy/courses");
  for (const [path, name] of Object.entries(pictures)) {
    await page.goto(`${server.url}/learn/riverside-academy/courses${path}`);
    await save(page, name);
  }
  await close();
}

/** Saves pictures of pages of the teaching app as the demo owner sees them. */
async function teaching(colorScheme, viewport, pictures) {
  const { page, close } = await open(browser, { colorScheme, viewport });
  await page.goto(server.url);
  await page.getByRole("button", { name: "Enter as owner" }).click();
  await page.waitForURL("**/app/riverside-academy");
  for (const [name, path] of Object.entries(pictures)) {
    await page.goto(`${server.url}/app/riverside-academy${path}`);
    if (name.startsWith("person")) {
      await page.getByRole("link", { name: "Abigail Stone" }).click();
      await page.waitForURL("**/people/*");
    }
    await page.waitForTimeout(500); // the plots are animated
    await save(page, name);
  }
  await close();
}

/** Saves a picture of the reference page with the response of an operation. */
async function reference(colorScheme) {
  const { page, close } = await open(browser, { colorScheme, viewport: { width: 1280, height: 800 } });
  await page.goto(`${server.url}/docs`);
  await page.locator('input[placeholder^="QUxM"]').first().fill(server.key);
  await page.goto(`${server.url}/docs#tag/courses`);
  await page.getByRole("link", { name: "List courses (v2)" }).first().click();
  await page.getByRole("button", { name: /Test Request.*get.*\/v2\/courses\b(?!\/)/i }).first().click();
  await page.getByRole("button", { name: /^Send/ }).first().click();
  await page.getByText("200 OK").first().waitFor();
  await page.getByText('"Bread, Butter, Ferment"').first().waitFor();
  await page.waitForTimeout(3000); // the address bar shows the progress of a request for a while
  await save(page, `reference-${colorScheme}`);
  await close();
}

async function main() {
  server = await start("--demo", "--addr", address);
  browser = await launch();
  const activity = "/seeing-light/what-light-does";
  const question = "/seeing-light/do-you-see-it/questions/2";
  await academy("light", desk, { "": "courses-light", [activity]: "activity-light", [question]: "question-light" });
  await academy("dark", desk, { [activity]: "activity-dark" });
  await academy("dark", telephone, { "": "courses-phone", [activity]: "activity-phone", [question]: "question-phone" });
  await teaching("light", desk, { "dashboard-light": "", "builder-light": "/courses/seeing-light/builder" });
  await teaching("dark", desk, { "dashboard-dark": "" });
  await teaching("dark", telephone, { "dashboard-phone": "", "people-phone": "/people", "person-phone": "/people?q=Abigail" });
  for (const colorScheme of ["light", "dark"]) await reference(colorScheme);
}

main()
  .finally(async () => {
    await browser?.close();
    server?.stop();
  })
  .catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
