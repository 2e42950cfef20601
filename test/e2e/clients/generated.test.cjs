// Generates clients from /openapi.json, compiles them, and tests them against a running server.
const fs = require("node:fs");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { start } = require("../browser/server.cjs");
const { describe, runner, sources } = require("./programs.cjs");

const cache = path.resolve(".cache/clients");
const description = path.join(cache, "openapi.json");
let server, run;

before(async () => {
  server = await start("--demo");
  run = runner(server);
  await describe(server, description);
});

after(() => server?.stop());

test("Go: oapi-codegen", { skip: Boolean(process.env.SHORT) }, async (t) => {
  const source = path.resolve("test/e2e/clients/go");
  const made = path.join(cache, "generated");
  fs.mkdirSync(path.join(made, "api"), { recursive: true });
  fs.writeFileSync(path.join(made, "go.mod"), "module lyceum/generated\n\ngo 1.26.0\n");
  await t.test("generate", () => run(source, "go", "tool", "oapi-codegen",
    "-config", "oapi-codegen.yaml", "-o", path.join(made, "api", "api.gen.go"), description));
  await t.test("compile, create, filter, page, read errors", () => run(source, "go", "test", "-vet=off", "-count=1", "."));
});

test("TypeScript: openapi-typescript and openapi-fetch", async (t) => {
  const from = (name) => path.join("test/e2e/clients/typescript", name);
  const made = sources(cache, ...["tsconfig.json", "nested.ts", "openapi-typescript.test.ts"].map(from));
  const program = (name) => path.join(cache, "node_modules/.bin", name);
  await t.test("generate", () => run(made, program("openapi-typescript"), description, "-o", "openapi-typescript.ts"));
  await t.test("compile", () => run(made, program("tsc")));
  await t.test("create, filter, page, read errors", () => run(made, process.execPath, "--test", "built/openapi-typescript.test.js"));
});
