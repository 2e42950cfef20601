// Sends requests as a client program of this API family does that wraps every path alike: the key is
// a parameter, every request has a body of JSON, also GET and DELETE, updates are PUT without type
// and id, and the form of the response is either JSON or CSV.
const http = require("node:http");
const zlib = require("node:zlib");

const methods = { list: "GET", get: "GET", create: "POST", update: "PUT", delete: "DELETE" };

// What the HTTP library below that client sends by itself.
const defaults = { Accept: "*/*", "Accept-Encoding": "gzip;q=1.0,deflate;q=0.6,identity;q=0.3", "User-Agent": "Ruby" };

/** Sends a request, GET with a body too, which fetch refuses. Returns status, headers and text. */
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
 * Returns the client of one version of the API. Its function sends a request: the action, the path
 * below the version, and params, of which id goes into the path and the rest into the body.
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
