// The functions in this file are the examples in README.md.
import { Client, ResponseError } from "lyceum";

export async function signUp(baseUrl: string, key: string): Promise<Map<string, number>> {
  const client = new Client({ baseUrl, key });
  const person = await client.people.create({ email: "ada@example.test", first_name: "Ada" }).catch((error) => {
    if (error instanceof ResponseError && error.status === 422) {
      console.error(error.message); // 422: /data/attributes/email: A record with the given …
    }
    throw error;
  });
  const filter = { or: [{ name: { start: "japanese" } }, { permalink: { in: ["seeing-light", "songwriting-workshop"] } }] };
  for await (const course of client.courses.list({ filter })) {
    await client.people.enroll(person.id, [course.id]);
  }
  const progress = new Map<string, number>();
  for await (const row of client.analytics.courses.list({ filter: { "person.id": { eq: person.id } }, sort: ["-progress"] })) {
    progress.set(row.relationships.course.data.id, row.attributes.progress);
  }
  return progress;
}

export async function progressByLearner(client: Client): Promise<string[]> {
  const fields = { people: ["full_name"], courses: ["name"] };
  const lines: string[] = [];
  for await (const page of client.analytics.courses.pages({ include: ["person", "course"], fields, count: true, pageSize: 1000 })) {
    console.log(page.total, "rows");
    for (const { relationships, attributes } of page.data) {
      const person = page.related(relationships.person.data);
      const course = page.related(relationships.course.data);
      lines.push(`${person.attributes.full_name}, ${course.attributes.name}: ${attributes.progress} %`);
    }
  }
  return lines;
}
