// Tests in a real browser that pages of configured origins, and no others, can call the API.
const assert = require("node:assert/strict");
const { after, before, test } = require("node:test");
const { desk, launch, open } = require("./browser.cjs");
const { servePage } = require("./pages.cjs");
const { start } = require("./server.cjs");

let player, stranger, server, browser;

before(async () => {
  player = await servePage();
  stranger = await servePage();
  server = await start("--demo", `--cors.origins=${player.origin}`);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.stop();
  player?.stop();
  stranger?.stop();
});

/** Sends a request from a page of the given origin. Returns what the page can see of the response. */
async function call(origin, path, options = {}) {
  const { page, seen, close } = await open(browser, desk);
  await page.goto(origin);
  const result = await page.evaluate(
    async ([url, options]) => {
      try {
        const response = await fetch(url, options);
        return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
      } catch (error) {
        return { error: String(error) };
      }
    },
    [server.url + path, { ...options, headers: { Authorization: `Bearer ${server.key}`, ...options.headers } }],
  );
  await close();
  return { ...result, complaints: seen.complaints };
}

/** Options of a request that creates a category. */
const creation = (name) => ({
  method: "POST",
  headers: { "Content-Type": "application/vnd.api+json", "Idempotency-Key": name },
  body: JSON.stringify({ data: { type: "categories", attributes: { name } } }),
});

/** Returns the names of the categories of the school. */
async function categories() {
  const response = await fetch(`${server.url}/v2/categories?limit=1000`, { headers: { "X-Api-Key": server.key } });
  return (await response.json()).data.map(({ attributes }) => attributes.name);
}

test("a page of a configured origin", async (t) => {
  await t.test("lists, and reads the headers", async () => {
    const { status, headers, body } = await call(player.origin, "/v2/courses");
    assert.equal(status, 200);
    assert.equal(JSON.parse(body).data.length, 8);
    assert.match(headers.etag, /^W\//);
    assert.ok(headers["x-request-id"]);
  });

  await t.test("creates, and reads the new URL", async () => {
    const { status, headers } = await call(player.origin, "/v2/categories", creation("From a page"));
    assert.equal(status, 201);
    assert.match(headers.location, /\/v2\/categories\/[0-9a-f-]{36}$/);
    assert.ok((await categories()).includes("From a page"));
  });

  await t.test("reads errors", async () => {
    const { status, headers, body } = await call(player.origin, "/v2/courses", { headers: { Authorization: "Bearer wrong" } });
    assert.equal(status, 401);
    assert.equal(JSON.parse(body).errors.length, 1);
    assert.ok(headers["www-authenticate"]);
  });

  await t.test("cannot send cookies", async () => {
    const { error, complaints } = await call(player.origin, "/v2/courses", { credentials: "include" });
    assert.match(error, /Failed to fetch/);
    assert.match(complaints.join("\n"), /Access-Control-Allow-Credentials/);
  });

  await t.test("cannot read other paths", async () => {
    assert.match((await call(player.origin, "/healthz", { mode: "cors" })).error, /Failed to fetch/);
  });
});

test("a page of another origin", async (t) => {
  await t.test("cannot list", async () => {
    const { error, complaints } = await call(stranger.origin, "/v2/courses");
    assert.match(error, /Failed to fetch/);
    assert.match(complaints.join("\n"), /blocked by CORS policy/);
  });

  await t.test("cannot create", async () => {
    const { error } = await call(stranger.origin, "/v2/categories", creation("From another page"));
    assert.match(error, /Failed to fetch/);
    assert.ok(!(await categories()).includes("From another page"));
  });
});
