// Uses the API through kitsu, a client library for JSON:API.
const assert = require("node:assert/strict");
const { after, before, test } = require("node:test");
const { pathToFileURL } = require("node:url");
const { start } = require("../browser/server.cjs");

const exceptions = require("./exceptions.cjs").of("library");
let server, v1, v2;

before(async () => {
  server = await start("--demo");
  // The build of kitsu 11 for require() does not load; the build for import does.
  const module = require.resolve("kitsu/package.json").replace("package.json", "dist/index.mjs");
  const { default: Kitsu } = await import(pathToFileURL(module));
  const options = { headers: { "X-Api-Key": server.key } };
  v1 = new Kitsu({ baseURL: `${server.url}/v1`, ...options });
  v2 = new Kitsu({ baseURL: `${server.url}/v2`, ...options });
});

after(() => server?.stop());

/** Returns the errors that the library throws; fails if it throws none. */
async function refused(request) {
  const thrown = await request.then(() => assert.fail("should have been refused"), (e) => e);
  assert.ok(thrown.errors, thrown.message);
  return thrown.errors;
}

const emails = ({ data }) => data.map((person) => person.email);

for (const version of ["v1", "v2"]) {
  const api = () => (version === "v1" ? v1 : v2);

  for (const type of ["categories", "groups"]) {
    test(`${version} ${type}: create, read, update, delete`, async () => {
      const { data: created, status } = await api().create(type, { name: `Made by a library, ${version}` });
      assert.equal(status, 201);
      assert.equal(created.type, type);
      const { data: read } = await api().get(`${type}/${created.id}`);
      assert.equal(read.name, `Made by a library, ${version}`);
      const { data: updated } = await api().update(type, { id: created.id, name: "Changed by a library" });
      assert.deepEqual([updated.id, updated.name], [created.id, "Changed by a library"]);
      assert.equal((await api().remove(type, created.id)).status, 204);
      const [error] = await refused(api().get(`${type}/${created.id}`));
      assert.equal(error.status, "404");
    });
  }
}

test("people: create, read, update, delete", async () => {
  const { data: created } = await v2.create("people", { email: "Kit.Su@example.test", first_name: "Kit" });
  const { data: updated } = await v2.update("people", { id: created.id, last_name: "Su" });
  assert.equal(updated.full_name, "Kit Su");
  const { data: read } = await v1.get(`people/${created.id}`);
  assert.deepEqual([read.email, read.full_name, read.type], ["Kit.Su@example.test", "Kit Su", "people"]);
  assert.equal(read.school.data.type, "schools");
  assert.equal((await v2.remove("people", created.id)).status, 204);
  assert.equal((await refused(v2.get(`people/${created.id}`)))[0].status, "404");
});

test("errors point to the attribute", async () => {
  const { data: [{ name }] } = await v1.get("categories");
  const [error] = await refused(v1.create("categories", { name }));
  assert.deepEqual([error.status, error.title, error.source.pointer], ["422", "Invalid Attribute", "/data/attributes/name"]);
});

test("filters, nested as the library writes objects", async () => {
  const all = (await v2.get("people", { params: { limit: 1000 } })).data;
  const some = all.slice(3, 6).map((person) => person.email);
  const one = await v2.get("people", { params: { filter: { email: { eq: some[0] } } } });
  assert.deepEqual(emails(one), [some[0]]);
  const several = await v2.get("people", { params: { filter: { email: { in: some } } } });
  assert.deepEqual(emails(several).sort(), [...some].sort());
  const either = { or: { email: { eq: some[0] }, and: { email: { eq: some[1] }, course_count: { gteq: 0 } } } };
  assert.deepEqual(emails(await v2.get("people", { params: { filter: either } })).sort(), some.slice(0, 2).sort());
  const [error] = await refused(v2.get("people", { params: { filter: { shoe_size: { eq: 44 } } } }));
  assert.deepEqual([error.status, error.source.parameter], ["400", "filter[shoe_size][eq]"]);
});

test("sort and q", async () => {
  const { data } = await v1.get("people", { params: { sort: "-email", limit: 1000 } });
  const sorted = data.map((person) => person.email);
  assert.deepEqual(sorted, [...sorted].sort().reverse());
  const { data: found } = await v1.get("people", { params: { q: data[0].full_name } });
  assert.ok(found.some((person) => person.id === data[0].id));
});

test("pages, by links.next", async () => {
  const { data: all } = await v1.get("people", { params: { limit: 1000, filter: { email: { cont: "e" } } } });
  const read = [];
  let page = await v1.get("people", { params: { limit: 3, filter: { email: { cont: "e" } } } });
  for (;;) {
    assert.ok(page.data.length > 0 && page.data.length <= 3);
    read.push(...page.data);
    if (!page.links.next) break;
    page = await v1.request({ url: page.links.next }); // get() does not accept addresses
  }
  assert.ok(read.length > 6, "several pages");
  assert.deepEqual(read.map((person) => person.id), all.map((person) => person.id));
});

test("analytics and events are read", async () => {
  const { data: scores } = await v1.get("analytics/quiz_scores", { params: { limit: 2 } });
  assert.equal(scores.length, 2);
  assert.ok(scores.every((score) => Number.isInteger(score.id) && score.person.data.type === "people"));
  const { data: events } = await v2.get("events", { params: { limit: 2 } });
  assert.ok(events.length === 2 && events.every((event) => event.created_at && event.activity.data.id));
});

test("relationships", async () => {
  const { data: group } = await v2.create("groups", { name: "Joined by a library" });
  const { data: person } = await v2.create("people", { email: "joins@example.test" });
  const { data: [course] } = await v1.get("courses");
  const count = async () => (await v2.get("groups", { params: { filter: { uuid: group.id } } })).data[0].membership_count;

  assert.equal((await v2.create(`groups/${group.id}/relationships/people`, [{ id: person.id }])).status, 204);
  assert.equal(await count(), 1);
  assert.equal((await v2.remove(`groups/${group.id}/relationships/people`, [person.id])).status, 204);
  assert.equal(await count(), 0);

  const path = `people/${person.id}/relationships/courses`;
  const [error] = await refused(v2.create(path, [{ id: course.id }]));
  if (error.status === "409" && error.source.pointer === "/data/0/type") exceptions.use("references name a role in their type");
  const body = { data: [{ type: "enrolled-courses", id: course.id }] };
  assert.equal((await v2.axios.post(path, body, { headers: v2.headers })).status, 204);
  const { data: enrolled } = await v2.get("people", { params: { filter: { uuid: person.id } } });
  assert.equal(enrolled[0].course_count, 1);
});

test("every exception is needed", (t) => {
  for (const line of exceptions.names()) t.diagnostic(line);
  assert.deepEqual(exceptions.idle(), []);
});
