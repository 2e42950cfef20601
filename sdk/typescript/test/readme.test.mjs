// Checks that the examples in README.md, docs/clients.md and the API reference are copied from
// readme.ts and recipes.ts, and runs the examples of README.md.
import assert from "node:assert/strict";
import fs from "node:fs";
import { before, test } from "node:test";
import { collect } from "lyceum";
import { progressByLearner, signUp } from "./built/readme.js";
import { demo, newClient } from "./server.mjs";

let server;
before(async () => (server = await demo()));

const read = (name) => fs.readFileSync(new URL(name, import.meta.url), "utf8");

for (const [page, source, count] of [
  ["../README.md", "readme.ts", 2],
  ["../../../docs/clients.md", "recipes.ts", 3],
  ["../../../adapters/httpapi/openapi/description.md", "recipes.ts", 3],
]) {
  test(`the examples of ${page} are in ${source}`, () => {
    const examples = [...read(page).matchAll(/```ts\n([^]*?)```/g)];
    assert.equal(examples.length, count);
    for (const [, example] of examples) assert.ok(read(source).includes(`\n${example}`), example);
  });
}

test("the example with included records works", async (t) => {
  const log = t.mock.method(console, "log", () => {});
  const lines = await progressByLearner(newClient(server));
  assert.equal(log.mock.calls[0].arguments[0], lines.length);
  assert.ok(lines.length > 10);
  for (const line of lines) assert.match(line, /^[^,]+, .+: [0-9.]+ %$/);
  assert.doesNotMatch(lines.join(), /undefined/);
});

test("the example works", async (t) => {
  const progress = await signUp(server.url, server.key);
  assert.deepEqual([...progress.values()], [0, 0, 0]);
  const [ada] = await collect(newClient(server).people.list({ filter: { email: { eq: "ada@example.test" } } }));
  assert.equal(ada.attributes.course_count, 3);
  const said = t.mock.method(console, "error", () => {});
  await assert.rejects(signUp(server.url, server.key), { status: 422 });
  assert.match(said.mock.calls[0].arguments[0], /^422: \/data\/attributes\/email: A record/);
});
