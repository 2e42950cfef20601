// The functions in this file are the examples in docs/clients.md and in the API reference.
import { type Client, collect, type model, part } from "lyceum";

export async function learn(client: Client, email: string, permalink: string): Promise<number> {
  const person = await client.people.create({ email }, { idempotencyKey: `sign up ${email}` });
  await client.courses.enroll(permalink, [person.id]);
  const { id, attributes } = await client.courses.structure(permalink);
  for (const activity of attributes.activities) {
    if (activity.kind === "text" && activity.id) await client.activities.complete(activity.id, person.id);
  }
  const filter = { "person.id": { eq: person.id }, "course.id": { eq: id } };
  const [row] = await collect(client.analytics.courses.list({ filter }));
  return row?.attributes.progress ?? 0;
}

export async function sync(client: Client, since: Date, save: (person: model.Person) => Promise<void>): Promise<Date> {
  const gteq = new Date(since.getTime() - 5 * 60_000);
  const changed = { filter: { updated_at: { gteq } }, sort: ["updated_at"], pageSize: 1000 };
  for await (const person of client.people.list(changed)) {
    await save(person);
    since = new Date(person.attributes.updated_at);
  }
  return since;
}

export async function invite(client: Client, list: string, people: { email: string; groups?: string[] }[]): Promise<void> {
  const { id } = await client.bulk.people(people, { idempotencyKey: list });
  const { attributes } = await client.bulk.wait(id, 1000);
  for (const row of attributes.errors) console.log(part(row), row.detail); // /data/attributes/people/1/email …
}
