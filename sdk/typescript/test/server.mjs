import { createRequire } from "node:module";
import { after } from "node:test";
import { Client } from "lyceum";

const { start } = createRequire(import.meta.url)("../../../test/e2e/browser/server.cjs");

const servers = [];
after(() => servers.forEach((server) => server.stop()));

/** Starts a server with the demo school. The server stops after the tests of the file. */
export async function demo(...args) {
  const server = await start("--demo", ...args);
  servers.push(server);
  return server;
}

/** Returns a client of a server that demo started. */
export const newClient = ({ url, key }, options) => new Client({ baseUrl: url, key, ...options });
