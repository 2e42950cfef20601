// Checks that the models of the SDKs are generated from the current API description.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { start } = require("../browser/server.cjs");
const { files, generate } = require("../../../sdk/generate.cjs");

const made = path.resolve(".cache/clients/sdk");
let server;

before(async () => {
  server = await start("--demo");
  await generate(server, made);
});

after(() => server?.stop());

for (const file of files) {
  test(`${file} is as make sdk generates it`, () => {
    assert.equal(fs.readFileSync(path.join("sdk", file), "utf8"), fs.readFileSync(path.join(made, file), "utf8"));
  });
}
