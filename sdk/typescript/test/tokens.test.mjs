// Tests clients of learners.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, collect } from "lyceum";
import { demo, newClient } from "./server.mjs";

test("a learner uses the API with a token", async () => {
  const server = await demo();
  const admin = newClient(server);
  const [ada, alan] = await Promise.all(["ada", "alan"].map((name) => admin.people.create({ email: `${name}@example.test` })));
  await admin.courses.enroll("seeing-light", [ada.id, alan.id]);
  const { attributes } = await admin.people.createToken(ada.id, 600);
  assert.equal(new Date(attributes.expires_at) - new Date(attributes.created_at), 600_000);

  const learner = new Client({ baseUrl: server.url, key: attributes.token });
  const courses = await collect(learner.courses.list());
  assert.deepEqual(courses.map((course) => course.attributes.permalink), ["seeing-light"]);
  const activities = await collect(learner.activities.list());
  const refused = (status) => (error) => error.status === status;
  await assert.rejects(learner.activities.complete(activities[0].id, alan.id), refused(403));
  await assert.rejects(learner.people.get(alan.id), refused(404));
  await assert.rejects(learner.categories.create({ name: "Mine" }), refused(403));
  const completed = await Promise.allSettled(activities.map(({ id }) => learner.activities.complete(id, ada.id)));
  assert.ok(completed.some(({ status }) => status === "fulfilled"));
  const [row] = await collect(admin.analytics.courses.list({ filter: { "person.id": { eq: ada.id } } }));
  assert.ok(row.attributes.progress > 0);

  await admin.people.revokeTokens(ada.id);
  await assert.rejects(collect(learner.courses.list()), refused(401));
});
