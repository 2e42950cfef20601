// Starts the server on a free port.
const { spawn } = require("node:child_process");
const readline = require("node:readline");

const maxStartMs = 30_000;

/** Starts a server. Returns its URL, the first API key that it prints, and a stop function. */
exports.start = async function start(...args) {
  const process = spawn("bin/lyceum", ["serve", "--addr", "127.0.0.1:0", ...args], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const server = { stop: () => process.kill("SIGTERM") };
  const late = setTimeout(server.stop, maxStartMs);
  for await (const line of readline.createInterface({ input: process.stdout })) {
    server.url ??= line.match(/^Listening on (.*)$/)?.[1];
    server.key ??= line.match(/^Key "[^"]*": (.*)$/)?.[1];
    if (server.url && server.key) {
      clearTimeout(late);
      return server;
    }
  }
  clearTimeout(late);
  throw new Error("the server stopped before it printed its address");
};
