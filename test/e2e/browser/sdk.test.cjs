// Tests the TypeScript SDK in a page whose origin differs from that of the API.
const assert = require("node:assert/strict");
const { after, before, test } = require("node:test");
const { desk, launch, open } = require("./browser.cjs");
const { servePage } = require("./pages.cjs");
const { start } = require("./server.cjs");

let pages, server, browser;

before(async () => {
  pages = await servePage(".cache/browser/sdk");
  server = await start("--demo", `--cors.origins=${pages.origin}`, "--rates.key=60");
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.stop();
  pages?.stop();
});

/**
 * Runs work in a new page. The arguments of work are the module of the SDK and a function that
 * creates a client of the server. Returns the result of work, the requests of the page to the API,
 * and the errors of the page.
 */
async function inPage(work) {
  const { page, seen, close } = await open(browser, desk);
  await page.goto(pages.origin);
  await page.addScriptTag({
    type: "module",
    content: `import * as sdk from "/index.js"; globalThis.sdk = sdk; globalThis.work = ${work};`,
  });
  await page.waitForFunction(() => globalThis.work);
  const result = await page.evaluate(
    ([baseUrl, key]) => globalThis.work(globalThis.sdk, (options) => new globalThis.sdk.Client({ baseUrl, key, ...options })),
    [server.url, server.key],
  );
  await close();
  return { result, requests: seen.requests.filter((url) => url.startsWith(server.url)), complaints: seen.complaints };
}

test("create, update, delete", async () => {
  const { result, complaints } = await inPage(async (sdk, connect) => {
    const client = connect();
    const options = { idempotencyKey: "evening" };
    const group = await client.groups.create({ name: "Evening" }, options);
    const again = await client.groups.create({ name: "Evening" }, options);
    const renamed = await client.groups.update(group.id, { name: "Night" });
    await client.groups.delete(group.id);
    return [again.id === group.id, renamed.attributes.name];
  });
  assert.deepEqual(result, [true, "Night"]);
  assert.deepEqual(complaints, []);
});

test("a list with a nested filter follows its pages", async () => {
  const { result, requests, complaints } = await inPage(async (sdk, connect) => {
    const client = connect();
    const all = await sdk.collect(client.people.list({ pageSize: 1000 }));
    const filter = { or: [{ and: [{ course_count: { gteq: 1 } }, { group_count: { in: [0, 2] } }] }, { email: { eq: all[0].attributes.email } }] };
    const found = [];
    for await (const person of client.people.list({ filter, pageSize: 5 })) found.push(person.id);
    const matches = ({ id, attributes: a }) => (a.course_count >= 1 && [0, 2].includes(a.group_count)) || id === all[0].id;
    return [found, all.filter(matches).map(({ id }) => id)];
  });
  const [found, want] = result;
  assert.ok(want.length > 5);
  assert.deepEqual(found, want);
  assert.equal(requests.length, 1 + Math.ceil(want.length / 5));
  assert.deepEqual(complaints, []);
});

test("an error has its type, the faults and the ID of the request", async () => {
  const { result } = await inPage(async (sdk, connect) => {
    const client = connect();
    const error = await client.people.create({ email: "wrong" }).catch((error) => error);
    return [error instanceof sdk.ResponseError, error.status, sdk.part(error.errors[0]), error.requestId];
  });
  assert.deepEqual(result.slice(0, 3), [true, 422, "/data/attributes/email"]);
  assert.ok(result[3]);
});

test("a signal ends a request", async () => {
  const { result } = await inPage((sdk, connect) =>
    connect().school.get({ signal: AbortSignal.abort(new Error("enough")) }).catch((error) => error.message),
  );
  assert.equal(result, "enough");
});

test("Retry-After is read: a longer wait than allowed is not begun", async () => {
  const { result } = await inPage(async (sdk, connect) => {
    let sent = 0;
    const client = connect({ maxWait: 1, fetch: (...request) => (sent++, fetch(...request)) });
    for (let n = 1; n <= 200; n++) {
      const error = await client.school.get().then(() => undefined, (error) => error);
      if (error) return [error.status, sent - n];
    }
  });
  assert.deepEqual(result, [429, 0]);
});
