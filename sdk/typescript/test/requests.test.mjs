// Tests retries, idempotency keys and errors.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, part } from "lyceum";
import { demo, newClient } from "./server.mjs";

const created = { data: { type: "groups", id: "1", attributes: { name: "Evening" } } };
const json = (status, document, headers) => () => new Response(JSON.stringify(document), { status, headers });
const busy = json(503, {}, { "Retry-After": "0" });
const broken = () => {
  throw new TypeError("fetch failed");
};

/**
 * Returns a client that receives the given responses one after another, and the array of the
 * requests that it sends.
 */
function scripted(responses, options) {
  const requests = [];
  const fetch = async (url, init) => {
    requests.push({ url, ...init });
    return responses[requests.length - 1]();
  };
  return { client: new Client({ baseUrl: "http://server.test/", key: "key", fetch, retries: 3, maxWait: 1000, ...options }), requests };
}

test("503, 429 and a broken connection are sent again with the same key", async () => {
  const { client, requests } = scripted([busy, json(429, {}), broken, json(201, created)]);
  assert.equal((await client.groups.create({ name: "Evening" })).attributes.name, "Evening");
  assert.equal(requests.length, 4);
  const sent = new Set(requests.map(({ url, method, body, headers }) => JSON.stringify([url, method, body, headers])));
  assert.equal(sent.size, 1);
  assert.ok(requests[0].headers["Idempotency-Key"]);
  assert.equal(requests[0].body, '{"data":{"attributes":{"name":"Evening"}}}');
});

for (const [name, response, count, status] of [
  ["the retries are bounded", busy, 4, 503],
  ["a wait beyond the limit is not begun", json(429, {}, { "Retry-After": "2" }), 1, 429],
  ["422 is not sent again", json(422, { errors: [] }), 1, 422],
  ["500 is not sent again", () => new Response("oops", { status: 500 }), 1, 500],
]) {
  test(name, async () => {
    const { client, requests } = scripted([...Array(count).fill(response), json(201, created)]);
    await assert.rejects(client.groups.create({ name: "Evening" }), { name: "ResponseError", status });
    assert.equal(requests.length, count);
  });
}

test("a signal ends the wait", async () => {
  const { client, requests } = scripted([json(503, {}, { "Retry-After": "5" }), json(201, created)], { maxWait: 60_000 });
  const stop = new AbortController();
  const creating = client.groups.create({ name: "Evening" }, { signal: stop.signal });
  setTimeout(() => stop.abort(new Error("enough")), 10);
  await assert.rejects(creating, { message: "enough" });
  assert.equal(requests.length, 1);
});

test("a signal ends the wait for a bulk job", async () => {
  const job = { data: { type: "bulk_jobs", id: "1", attributes: { status: "pending" } } };
  const { client, requests } = scripted([json(200, job), json(200, job)]);
  const stop = new AbortController();
  const waiting = client.bulk.wait("1", 5000, { signal: stop.signal });
  setTimeout(() => stop.abort(new Error("enough")), 10);
  await assert.rejects(waiting, { message: "enough" });
  assert.equal(requests.length, 1);
});

test("the rate limit of the server is waited for", async () => {
  const server = await demo("--rates.key", "60"); // 60 requests per minute
  for (let n = 0; n < 61; n++) await newClient(server).school.get();
  const impatient = newClient(server, { retries: 0 });
  const many = async () => {
    for (let n = 0; n < 60; n++) await impatient.school.get();
  };
  await assert.rejects(many(), { status: 429 });
});

test("errors name the part of the request", async () => {
  const server = await demo();
  const error = await newClient(server).categories.create({ name: "" }).catch((e) => e);
  assert.equal(error.message, "422: /data/attributes/name: can't be blank");
  assert.deepEqual([error.status, part(error.errors[0])], [422, "/data/attributes/name"]);
  assert.ok(error.requestId);
  await assert.rejects(newClient({ url: server.url, key: "lyc_wrong" }).school.get(), { status: 401 });
  for (const baseUrl of ["", "server.test", "ftp://server.test"]) {
    assert.throws(() => new Client({ baseUrl, key: "key" }), TypeError);
  }
});
