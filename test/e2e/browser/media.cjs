// Records a video and serves it from an origin of its own.
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const https = require("node:https");
const os = require("node:os");
const path = require("node:path");

/** Records a video of two seconds in a page, and returns its bytes. */
exports.record = async function record(page) {
  const bytes = await page.evaluate(async () => {
    const canvas = document.createElement("canvas");
    const paint = canvas.getContext("2d");
    const recorder = new MediaRecorder(canvas.captureStream(10), { mimeType: "video/webm;codecs=vp8" });
    const parts = [];
    recorder.ondataavailable = (part) => parts.push(part.data);
    const stopped = new Promise((stop) => { recorder.onstop = stop; });
    const frames = setInterval(() => { paint.fillRect(Math.random() * 300, 0, 9, 9); }, 100);
    recorder.start();
    setTimeout(() => recorder.stop(), 2000);
    await stopped;
    clearInterval(frames);
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())];
  });
  return Buffer.from(bytes);
};

/** Serves a video with https on a free port. Returns its address, its origin and a stop function. */
exports.serveVideo = async function serveVideo(bytes) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "media-"));
  const [key, cert] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
  execFileSync("openssl", [
    "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-keyout", key, "-out", cert,
  ], { stdio: "ignore" });
  const media = https.createServer({ key: fs.readFileSync(key), cert: fs.readFileSync(cert) }, (request, response) => {
    response.writeHead(200, { "Content-Type": "video/webm", "Content-Length": bytes.length });
    response.end(bytes);
  });
  fs.rmSync(folder, { recursive: true });
  await new Promise((listening) => media.listen(0, "127.0.0.1", listening));
  const origin = `https://127.0.0.1:${media.address().port}`;
  return { origin, address: `${origin}/bees.webm`, stop: () => media.close() };
};
