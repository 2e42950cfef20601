// Tests pages with included records, selected fields and a total against a running server.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { collect } from "lyceum";
import { demo, newClient } from "./server.mjs";

let client;
before(async () => (client = newClient(await demo())));

test("pages have included records, selected fields and a total", async () => {
  const rows = await collect(client.analytics.courses.list());
  const fields = { people: ["email"], course_analytics: ["progress", "person", "course"] };
  const read = [];
  for await (const page of client.analytics.courses.pages({ include: ["person", "course.categories"], fields, count: true, pageSize: 3 })) {
    assert.equal(page.total, rows.length);
    for (const { id, attributes, relationships } of page.data) {
      read.push(id);
      assert.deepEqual(Object.keys(attributes), ["progress"]);
      const person = page.related(relationships.person.data);
      assert.equal(person.id, relationships.person.data.id);
      assert.deepEqual(Object.keys(person.attributes), ["email"]);
      for (const one of page.related(relationships.course.data).relationships.categories.data) {
        assert.ok(page.related(one).attributes.name);
      }
    }
  }
  assert.deepEqual(read, rows.map(({ id }) => id));
});

test("without include and count, pages have neither", async () => {
  for await (const page of client.analytics.courses.pages()) {
    assert.equal(page.total, undefined);
    assert.throws(() => page.related(page.data[0].relationships.person.data), TypeError);
  }
  await assert.rejects(collect(client.people.list({ include: ["shoes"] })), { status: 400 });
});
