// Sends requests as a client program of this API family does that wraps every path in the same way:
// the key is a parameter, every request has a JSON body (even GET and DELETE), updates are PUT
// without type and id, and responses are JSON or CSV.
const http = require("node:http");
const zlib = require("node:zlib");

const methods = { list: "GET", get: "GET", create: "POST", update: "PUT", delete: "DELETE" };

// The headers that the HTTP library of that client adds.
const defaults = { Accept: "*/*", "Accept-Encoding": "gzip;q=1.0,deflate;q=0.6,identity;q=0.3", "User-Agent": "Ruby" };

/** Sends a request. Unlike fetch, it can send a body with GET. Returns status, headers and text. */
function send(method, url, headers, body) {
  return new Promise((resolve, reject) => {
    const length = { "Content-Length": Buffer.byteLength(body) }; // Node.js does not set it for GET and DELETE
    const request = http.request(url, { method, headers: { ...defaults, ...headers, ...length } }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk)).on("error", reject).on("end", () => {
        const sent = Buffer.concat(chunks);
        const text = (response.headers["content-encoding"] === "gzip" ? zlib.gunzipSync(sent) : sent).toString();
        resolve({ status: response.statusCode, headers: response.headers, text });
      });
    });
    request.on("error", reject).end(body);
  });
}

/** Returns the rows of a CSV text, each an object with the names of the first line. */
function records(text) {
  const rows = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/g)) {
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ",") rows.push([]);
  }
  const [names, ...values] = rows.slice(0, -1); // every line ends with a line break
  return values.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])));
}

/** Returns the URL of the next page of a CSV list: that of the header Link with rel="next". */
const next = ({ headers }) => headers.link?.match(/<([^>]*)>; rel="next"/)?.[1];

/**
 * Returns a client of one version of the API. call sends a request for an action (see methods) on a
 * path below the version. The parameter id is appended to the path; the other parameters are the
 * body.
 */
exports.wrapper = (server, version, format = "json", key = server.key) => {
  const headers = format === "csv"
    ? { Accept: "text/csv", "Content-Type": "application/x-www-form-urlencoded" } // the default type of the HTTP library
    : { "Content-Type": "application/json" };
  const parse = (response) => {
    const type = response.headers["content-type"] ?? "";
    const content = type.startsWith("text/csv") ? records(response.text) : response.text && JSON.parse(response.text);
    return { ...response, type, content, next: next(response) };
  };
  const authorized = (url) => {
    const complete = new URL(url, server.url);
    complete.searchParams.set("api_key", key);
    return complete;
  };
  return {
    call: async (action, path, { id, ...params } = {}) => {
      const url = authorized(`/${version}/${path}${id === undefined ? "" : `/${id}`}`);
      return parse(await send(methods[action], url, headers, JSON.stringify(params)));
    },
    /** Sends a GET to the URL of a link, which does not contain the key. */
    follow: async (url) => parse(await send("GET", authorized(url), headers, "{}")),
  };
};
