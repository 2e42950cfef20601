// Validates documents as JSON:API: every list and every record of the demo school, the responses to
// requests that create and update records, and errors.
const assert = require("node:assert/strict");
const { after, before, test } = require("node:test");
const { start } = require("../browser/server.cjs");
const { client, complete, described, href, lists: paged, mediaType } = require("./client.cjs");
const { judge } = require("./validator.cjs");

const exceptions = require("./exceptions.cjs").of("documents");
const unknownID = "00000000-0000-4000-8000-00000000ffff";
// Types of rows that differ from the name of their list.
const types = {
  "analytics/courses": ["course_analytics"],
  "analytics/quiz_scores": ["quiz_scores"],
  "analytics/quiz_raw_answers": ["quiz_raw_answers"],
  events: ["learner_viewed_activity_events", "learner_viewed_video_activity_events"],
  submissions: ["assignment_submissions"],
  redemptions: ["coupon_redemptions"],
};
// Types without a list or a path of their own.
const closed = ["schools", "partnerships", "instructor_partnerships", "course_attempts"];
const lists = new Map(); // path of a list: its rows
const requested = new Set(); // paths of the API description that were requested
let server, ask, paths, pages, documents = 0;

before(async () => {
  server = await start("--demo");
  ask = client(server);
  paths = await described(ask, "get");
  pages = await paged(ask);
  await complete(ask);
});

after(() => server?.stop());

/** Requests a document and validates it; fails if the status differs. */
async function valid(status, method, path, options = {}) {
  const answer = await ask(method, path, { ...options, headers: { Accept: mediaType, ...options.headers } });
  assert.equal(answer.status, status, `${answer.name}: ${answer.text}`);
  assert.ok(answer.document, `${answer.name} has a document`);
  const type = status === 406 ? "application/json; charset=utf-8" : mediaType;
  assert.equal(answer.headers.get("content-type"), type, answer.name);
  assert.deepEqual(judge(answer.document, exceptions).slice(0, 5), [], answer.name);
  documents++;
  return answer;
}

