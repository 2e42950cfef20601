// Asks the server as existing client programs do: the key in a header.
const assert = require("node:assert/strict");

exports.mediaType = "application/vnd.api+json";

/** Returns a function that sends a request and returns status, headers and document. */
exports.client = (server, key = server.key) => async (method, path, { body, headers } = {}) => {
  const response = await fetch(new URL(path, server.url), {
    method,
    headers: { "X-Api-Key": key, ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const answer = { status: response.status, headers: response.headers, text, name: `${method} ${path}` };
  if (text) answer.document = JSON.parse(text);
  return answer;
};

/** Returns where a link leads, which is a string or an object with an href. */
exports.href = (link) => (typeof link === "string" ? link : link?.href);

/** Returns the paths below /v1 and /v2 that the description has with the method. */
exports.described = async (ask, method) => {
  const { document } = await ask("GET", "/openapi.json");
  const paths = Object.keys(document.paths).filter((p) => /^\/v[12]\//.test(p) && document.paths[p][method]);
  assert.ok(paths.length > 20, "the description has paths");
  return paths;
};
