// Runs tools that take too long for make ci: OpenAPI linters and another client generator.
const fs = require("node:fs");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { start } = require("../browser/server.cjs");
const { describe, runner, sources } = require("../clients/programs.cjs");

const cache = path.resolve(".cache/generators");
const description = path.join(cache, "openapi.json");
const program = (name) => path.join(cache, "node_modules/.bin", name);
let server, run;

before(async () => {
  server = await start("--demo");
  run = runner(server);
  await describe(server, description);
});

after(() => server?.stop());

test("Spectral finds no error", () => {
  fs.writeFileSync(path.join(cache, ".spectral.yaml"), "extends: spectral:oas\n");
  run(cache, program("spectral"), "lint", "--fail-severity=error", description);
});

test("Redocly finds no error", () => {
  run(cache, program("redocly"), "lint", "--format=summary", description);
});

test("TypeScript: @hey-api/openapi-ts", async (t) => {
  const made = sources(cache, "test/e2e/clients/typescript/tsconfig.json", "test/e2e/clients/typescript/nested.ts",
    "test/e2e/generators/hey-api.test.ts", "test/e2e/generators/openapi-ts.config.mjs");
  await t.test("generate", () => run(made, program("openapi-ts"), "-f", "openapi-ts.config.mjs"));
  await t.test("compile", () => run(made, program("tsc")));
  await t.test("create, filter, page, read errors", () => run(made, process.execPath, "--test", "built/hey-api.test.js"));
});
