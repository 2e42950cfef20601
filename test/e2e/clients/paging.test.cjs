// Reads every list as existing client programs do: with the key in X-Api-Key, 100 rows
// a page, following links.next unchanged to the end.
const assert = require("node:assert/strict");
const { after, before, test } = require("node:test");
const { start } = require("../browser/server.cjs");
const { client, complete, lists } = require("./client.cjs");

const timeoutMs = 60_000; // milliseconds for the bulk requests
let server, ask, paths;

before(async () => {
  server = await start("--demo");
  ask = client(server);
  paths = await lists(ask);
  await complete(ask);
  await fill();
  await disableEndpoints();
});

after(() => server?.stop());

/** Adds people and groups with bulk requests, so that lists have several pages. */
async function fill() {
  const number = (n) => String(n).padStart(3, "0");
  const group = "Group 000";
  const groups = Array.from({ length: 230 }, (_, n) => ({ name: `Group ${number(n)}` }));
  const people = Array.from({ length: 230 }, (_, n) => ({ email: `bulk${number(n)}@example.test`, groups: group }));
  const course = (await ask("GET", "/v1/courses?limit=1")).document.data[0].id;
  groups[0].courses = course; // members of the first group are enrolled in it
  await bulk("groups", { groups });
  await bulk("people", { people });
}

/** Sends a bulk request and waits until all rows have been applied. */
async function bulk(noun, attributes) {
  let { status, document } = await ask("POST", `/v1/bulk/${noun}`, { body: { data: { type: "bulk", attributes } } });
  assert.equal(status, 202, JSON.stringify(document));
  const self = document.data.links.self;
  await until(async () => {
    ({ document } = await ask("GET", self));
    return document.data.attributes.status === "completed";
  });
  assert.equal(document.data.attributes.rows_failed, 0, JSON.stringify(document.data.attributes.errors));
}

/**
 * Waits for a thousand deliveries and disables the webhook endpoints, because the deliveries would
 * change while they are read. Waits until no delivery is pending.
 */
async function disableEndpoints() {
  await until(async () => (await deliveries("limit=1000")).length === 1000);
  const { document: { data: endpoints } } = await ask("GET", "/v2/webhook_endpoints");
  for (const { id, type } of endpoints) {
    const { status, text } = await ask("PATCH", `/v2/webhook_endpoints/${id}`, { body: { data: { type, id, attributes: { enabled: false } } } });
    assert.equal(status, 200, text);
  }
  await until(async () => (await deliveries("filter[status][eq]=pending")).length === 0);
}

const deliveries = async (query) => (await ask("GET", `/v2/webhook_deliveries?${query}`)).document.data;

/** Waits until condition() returns true. */
async function until(condition) {
  for (const end = Date.now() + timeoutMs; !(await condition());) {
    assert.ok(Date.now() < end, String(condition));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Reads a list page by page. Returns its rows as text and the number of pages. */
async function walk(path, limit) {
  const rows = [];
  let pages = 0;
  for (let url = `${path}?limit=${limit}`; url;) {
    const { status, document, headers, name } = await ask("GET", url);
    assert.equal(status, 200, name);
    assert.equal(headers.get("content-type"), "application/json; charset=utf-8");
    const { data, links } = document;
    assert.ok(data.length > 0 || pages === 0, `${name} is an empty page after the last page`);
    assert.ok(data.length === limit || !links.next, `${name} is not full, but there is a next`);
    assert.equal(links.prev === undefined, pages === 0, `prev of ${name}`);
    if (pages > 0) assert.equal(links.self, url);
    if (pages === 1) assert.equal(new URL(links.prev).searchParams.has("page"), false, "page 2's prev has no page");
    rows.push(...data.map((row) => JSON.stringify(row)));
    url = links.next;
    assert.ok(url === undefined || !url.includes(server.key), `${url} contains the key`);
    assert.ok(++pages < 500, `${path} has no end`);
  }
  return { rows, pages };
}

/** Reads a list page by page and compares it with the same list on the longest pages. Returns the number of pages. */
async function once(path, limit) {
  const { rows, pages } = await walk(path, limit);
  assert.equal(new Set(rows).size, rows.length, `${path}: each row once`);
  const whole = await walk(path, 1000);
  assert.equal(whole.pages, Math.max(1, Math.ceil(rows.length / 1000)));
  assert.deepEqual(rows, whole.rows, `${path}: no row left out`);
  return { rows: rows.length, pages };
}

/** Returns the paths of a nested list, one for every record of its parent list. */
async function under(path) {
  const [parent, child] = path.split("/{id}");
  const { document } = await ask("GET", `${parent}?limit=1000`);
  return document.data.map(({ id }) => `${parent}/${id}${child}`);
}

test("100 rows a page", async (t) => {
  let long = 0;
  for (const path of paths) {
    await t.test(path, async (t) => {
      const total = { rows: 0, pages: 0 };
      for (const list of path.includes("{id}") ? await under(path) : [path]) {
        const { rows, pages } = await once(list, 100);
        total.rows += rows;
        total.pages += pages;
        if (pages > 1) long++;
      }
      assert.ok(total.rows > 0);
      t.diagnostic(`${total.rows} rows on ${total.pages} pages`);
    });
  }
  assert.ok(long >= 10, `${long} lists have several pages`);
});

test("few rows a page, so that every list has links.next", async (t) => {
  for (const path of paths.filter((p) => !p.includes("{id}"))) {
    await t.test(path, async () => {
      const { document } = await ask("GET", `${path}?limit=1000`);
      const limit = Math.ceil(document.data.length / 3);
      assert.ok((await once(path, limit)).pages > 1);
    });
  }
});

test("the key can be a parameter, and no link contains it", async () => {
  const response = await fetch(`${server.url}/v1/people?limit=100&api_key=${server.key}`);
  const { links } = await response.json();
  assert.equal(response.status, 200);
  assert.ok(!JSON.stringify(links).includes("api_key"));
  assert.equal((await ask("GET", links.next)).status, 200);
});
