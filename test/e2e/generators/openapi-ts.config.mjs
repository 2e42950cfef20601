// The settings of @hey-api/openapi-ts for modules that Node.js runs without a bundler.
export default {
  input: "../openapi.json",
  output: { path: "hey-api", module: { extension: ".js" } },
};
