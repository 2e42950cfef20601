// The types that openapi-typescript generates from /openapi.json, with openapi-fetch, against the
// demo school of a running server. generated.test.cjs generates and compiles them and runs this test.
import assert from "node:assert/strict";
import { test } from "node:test";
import createClient from "openapi-fetch";
import { nested } from "./nested.js";
import type { components, paths } from "./openapi-typescript.js";

type Person = components["schemas"]["PersonV2"];

const client = createClient<paths>({
  baseUrl: process.env.LYCEUM_URL ?? "",
  headers: { "X-Api-Key": process.env.LYCEUM_KEY },
  querySerializer: nested,
});

/** Returns the people that the filter finds. */
async function people(filter: Record<string, unknown>): Promise<Person[]> {
  const { data } = await client.GET("/v2/people", { params: { query: { limit: 1000, filter } } });
  assert.ok(data);
  return data.data;
}

test("create", async () => {
  const email = "openapi.typescript@example.test";
  const options = { params: { header: { "Idempotency-Key": email } }, body: { data: { attributes: { email } } } };
  const { data: created, response } = await client.POST("/v2/people", options);
  assert.equal(response.status, 201);
  assert.ok(created);
  const { data: again } = await client.POST("/v2/people", options);
  assert.equal(again?.data.id, created.data.id);
  const { data: read } = await client.GET("/v2/people/{id}", { params: { path: { id: created.data.id } } });
  assert.equal(read?.data.attributes.email, email);
});

test("nested filter", async () => {
  const [first, second] = await people({});
  assert.ok(first && second);
  const ids = (list: Person[]) => list.map(({ id }) => id);
  assert.deepEqual(ids(await people({ email: { start: second.attributes.email } })), [second.id]);
  const either = { or: [{ uuid: { eq: first.id } }, { email: { eq: second.attributes.email }, course_count: { gteq: 0 } }] };
  assert.deepEqual(ids(await people(either)), [first.id, second.id]);
  assert.deepEqual(ids(await people({ uuid: { in: [first.id, second.id] } })), [first.id, second.id]);
});

test("pages", async () => {
  const query = { limit: 3, filter: { email: { cont: "e" } } };
  const read: Person[] = [];
  let { data: page } = await client.GET("/v2/people", { params: { query } });
  for (;;) {
    assert.ok(page);
    read.push(...page.data);
    const { next } = page.links;
    if (!next) break;
    ({ data: page } = await client.GET("/v2/people", { fetch: (request) => fetch(new Request(next, request)) }));
  }
  assert.ok(read.length > 6);
  assert.deepEqual(read, await people(query.filter));
});

test("errors", async () => {
  const { error } = await client.POST("/v2/categories", { body: { data: { attributes: { name: "" } } } });
  const first = error?.errors[0];
  assert.deepEqual([first?.status, first?.detail, first?.source.pointer], ["422", "can't be blank", "/data/attributes/name"]);
  const { error: bad } = await client.GET("/v2/people", { params: { query: { filter: { shoe_size: { eq: 44 } } } } });
  assert.equal(bad?.errors[0]?.source.parameter, "filter[shoe_size][eq]");
});
