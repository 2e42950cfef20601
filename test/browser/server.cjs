// Starts the server with its demo school on a free port.
const { spawn } = require("node:child_process");
const readline = require("node:readline");

/** Returns the address of a running server, a key for it and what stops it. */
exports.start = async function start() {
  const process = spawn("bin/lyceum", ["serve", "--demo", "--addr", "127.0.0.1:0"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const server = { stop: () => process.kill("SIGTERM") };
  for await (const line of readline.createInterface({ input: process.stdout })) {
    server.url ??= line.match(/^Lyceum listens on (.*)$/)?.[1];
    server.key ??= line.match(/^Key "Demo": (.*)$/)?.[1];
    if (server.url && server.key) return server;
  }
  throw new Error("the server stopped before it said where it listens");
};
