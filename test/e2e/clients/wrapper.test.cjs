// Tests a client that sends a body with every request and the key as a parameter, and reads CSV.
const assert = require("node:assert/strict");
const { after, before, test } = require("node:test");
const { start } = require("../browser/server.cjs");
const { wrapper } = require("./wrapper.cjs");

let server;

before(async () => {
  server = await start("--demo");
});

after(() => server?.stop());

const attributes = (given) => ({ data: { attributes: given } });
const typed = (type, given) => ({ data: { type, attributes: given } });

for (const version of ["v1", "v2"]) {
  test(`${version}: lists with a body`, async () => {
    const { call } = wrapper(server, version);
    for (const list of ["assignments", "categories", "coupons", "courses", "groups", "people", "quizzes"]) {
      for (const params of [{}, { limit: 1, page: "none" }]) { // a body of a GET has no effect
        const { status, type, content } = await call("list", list, params);
        assert.deepEqual([status, type], [200, "application/json; charset=utf-8"], list);
        assert.ok(content.data.length > 1, list);
      }
    }
  });

  for (const [list, first] of Object.entries({ categories: { name: "Wrapped" }, groups: { name: "Wrapped" } })) {
    test(`${version} ${list}: create, get, update by PUT, delete with a body`, async () => {
      const { call } = wrapper(server, version);
      const made = await call("create", list, typed(list, first));
      assert.equal(made.status, 201, made.text);
      const { id } = made.content.data;
      const updated = await call("update", list, { id, ...attributes({ name: `Wrapped again, ${version}` }) });
      assert.equal(updated.status, 200, updated.text); // without type and uuid
      assert.equal((await call("get", list, { id })).content.data.attributes.name, `Wrapped again, ${version}`);
      assert.equal((await call("delete", list, { id })).status, 204);
      assert.equal((await call("get", list, { id })).status, 404);
    });
  }
}

test("learners of v1, people of v2", async () => {
  const v1 = wrapper(server, "v1");
  const made = await v1.call("create", "learners", typed("people", { email: "wrapped@example.test" }));
  assert.equal(made.status, 201, made.text);
  const { id } = made.content.data;
  const v2 = wrapper(server, "v2");
  const updated = await v2.call("update", "people", { id, ...attributes({ first_name: "Wanda" }) });
  assert.equal(updated.status, 200, updated.text);
  assert.equal(updated.content.data.attributes.first_name, "Wanda");
  assert.equal((await v2.call("delete", "people", { id })).status, 204);
});

test("bulk people", async () => {
  const rows = [{ email: "first@example.test" }, { email: "second@example.test" }];
  const { status, text } = await wrapper(server, "v1").call("create", "bulk/people", typed("bulk", { people: rows }));
  assert.equal(status, 202, text);
});

test("CSV: every page by the header Link", async () => {
  const csv = wrapper(server, "v2", "csv");
  for (const list of ["categories", "courses", "people"]) {
    const { content: { data } } = await wrapper(server, "v2").call("list", `${list}?limit=1000`);
    const rows = [];
    let pages = 0;
    for (let page = await csv.call("list", `${list}?limit=3`); page; pages++) {
      assert.deepEqual([page.status, page.type], [200, "text/csv; charset=utf-8"], page.text);
      rows.push(...page.content);
      assert.ok(!page.next?.includes(server.key));
      page = page.next && await csv.follow(page.next);
    }
    assert.ok(pages > 1, list);
    assert.deepEqual(rows.map(({ type, id }) => ({ type, id })), data.map(({ type, id }) => ({ type, id })));
    for (const [i, { attributes: shown }] of data.entries()) {
      const text = Object.keys(shown).filter((name) => typeof shown[name] === "string" && !/^[=+@-]/.test(shown[name]));
      for (const name of text) assert.equal(rows[i][name], shown[name], `${list} ${name}`);
    }
  }
});

test("CSV: errors are JSON", async () => {
  const { status, type, content } = await wrapper(server, "v1", "csv").call("list", "people?sort=shoe_size");
  assert.deepEqual([status, type], [400, "application/json; charset=utf-8"]);
  assert.equal(content.errors[0].source.parameter, "sort");
});

test("CSV: only lists have it, and nothing else is executed", async () => {
  const { status } = await wrapper(server, "v2", "csv").call("create", "categories", attributes({ name: "As CSV" }));
  assert.equal(status, 406);
  const { content } = await wrapper(server, "v2").call("list", "categories?filter[name][eq]=As%20CSV");
  assert.deepEqual(content.data, []);
});

test("a wrong key is refused before a wrong body", async () => {
  for (const format of ["json", "csv"]) {
    const { status, content } = await wrapper(server, "v1", format, "wrong").call("list", "courses", { id: "none" });
    assert.equal(status, 401);
    assert.deepEqual(content, {
      errors: [{ status: "401", title: "Unauthorized", detail: "You don't have the necessary credentials", source: {} }],
    });
  }
});
