// The example of README.md compiles, is the one that README.md shows, and works.
import assert from "node:assert/strict";
import fs from "node:fs";
import { before, test } from "node:test";
import { collect } from "lyceum";
import { signUp } from "./built/readme.js";
import { demo, newClient } from "./server.mjs";

let server;
before(async () => (server = await demo()));

test("the example of README.md is test/readme.ts", () => {
  const example = fs.readFileSync(new URL("../README.md", import.meta.url), "utf8").match(/```ts\n([^]*?)```/)[1];
  assert.ok(fs.readFileSync(new URL("readme.ts", import.meta.url), "utf8").endsWith(example));
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
