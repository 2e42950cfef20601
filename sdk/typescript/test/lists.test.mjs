// Tests lists, filters and resources against a running server.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { collect } from "lyceum";
import { demo, newClient } from "./server.mjs";

let client, all;
before(async () => {
  client = newClient(await demo());
  all = await collect(client.people.list({ pageSize: 1000 }));
  assert.ok(all.length > 10);
});

test("a list follows next, and ends early when asked to", async () => {
  assert.deepEqual(await collect(client.people.list({ pageSize: 3, filter: { email: { cont: "@" } } })), all);
  let read = 0;
  for await (const _ of client.people.list({ pageSize: 2 })) if (++read === 3) break;
  assert.equal(read, 3);
});

test("sort and search", async () => {
  const emails = (await collect(client.people.list({ sort: ["-email"], pageSize: 4 }))).map((one) => one.attributes.email);
  assert.deepEqual(emails, all.map((one) => one.attributes.email).sort().reverse());
  const [course] = await collect(client.courses.list({ search: "japanese joinery" }));
  assert.equal(course.attributes.permalink, "japanese-joinery");
});

test("filters", async (t) => {
  const [first, second] = await collect(client.people.list({ pageSize: 2 }));
  const created = new Date(first.attributes.created_at);
  const cases = {
    eq: [{ email: { eq: first.attributes.email } }, (p) => p.id === first.id],
    in: [{ uuid: { in: [first.id, second.id] } }, (p) => [first.id, second.id].includes(p.id)],
    "a number": [{ course_count: { gt: 1 } }, (p) => p.attributes.course_count > 1],
    "a time": [{ created_at: { lteq: created } }, (p) => new Date(p.attributes.created_at) <= created],
    null: [{ activated_at: { null: true } }, (p) => p.attributes.activated_at === null],
    "several attributes": [
      { course_count: { gteq: 1, lt: 3 }, unsubscribed: { eq: false } },
      ({ attributes: a }) => a.course_count >= 1 && a.course_count < 3 && !a.unsubscribed,
    ],
    "nested groups": [
      { or: [{ and: [{ course_count: { gteq: 1 } }, { or: [{ group_count: { eq: 0 } }, { group_count: { eq: 2 } }] }] }, { uuid: { eq: first.id } }] },
      (p) => (p.attributes.course_count >= 1 && [0, 2].includes(p.attributes.group_count)) || p.id === first.id,
    ],
  };
  for (const [name, [filter, matches]] of Object.entries(cases)) {
    await t.test(name, async () => {
      const want = all.filter(matches);
      assert.ok(want.length > 0);
      assert.deepEqual(await collect(client.people.list({ filter })), want);
    });
  }
});

test("members of a filter that are undefined are left out", async () => {
  const filter = { or: [{ email: undefined, uuid: { eq: all[0].id, in: undefined } }, { uuid: { eq: all[1].id } }], and: undefined };
  const found = await collect(client.people.list({ filter }));
  assert.deepEqual(found.map(({ id }) => id).sort(), [all[0].id, all[1].id].sort());
});

test("a filter without conditions is refused, since it would find every record", async () => {
  for (const filter of [
    { or: [] }, { or: [{}] }, { email: {} }, { email: undefined }, { email: { eq: undefined } }, { uuid: { in: [] } },
    { email: "ada" }, { and: [undefined] }, {}, { or: [{ email: undefined }] },
  ]) {
    await assert.rejects(collect(client.people.list({ filter })), TypeError, JSON.stringify(filter));
  }
  await assert.rejects(collect(client.people.list({ filter: { shoe_size: { eq: 44 } } })), { status: 400 });
});

test("create, read, update, delete", async () => {
  const options = { idempotencyKey: "evening" };
  const group = await client.groups.create({ name: "Evening" }, options);
  assert.equal((await client.groups.create({ name: "Evening" }, options)).id, group.id);
  assert.equal((await client.groups.update(group.id, { name: "Night" })).attributes.name, "Night");
  assert.equal((await client.groups.get(group.id)).attributes.name, "Night");
  await client.groups.delete(group.id);
  await assert.rejects(client.groups.get(group.id), { status: 404 });
});

test("from a course to its progress", async () => {
  const person = await client.people.create({ email: "learner@example.test" });
  const group = await client.groups.create({ name: "Knots" });
  const course = await client.courses.create({ name: "Knots" });
  await client.groups.addPeople(group.id, [person.id]);
  await client.groups.addCourses(group.id, [course.id]);
  const [member] = await collect(client.groups.memberships(group.id).list());
  assert.equal(member.relationships.person.data.id, person.id);

  const choices = [{ text: "Bowline", correct: true }, { text: "Reef" }];
  await client.courses.replaceStructure(course.id, {
    activities: [
      { key: "start", title: "Ropes", kind: "text" },
      { key: "loops", title: "Loops", kind: "quiz", quiz: { name: "Loops", questions: [{ key: "a", text: "A loop?", choices }] } },
    ],
  });
  const { attributes: { activities: [start, loops] } } = await client.courses.structure(course.id);
  await client.activities.complete(start.id, person.id);
  await client.events.record([{ personId: person.id, activityId: start.id, clientId: "1", occurredAt: new Date() }]);
  const answer = { personId: person.id, questionId: loops.quiz.questions[0].id, response: ["Bowline"] };
  const [marked] = await client.quizzes.answer(loops.quiz.id, [answer]);
  assert.equal(marked.attributes.marked_correct, true);

  const filter = { "person.id": { eq: person.id } };
  const [progress] = await collect(client.analytics.courses.list({ filter }));
  assert.equal(progress.attributes.progress, 100);
  const [enrollment] = await collect(client.courses.enrollments(course.id).list());
  assert.equal(enrollment.attributes.progress, 100);
  const [event] = await collect(client.events.list({ filter }));
  assert.equal(event.attributes.client_id, "1");
  assert.equal((await client.courses.beginAttempt(course.id, person.id)).attributes.number, 2);
  await assert.rejects(client.courses.delete(course.id), { status: 409 });
  await client.courses.deleteWithLearnerData(course.id);
});

test("bulk", async () => {
  await client.groups.create({ name: "New" });
  const { id } = await client.bulk.people([{ email: "one@example.test", groups: "New" }, { email: "wrong" }]);
  const { attributes } = await client.bulk.wait(id, 10);
  assert.deepEqual([attributes.rows_done, attributes.rows_failed], [2, 1]);
  assert.equal(attributes.errors[0].source.pointer, "/data/attributes/people/1/email");
});

test("every list is read", async (t) => {
  const { analytics, ...resources } = client;
  for (const [name, list] of Object.entries({ ...resources, ...analytics })) {
    if (!list.list) continue;
    await t.test(name, async () => assert.ok((await collect(list.list({ pageSize: 50 }))).length > 0));
  }
});
