// Runs client generators on the API description of a server, and the generated clients against the
// server.
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");


/** Returns a function that runs a program. If it fails, the function throws its output. */
exports.runner = (server) => (directory, program, ...args) => {
  const env = { ...process.env, LYCEUM_URL: server.url, LYCEUM_KEY: server.key, NODE_TEST_CONTEXT: undefined };
  try {
    return execFileSync(program, args, { cwd: directory, env, encoding: "utf8", stdio: "pipe" });
  } catch (e) {
    throw new Error(`${[program, ...args].join(" ")}: ${e.message}\n${e.stdout}${e.stderr}`);
  }
};

/** Writes the API description of the server into a file. */
exports.describe = async (server, file) => {
  fs.writeFileSync(file, await (await fetch(`${server.url}/openapi.json`)).text());
};

/** Copies TypeScript sources to a new folder below the installed packages, and returns the folder. */
exports.sources = (installed, ...files) => {
  const folder = path.join(installed, "typescript");
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder);
  for (const file of files) fs.copyFileSync(file, path.join(folder, path.basename(file)));
  fs.writeFileSync(path.join(folder, "package.json"), '{"type": "module"}');
  return folder;
};
