// Serves pages from origins other than that of the API.
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");

/**
 * Serves an empty page on a free port, and so from a separate origin. If a folder is given, also
 * serves its scripts. Returns the origin and a function that stops the server.
 */
exports.servePage = async function servePage(folder) {
  const pages = http.createServer((request, response) => {
    if (folder && request.url.endsWith(".js")) {
      response.setHeader("Content-Type", "text/javascript");
      response.end(fs.readFileSync(path.join(folder, path.basename(request.url))));
      return;
    }
    response.setHeader("Content-Type", "text/html");
    response.end("<!doctype html><link rel=icon href=data:,><title>A page</title>");
  });
  await new Promise((listening) => pages.listen(0, "127.0.0.1", listening));
  return { origin: `http://127.0.0.1:${pages.address().port}`, stop: () => pages.close() };
};
