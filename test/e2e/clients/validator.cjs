// Validates documents with jsonapi-validator, which has the schema of JSON:API 1.0 from
// jsonapi.org, and with the rules of 1.1 that no schema contains.
const { Validator } = require("jsonapi-validator");

const validator = new Validator();
const linkMembers = ["href", "rel", "describedby", "title", "type", "hreflang", "meta"];
const sourceMembers = ["pointer", "parameter", "header"];

/** Returns the errors of the schema without those that only follow from others. */
function bySchema(document) {
  try {
    validator.validate(document);
    return [];
  } catch (refusal) {
    if (!refusal.errors) throw refusal;
    const errors = refusal.errors.map((e) => `${e.dataPath || "the document"} ${e.message} ${JSON.stringify(e.params)}`);
    const deep = errors.filter((line) => !/^the document | (oneOf|anyOf) |^\.data should be (object|null|array)|exactly one schema/.test(line));
    return deep.length ? deep : errors;
  }
}

function byRules(document) {
  const found = [];
  const seen = new Set();
  for (const row of [document.data ?? [], document.included ?? []].flat()) {
    const name = `${row.type} ${row.id}`;
    if (seen.has(name)) found.push(`${name} occurs twice in the document`);
    seen.add(name);
    for (const field of Object.keys(row.attributes ?? {})) {
      if (field in (row.relationships ?? {})) found.push(`${name} has an attribute and a relationship ${field}`);
    }
    found.push(...links(row.links, name));
  }
  found.push(...links(document.links, "the document"));
  if (document.errors?.length === 0) found.push("errors is empty");
  for (const error of document.errors ?? []) {
    for (const member of Object.keys(error.source ?? {})) {
      if (!sourceMembers.includes(member)) found.push(`an error has source.${member}`);
    }
    if (error.source?.pointer && !error.source.pointer.startsWith("/")) found.push(`${error.source.pointer} is no pointer`);
  }
  return found;
}

function links(named, where) {
  return Object.entries(named ?? {}).flatMap(([name, link]) =>
    Object.keys(typeof link === "object" && link ? link : {})
      .filter((member) => !linkMembers.includes(member))
      .map((member) => `${where} has ${member} in its link ${name}`));
}

const objections = (document) => [...bySchema(document), ...byRules(document)];

/** Returns the errors of a document except for the exceptions, and records which of these were needed. */
exports.judge = function judge(document, exceptions) {
  if (objections(document).length === 0) return [];
  const adapted = (adaptations) => {
    const copy = structuredClone(document);
    for (const { adapt } of adaptations) adapt(copy);
    return copy;
  };
  const left = objections(adapted(exceptions.adaptations));
  if (left.length > 0) return left;
  for (const one of exceptions.adaptations) {
    if (objections(adapted(exceptions.adaptations.filter((other) => other !== one))).length > 0) exceptions.use(one.name);
  }
  return [];
};
