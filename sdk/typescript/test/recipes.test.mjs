// Runs the examples in docs/clients.md.
import assert from "node:assert/strict";
import { test } from "node:test";
import { collect } from "lyceum";
import { invite, learn, sync } from "./built/recipes.js";
import { demo, newClient } from "./server.mjs";

test("recipes", async (t) => {
  const client = newClient(await demo());
  const progress = await learn(client, "grace@example.test", "seeing-light");
  assert.ok(progress > 0 && progress < 100);

  const emails = new Set();
  const began = new Date(Date.now() - 60_000);
  assert.ok((await sync(client, began, async (person) => void emails.add(person.attributes.email))) > began);
  assert.ok(emails.has("grace@example.test"));

  const log = t.mock.method(console, "log", () => {});
  const people = [{ email: "one@example.test" }, { email: "wrong" }];
  await invite(client, "autumn", people);
  await invite(client, "autumn", people);
  assert.equal(log.mock.calls[0].arguments[0], "/data/attributes/people/1/email");
  assert.equal((await collect(client.people.list({ filter: { email: { eq: "one@example.test" } } }))).length, 1);
});
