// Simplifies schemas for a language without unions and with names for all structures.

const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: "string" };

// Structures that many resources have in common.
const common = {
  Identifier: { type: "object", required: ["type", "id"], description: "Refers to a resource.", properties: { type: text, id: text } },
  ToOne: { type: "object", required: ["data"], description: "A relationship to one resource.", properties: { data: ref("Identifier") } },
  ToMany: { type: "object", required: ["data"], description: "A relationship to several resources.", properties: { data: { type: "array", items: ref("Identifier") } } },
  Link: { type: "object", required: ["href", "methods"], description: "A URL and the methods that it supports.", properties: { href: text, methods: { type: "array", items: text } } },
};

const upper = (name) => name.split("_").map((word) => word[0].toUpperCase() + word.slice(1)).join("");
const singular = (name) => name.replace(/ies$/, "y").replace(/s$/, "");
const isMap = ({ additionalProperties }) => typeof additionalProperties === "object";
const empty = (schema) => schema.type === "object" && !isMap(schema) && Object.keys(schema.properties ?? {}).length === 0;
const keys = ({ properties = {} }) => Object.keys(properties).sort().join();

/** Returns the resources and attributes in the schemas, without the documents around them. */
exports.simpler = function simpler(schemas) {
  const result = { ...common };
  const resolved = (schema) => (schema?.$ref ? schemas[schema.$ref.split("/").at(-1)] : schema);

  /** Returns the common structure that the schema has, if any. */
  function shared(schema) {
    if (keys(schema) === "href,methods") return ref("Link");
    if (keys(schema) !== "data") return undefined;
    const data = resolved(schema.properties.data);
    if (keys(data) === "id,type") return ref("ToOne");
    return data.type === "array" ? ref("ToMany") : undefined;
  }

  /** Returns the schema of a member. An object gets the name and becomes a schema of its own. */
  function member(name, schema) {
    const target = resolved(schema);
    const { description } = schema.$ref ? target : schema;
    const note = description === undefined ? {} : { description };
    if (schema.$ref) name = schema.$ref.split("/").at(-1);
    if (target.oneOf) {
      const list = target.oneOf.find(({ type }) => type === "array");
      return list ? { ...note, ...member(name, list) } : object(name, merged(target.oneOf.map(resolved)));
    }
    const type = [target.type].flat();
    if (isMap(target)) return { ...note, type: "object", additionalProperties: true, "x-go-type-skip-optional-pointer": true };
    if (type.includes("object")) return object(name, target);
    if (type.includes("array")) return { ...note, type: "array", items: member(singular(name), target.items) };
    const { enum: values, format } = target;
    if (values?.length > 1) note.description = [note.description, `One of ${values.filter(Boolean).join(", ")}.`].filter(Boolean).join(" ");
    return { ...note, type: target.type, ...(["date-time", "int64", "double"].includes(format) && { format }) };
  }

  function object(name, schema) {
    const known = shared(schema);
    if (known) return known;
    if (!(name in result)) {
      const { type, required, description } = schema;
      const properties = Object.entries(schema.properties).filter(([, inner]) => !empty(resolved(inner)));
      result[name] = { type, required, description };
      result[name].properties = Object.fromEntries(properties.map(([key, inner]) => [key, member(name + upper(key), inner)]));
    }
    return ref(name);
  }

  /** Returns an object that has the properties of all; those that some lack are optional. */
  function merged(all) {
    const properties = Object.assign({}, ...all.map((one) => one.properties));
    for (const key of ["attributes"]) {
      const several = all.map((one) => one.properties[key]).filter(Boolean);
      if (several.length > 1) properties[key] = merged(several);
    }
    const required = Object.keys(properties).filter((key) => all.every((one) => one.required.includes(key)));
    return { type: "object", required, properties };
  }

  for (const [name, schema] of Object.entries(schemas)) {
    const data = resolved(schema.properties?.data);
    if (["Error", "CourseContents", "CreatedApiKey", "LearnerToken"].includes(name)) object(name, schema);
    if (!data) continue;
    const attributes = data.properties?.attributes;
    if (/^Single/.test(name)) member(name.replace(/^Single/, ""), schema.properties.data);
    else if (/List$|^(Recorded|Marked)/.test(name)) member(name, data.type === "array" ? data.items : (data.oneOf ?? [data])[0]);
    else if (/^(New|Changed|StructurePlan)/.test(name) && attributes) object(name, attributes);
    else if (/^Bulk/.test(name)) for (const rows of Object.values(attributes.properties)) object(name === "BulkPeople" ? "BulkPerson" : "BulkGroup", rows.items);
  }
  return result;
};
