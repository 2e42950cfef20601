// Prints the schemas of /v2 of a description, from which the models of an SDK are generated:
// node sdk/models.cjs openapi.json typescript|go. Names have no version: PersonV2 and NewGroup.v2
// are Person and NewGroup. The schemas for Go are simplified in addition; see simpler.cjs.
const fs = require("node:fs");
const { simpler } = require("./simpler.cjs");

const [file, language] = process.argv.slice(2);
const { openapi, info, paths, components } = JSON.parse(fs.readFileSync(file, "utf8"));

/** Returns what a reference refers to. */
const resolved = ({ $ref, ...value }) => ($ref ? $ref.split("/").slice(1).reduce((o, key) => o[key], { components }) : value);

/** Returns the schemas of the bodies of requests and responses of /v2, each once. */
function bodies() {
  const found = new Map();
  for (const [path, operations] of Object.entries(paths)) {
    if (!path.startsWith("/v2/")) continue;
    for (const { requestBody = {}, responses = {} } of Object.values(operations)) {
      for (const body of [requestBody, ...Object.values(responses)]) {
        for (const { schema } of Object.values(resolved(body).content ?? {})) if (schema) found.set(JSON.stringify(schema), schema);
      }
    }
  }
  return [...found.values()];
}

const plain = (name) => name.replace(/\.?v2$/i, "");

/** Returns the schemas that the values refer to, by their plain names and without examples. */
function reachable(values) {
  const schemas = {};
  const collect = (value) => {
    if (Array.isArray(value)) return value.map(collect);
    if (typeof value !== "object" || value === null) return value;
    const { examples, $ref, ...members } = value;
    if (!$ref) return Object.fromEntries(Object.entries(members).map(([key, inner]) => [key, collect(inner)]));
    const name = $ref.split("/").at(-1);
    if (!(plain(name) in schemas)) {
      schemas[plain(name)] = undefined; // a schema may refer to itself
      schemas[plain(name)] = collect(components.schemas[name]);
    }
    return { $ref: `#/components/schemas/${plain(name)}` };
  };
  values.forEach(collect);
  return schemas;
}

let schemas = reachable(bodies());
if (language === "go") schemas = simpler(schemas);
const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
const { title, version } = info;
console.log(JSON.stringify({ openapi, info: { title, version }, paths: {}, components: { schemas: sorted } }, null, 1));
