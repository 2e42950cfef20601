// The client that @hey-api/openapi-ts generates from /openapi.json, against the demo school of a
// running server. generators.test.cjs generates and compiles it and runs this test.
import assert from "node:assert/strict";
import { test } from "node:test";
import { client } from "./hey-api/client.gen.js";
import { createCategoryV2, createPersonV2, getPersonV2, listPeopleV2 } from "./hey-api/index.js";
import type { PersonV2 } from "./hey-api/index.js";
import { nested } from "./nested.js";

client.setConfig({
  baseUrl: process.env.LYCEUM_URL ?? "",
  headers: { "X-Api-Key": process.env.LYCEUM_KEY },
  querySerializer: nested,
});

/** Returns the people that the filter finds. */
async function people(filter: Record<string, unknown>): Promise<PersonV2[]> {
  const { data } = await listPeopleV2({ query: { limit: 1000, filter } });
  assert.ok(data);
  return data.data;
}

test("create", async () => {
  const email = "hey.api@example.test";
  const options = { headers: { "Idempotency-Key": email }, body: { data: { attributes: { email } } } };
  const { data: created } = await createPersonV2(options);
  assert.ok(created);
  const { data: again } = await createPersonV2(options);
  assert.equal(again?.data.id, created.data.id);
  const { data: read } = await getPersonV2({ path: { id: created.data.id } });
  assert.equal(read?.data.attributes.email, email);
});

test("nested filter", async () => {
  const [first, second] = await people({});
  assert.ok(first && second);
  const either = { or: [{ uuid: { eq: first.id } }, { email: { start: second.attributes.email } }] };
  assert.deepEqual(await people(either), [first, second]);
  assert.deepEqual(await people({ uuid: { in: [first.id, second.id] } }), [first, second]);
});

test("pages", async () => {
  const query = { limit: 3, filter: { email: { cont: "e" } } };
  const read: PersonV2[] = [];
  let { data: page } = await listPeopleV2({ query });
  for (;;) {
    assert.ok(page);
    read.push(...page.data);
    const { next } = page.links;
    if (!next) break;
    ({ data: page } = await listPeopleV2({ fetch: (request) => fetch(new Request(next, request as Request)) }));
  }
  assert.ok(read.length > 6);
  assert.deepEqual(read, await people(query.filter));
});

test("errors", async () => {
  const { error } = await createCategoryV2({ body: { data: { attributes: { name: "" } } } });
  const first = error?.errors[0];
  assert.deepEqual([first?.status, first?.detail, first?.source.pointer], ["422", "can't be blank", "/data/attributes/name"]);
});
