// The server of the player. It serves the page, and creates a learner token for each visit: the API
// key never reaches the browser. Run it next to a Lyceum server that allows its origin:
//
//   lyceum serve --demo --cors.origins=http://127.0.0.1:9000
//   LYCEUM_KEY=<key of the demo school> LEARNER=jiwoo.park@example.test node server.mjs
//
// A real player would sign the learner in; this one always serves the person in LEARNER.
import { readFile } from "node:fs/promises";
import http from "node:http";

const { LYCEUM_URL: api = "http://127.0.0.1:8080", LYCEUM_KEY: key, LEARNER: email, PORT: port = 9000 } = process.env;

/** Sends a request to the API with the key, and returns the data of the response. */
async function call(method, path, data) {
  const response = await fetch(api + path, {
    method,
    headers: { "X-Api-Key": key, "Content-Type": "application/vnd.api+json" },
    body: data && JSON.stringify({ data }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()).data;
}

/** Returns what player.js needs to act for the learner: a token that is valid for an hour. */
async function session() {
  const [person] = await call("GET", `/v2/people?filter[email][eq]=${encodeURIComponent(email)}`);
  if (!person) throw new Error(`there is no person with the email address ${email}`);
  const token = await call("POST", `/v2/people/${person.id}/tokens`, { type: "learner_tokens", attributes: { expires_in: 3600 } });
  return { api, person: person.id, token: token.attributes.token };
}

const files = { "/": ["index.html", "text/html"], "/player.js": ["player.js", "text/javascript"] };

/** Returns the content of a response and its type. */
async function respond({ method, url }) {
  if (method === "POST" && url === "/session") return [JSON.stringify(await session()), "application/json"];
  const [name, type] = files[url] ?? files["/"];
  return [await readFile(new URL(name, import.meta.url)), type];
}

http
  .createServer((request, response) =>
    respond(request).then(
      ([content, type]) => response.writeHead(200, { "Content-Type": type }).end(content),
      (error) => response.writeHead(502).end(error.message),
    ),
  )
  .listen(port, "127.0.0.1", () => console.log(`Player: http://127.0.0.1:${port}`));