/** Requests a list with all its rows and saves them. */
async function list(path) {
  const { document } = await valid(200, "GET", `${path}?limit=1000`);
  assert.ok(Array.isArray(document.data), `${path} is a list`);
  assert.equal(href(document.links.self), `${server.url}${path}?limit=1000`);
  assert.equal(document.links.next, undefined, `all rows of ${path} are on one page`);
  const noun = path.slice("/v1/".length).replace(/^.*[0-9a-f-]{36}\//, "");
  const others = document.data.filter(({ type }) => !(types[noun] ?? [noun]).includes(type));
  assert.deepEqual(others, [], `${path} has rows of another type`);
  lists.set(path, document.data);
  return document.data;
}

test("lists", async (t) => {
  for (const path of pages.filter((p) => !p.includes("{"))) {
    await t.test(`GET ${path}`, async () => {
      requested.add(path);
      assert.ok((await list(path)).length > 0, "has rows to validate");
    });
  }
});

test("lists of a record", async (t) => {
  for (const path of pages.filter((p) => p.includes("{"))) {
    await t.test(`GET ${path}`, async () => {
      requested.add(path);
      const [parent, child] = path.split("/{id}");
      let rows = 0;
      for (const { id } of lists.get(parent)) rows += (await list(`${parent}/${id}${child}`)).length;
      assert.ok(rows > 0, "has rows to validate");
    });
  }
});

test("records", async (t) => {
  for (const path of paths.filter((p) => p.endsWith("/{id}") && !p.includes("/bulk/"))) {
    await t.test(`GET ${path}`, async () => {
      requested.add(path);
      const collection = path.replace("/{id}", "");
      const [, version, noun] = collection.split("/");
      const holds = new RegExp(`^/${version}/(\\w+/[0-9a-f-]{36}/)?${noun}$`);
      const rows = [...lists].flatMap(([p, r]) => (holds.test(p) ? r : r.filter(({ type }) => type === noun && version === "v2")));
      assert.ok(rows.length > 0, "there are records to request");
      for (const { id, type } of rows) {
        const { data } = (await valid(200, "GET", `${collection}/${id}`)).document;
        assert.deepEqual([data.type, data.id], [type, id], `${collection}/${id}`);
      }
    });
  }
});

test("single documents", async (t) => {
  await t.test("GET /v2/school", async () => {
    requested.add("/v2/school");
    assert.equal((await valid(200, "GET", "/v2/school")).document.data.type, "schools");
  });
  await t.test("GET /v2/courses/{id}/structure", async () => {
    requested.add("/v2/courses/{id}/structure");
    for (const { id } of lists.get("/v2/courses")) await valid(200, "GET", `/v2/courses/${id}/structure`);
  });
  await t.test("GET /v2/people/{id}/invitation", async () => {
    requested.add("/v2/people/{id}/invitation");
    const { data } = (await ask("POST", "/v2/people", { body: { data: { type: "people", attributes: { email: "guest@example.test" } } } })).document;
    const path = `/v2/people/${data.id}`;
    await valid(200, "GET", `${path}/invitation`);
    assert.equal((await ask("DELETE", path)).status, 204);
    await valid(404, "GET", `${path}/invitation`);
  });
  await t.test("GET /v2/export returns lines, not a JSON:API document", async () => {
    requested.add("/v2/export");
    const response = await fetch(`${server.url}/v2/export`, { headers: { "X-Api-Key": server.key } });
    assert.equal(response.headers.get("content-type"), "application/x-ndjson");
    for (const line of (await response.text()).trimEnd().split("\n")) assert.ok(JSON.parse(line).kind, line);
  });
});

test("links.self of every record leads to the record", async (t) => {
  const addresses = new Map();
  for (const [path, rows] of lists) {
    for (const row of rows) {
      const self = href(row.links?.self);
      if (self !== undefined) addresses.set(`${self} ${row.type}`, { self, row, path });
      else {
        assert.ok(exceptions.has(`${row.type} have no self`), `${row.type} in ${path} has no links.self`);
        exceptions.use(`${row.type} have no self`);
      }
    }
  }
  for (const { self, row, path } of addresses.values()) {
    assert.ok(self.startsWith(`${server.url}/v`), `${self} in ${path}`);
    const { data } = (await valid(200, "GET", self)).document;
    assert.equal(data.id, row.id, self);
    if (row.type === "learners" && data.type === "people") exceptions.use("a learner's self is the person");
    else assert.equal(data.type, row.type, self);
    assert.equal(new URL(href(data.links.self)).pathname.split("/")[2], new URL(self).pathname.split("/")[2], self);
  }
  t.diagnostic(`${addresses.size} addresses followed`);
  assert.ok(addresses.size > 50);
});

test("references lead to existing records", (t) => {
  const known = new Set([...lists.values()].flat().map(({ type, id }) => `${type} ${id}`));
  let followed = 0;
  for (const [path, rows] of lists) {
    for (const row of rows) {
      for (const [name, { data }] of Object.entries(row.relationships ?? {})) {
        for (const { type, id } of [data ?? []].flat()) {
          if (closed.includes(type)) continue;
          assert.ok(known.has(`${type} ${id}`), `${name} in ${path} refers to ${type} ${id}, which nothing shows`);
          followed++;
        }
      }
    }
  }
  assert.ok(followed > 500, `${followed} references`);
  t.diagnostic(`${followed} references followed`);
});

test("creating and updating", async (t) => {
  const made = [];
  const creations = [
    ["/v1/categories", "categories", { name: "Botany" }, { name: "Botany and Zoology" }],
    ["/v2/categories", "categories", { name: "Geology" }, { name: "Geology and Mining" }],
    ["/v1/groups", "groups", { name: "Evening Class" }, { name: "Morning Class" }],
    ["/v2/groups", "groups", { name: "Weekend Class" }, { name: "Holiday Class" }],
    ["/v1/learners", "people", { email: "outsider@example.test" }],
    ["/v2/people", "people", { email: "second@example.test", last_name: "Case" }, { first_name: "Nora" }],
  ];
  for (const [path, type, attributes, changes] of creations) {
    await t.test(`POST ${path}`, async () => {
      const created = await valid(201, "POST", path, { body: { data: { type, attributes } } });
      const { data } = created.document;
      const self = href(data.links.self);
      assert.equal(data.type, type);
      assert.equal(created.headers.get("location"), self);
      assert.equal((await valid(200, "GET", self)).document.data.id, data.id);
      for (const [name, value] of Object.entries(attributes)) assert.equal(data.attributes[name], value);
      made.push(`${path}/${data.id}`);
      if (!changes) return;
      const body = { data: { type, uuid: data.id, attributes: changes } };
      const changed = await valid(200, "PATCH", `${path}/${data.id}`, { body });
      for (const [name, value] of Object.entries(changes)) assert.equal(changed.document.data.attributes[name], value);
    });
  }
  for (const version of ["v1", "v2"]) {
    await t.test(`POST /${version}/bulk/people`, async () => {
      requested.add(`/${version}/bulk/jobs/{id}`);
      const body = { data: { type: "bulk", attributes: { people: [{ email: `${version}@example.test` }, { email: "bad" }] } } };
      const accepted = await valid(202, "POST", `/${version}/bulk/people`, { body });
      assert.equal(accepted.headers.get("location"), href(accepted.document.data.links.self));
      const shown = await valid(200, "GET", accepted.headers.get("location"));
      assert.deepEqual([shown.document.data.type, shown.document.data.id], ["bulk_jobs", accepted.document.data.id]);
    });
  }
  await t.test("204s have no body", async () => {
    const group = lists.get("/v2/groups")[0].id;
    const data = [{ type: "people", id: lists.get("/v2/people")[0].id }];
    const coupon = lists.get("/v1/coupons")[0].id;
    const silent = [
      ["POST", `/v2/groups/${group}/relationships/people`, { data }],
      ["DELETE", `/v2/groups/${group}/relationships/people`, { data }],
      ["POST", `/v1/coupons/${coupon}/activation`],
      ["DELETE", `/v1/coupons/${coupon}/activation`],
      ...made.map((path) => ["DELETE", path]),
    ];
    for (const [method, path, body] of silent) {
      const answer = await ask(method, path, { body, headers: { Accept: mediaType } });
      assert.deepEqual([answer.status, answer.text], [204, ""], answer.name);
    }
    assert.equal(made.length, creations.length);
  });
});

test("errors", async (t) => {
  const person = lists.get("/v1/people")[0].id;
  const group = lists.get("/v1/groups")[0];
  const category = lists.get("/v1/categories")[0];
  const named = (name) => ({ data: { type: "categories", attributes: { name } } });
  const errors = [
    [400, "GET", "/v1/people?page=0&limit=x&sort=nothing", {}, ["page", "limit", "sort"]],
    [400, "GET", "/v1/people?filter[nothing][eq]=1", {}, ["filter[nothing][eq]"]],
    [400, "GET", "/v1/people?include=nothing", {}, ["include"]],
    [400, "POST", "/v1/categories", { body: "{" }],
    [401, "GET", "/v1/people", { headers: { "X-Api-Key": "wrong" } }],
    [403, "POST", "/v1/categories", { body: { data: { type: "categories", id: unknownID, attributes: { name: "Own" } } } }],
    [404, "GET", `/v1/people/${unknownID}`],
    [404, "GET", "/v3/nothing"],
    [404, "POST", `/v1/groups/${group.id}/relationships/people`, { body: { data: [{ type: "people", id: unknownID }] } }, ["/data/0/id"]],
    [405, "DELETE", "/v1/people"],
    [406, "GET", "/v1/people", { headers: { Accept: "text/html" } }],
    [409, "POST", "/v1/categories", { body: { data: { type: "groups", attributes: { name: "Other" } } } }, ["/data/type"]],
    [409, "POST", `/v1/people/${person}/relationships/courses`, { body: { data: [{ type: "courses", id: unknownID }] } }, ["/data/0/type"]],
    [415, "POST", "/v1/categories", { body: "<xml/>", headers: { "Content-Type": "text/xml" } }],
    [422, "POST", "/v1/categories", { body: {} }, ["/data"]],
    [422, "POST", "/v1/categories", { body: named("") }, ["/data/attributes/name"]],
    [422, "POST", "/v1/categories", { body: named(category.attributes.name) }, ["/data/attributes/name"]],
    [422, "POST", "/v1/bulk/people", { body: { data: { type: "" } } }, ["/data/type"]],
  ];
  for (const [status, method, path, options, sources] of errors) {
    await t.test(`${status} for ${method} ${path.replaceAll(/[0-9a-f-]{36}/g, "…")}`, async () => {
      const { document } = await valid(status, method, path, options);
      for (const error of document.errors) {
        assert.equal(error.status, String(status));
        for (const member of ["title", "detail"]) assert.equal(typeof error[member], "string");
      }
      const found = document.errors.map(({ source }) => source.pointer ?? source.parameter);
      for (const source of sources ?? []) assert.ok(found.includes(source), `${source} is not among ${found}`);
    });
  }
});

test("every GET path of the description was requested", () => {
  assert.deepEqual(paths.filter((path) => !requested.has(path)), []);
});

test("every exception is needed", (t) => {
  for (const line of exceptions.names()) t.diagnostic(line);
  assert.deepEqual(exceptions.idle(), []);
  t.diagnostic(`${documents} documents judged`);
});
