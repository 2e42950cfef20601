// Serves pages of other origins than the API.
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");

/**
 * Serves an empty page on a free port, which makes it an origin of its own, and the scripts of a
 * folder, if one is given.
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
