// Tests examples/player in a real browser, with its own server, against the demo school.
const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const { once } = require("node:events");
const net = require("node:net");
const { after, before, test } = require("node:test");
const { desk, launch, open } = require("./browser.cjs");
const { start } = require("./server.cjs");

const email = "jiwoo.park@example.test";
let origin, server, player, browser;

/** Returns a free port. */
async function freePort() {
  const listener = net.createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address();
  await new Promise((closed) => listener.close(closed));
  return port;
}

before(async () => {
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  server = await start("--demo", `--cors.origins=${origin}`);
  player = spawn("node", ["examples/player/server.mjs"], {
    env: { ...process.env, LYCEUM_URL: server.url, LYCEUM_KEY: server.key, LEARNER: email, PORT: port },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(player.stdout, "data"); // the player listens
  browser = await launch();
});

after(async () => {
  await browser?.close();
  player?.kill();
  server?.stop();
});

/** Reads a list with the key of the school. */
async function list(path) {
  const response = await fetch(server.url + path, { headers: { "X-Api-Key": server.key } });
  return (await response.json()).data;
}

test("a learner reads a text, answers a quiz and completes an activity", async () => {
  const [{ id: person }] = await list(`/v2/people?filter[email][eq]=${email}`);
  const { page, seen, close } = await open(browser, desk);
  await page.goto(origin);
  await page.getByRole("button", { name: "Bread, Butter, Ferment" }).click();
  await page.getByRole("button", { name: "Folding the dough" }).click();
  await page.getByRole("heading", { name: "Folding the dough" }).waitFor();
  await page.getByRole("button", { name: "Mark as completed" }).click();
  await page.getByRole("listitem").filter({ hasText: "Folding the dough completed" }).waitFor();
  const completions = await list(`/v2/activity_completions?filter[person.id][eq]=${person}&limit=1000`);
  assert.ok(completions.length > 0);

  await page.getByRole("button", { name: "Safe with the oven" }).click();
  const form = page.locator("form").first();
  await form.getByRole("button", { name: "Answer" }).click();
  await form.getByRole("status").filter({ hasText: /\w/ }).waitFor();
  assert.match(await form.getByRole("status").textContent(), /blank|choice|choose|answer/i);
  await form.getByLabel("Put a lid on it").check();
  await form.getByRole("button", { name: "Answer" }).click();
  await form.getByText("Correct", { exact: true }).waitFor();
  const answers = await list(`/v2/analytics/quiz_raw_answers?filter[person.id][eq]=${person}&limit=1000`);
  assert.ok(answers.some(({ attributes }) => JSON.stringify(attributes).includes("Put a lid on it")));
  // The page never sees the key, and only the expected error of the API is reported.
  assert.ok(seen.requests.every((url) => url.startsWith(origin) || url.startsWith(server.url) || url.startsWith("https://")));
  assert.ok(!(await page.content()).includes(server.key));
  await close();
});
