// Compiles the package and runs its tests; make test-sdk calls it. The compiler is the one that
// test/e2e/clients installs in .cache/clients.
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const root = path.resolve(__dirname, "../../..");
const tsc = path.join(root, ".cache/clients/node_modules/typescript/bin/tsc");
const tests = fs.readdirSync(__dirname).filter((name) => name.endsWith(".test.mjs")).map((name) => path.join(__dirname, name));

for (const built of ["../dist", "built"]) fs.rmSync(path.join(__dirname, built), { recursive: true, force: true });
for (const args of [
  [tsc, "-p", path.join(__dirname, "..")],
  [tsc, "-p", __dirname],
  [tsc, "-p", path.join(__dirname, "tsconfig.plain.json")], // the examples, with the options of most projects
  ["--test", "--test-reporter=spec", ...tests],
]) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(1);
}
