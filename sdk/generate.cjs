// Generates the models of the SDKs from the description of bin/lyceum: make sdk. With an argument,
// it writes them into that folder instead of the SDKs.
const fs = require("node:fs");
const path = require("node:path");
const { start } = require("../test/e2e/browser/server.cjs");
const { describe, runner } = require("../test/e2e/clients/programs.cjs");

const root = path.resolve(__dirname, "..");
const cache = path.join(root, ".cache/clients");
exports.files = ["go/models.gen.go", "typescript/src/models.gen.ts"];

/** Writes the models of the server's description into a folder. */
exports.generate = async function generate(server, folder) {
  const run = runner(server);
  const description = path.join(cache, "sdk-openapi.json");
  await describe(server, description);
  const schemas = (language) => {
    const file = path.join(cache, `sdk-${language}.json`);
    fs.writeFileSync(file, run(root, process.execPath, "sdk/models.cjs", description, language));
    return file;
  };
  for (const file of exports.files) fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  const models = run(path.join(root, "test/e2e/clients/go"), "go", "tool", "oapi-codegen",
    "-config", path.join(__dirname, "go/oapi-codegen.yaml"), schemas("go"));
  // The comment of the package is in client.go.
  fs.writeFileSync(path.join(folder, "go/models.gen.go"), models.replace(/^\/\/ Package.*\n\/\/\n/, "").replace("\npackage ", "\n\npackage "));
  run(root, path.join(cache, "node_modules/.bin/openapi-typescript"), schemas("typescript"), "-o", path.join(folder, "typescript/src/models.gen.ts"),
    "--root-types", "--root-types-no-schema-prefix", "--default-non-nullable=false");
};

if (require.main === module) {
  start("--demo").then(async (server) => {
    await exports.generate(server, process.argv[2] ?? __dirname).finally(server.stop);
  });
}
