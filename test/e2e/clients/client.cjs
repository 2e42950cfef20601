// Sends requests as existing client programs do: with the key in a header.
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

/** Returns the address of a link, which is a string or an object with an href. */
exports.href = (link) => (typeof link === "string" ? link : link?.href);

/** Returns the paths of the API description whose GET has the parameter page: all lists. */
exports.lists = async (ask) => {
  const { document } = await ask("GET", "/openapi.json");
  const named = ({ $ref, name }) => ($ref ? document.components.parameters[$ref.split("/").at(-1)].name : name);
  return Object.keys(document.paths).filter((p) => document.paths[p].get?.parameters?.some((one) => named(one) === "page"));
};

/** Adds records of which the demo school has too few: redemptions of coupons, a second key and two webhook endpoints. */
exports.complete = async (ask) => {
  const { document: { data: [{ id }] } } = await ask("GET", "/v2/people?limit=1");
  const { document: { data: coupons } } = await ask("GET", "/v2/coupons");
  const body = { data: { type: "coupon_redemptions", relationships: { person: { data: { type: "people", id } } } } };
  const answers = [];
  for (const coupon of [...coupons, ...coupons]) answers.push(await ask("POST", `/v2/coupons/${coupon.id}/redemptions`, { body }));
  assert.ok(answers.filter(({ status }) => status === 201).length > 1, JSON.stringify(answers.map(({ text }) => text)));
  const key = await ask("POST", "/v2/api_keys", { body: { data: { type: "api_keys", attributes: { name: "Second", scope: "read" } } } });
  assert.equal(key.status, 201, key.text);
  for (const url of ["https://one.example.test/", "https://two.example.test/"]) {
    const endpoint = await ask("POST", "/v2/webhook_endpoints", { body: { data: { type: "webhook_endpoints", attributes: { url, types: ["*"] } } } });
    assert.equal(endpoint.status, 201, endpoint.text);
    const ping = await ask("POST", `/v2/webhook_endpoints/${endpoint.document.data.id}/ping`);
    assert.ok(ping.status < 300, ping.text);
  }
};

/** Returns the paths below /v1 and /v2 that have the method in the description. */
exports.described = async (ask, method) => {
  const { document } = await ask("GET", "/openapi.json");
  const paths = Object.keys(document.paths).filter((p) => /^\/v[12]\//.test(p) && document.paths[p][method]);
  assert.ok(paths.length > 20, "the description has paths");
  return paths;
};
