// Receives mail: a small SMTP server without TLS that keeps the messages.
const { once } = require("node:events");
const net = require("node:net");
const readline = require("node:readline");

const maxWaitMs = 10_000;

const replies = { EHLO: "250 mailbox", HELO: "250 mailbox", DATA: "354 send the message", QUIT: "221 bye" };

/** Reads the commands of one client and passes each message to keep. */
async function converse(socket, keep) {
  const say = (line) => socket.write(`${line}\r\n`);
  say("220 mailbox");
  let lines; // of the message that is being received
  for await (const line of readline.createInterface({ input: socket })) {
    if (lines && line === ".") {
      keep(lines.join("\n"));
      lines = undefined;
      say("250 kept");
    } else if (lines) {
      lines.push(line.replace(/^\./, ""));
    } else {
      const command = line.slice(0, 4).toUpperCase();
      say(replies[command] ?? "250 ok");
      if (command === "DATA") lines = [];
      if (command === "QUIT") socket.end();
    }
  }
}

/** Returns the recipient and the first link of a message in quoted-printable encoding. */
function read(message) {
  const text = message
    .replace(/=\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, digits) => String.fromCharCode(parseInt(digits, 16)));
  return { to: text.match(/^To:.*?([^\s<]+@[^\s>]+)/m)?.[1], link: text.match(/https?:\/\/\S+/)?.[0], text };
}

/**
 * Starts the SMTP server on a free port. Returns the settings with which Lyceum sends mail to it, a function
 * that returns the next message to an address or fails after ten seconds, and a stop function.
 */
exports.receiveMail = async function receiveMail() {
  const kept = [];
  const sockets = new Set();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    converse(socket, (message) => kept.push(read(message)))
      .catch(() => socket.destroy())
      .finally(() => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    settings: [
      "--mail.mode=smtp", "--mail.from=no-reply@school.example", "--mail.host=127.0.0.1",
      `--mail.port=${server.address().port}`, "--mail.tls=none",
    ],
    async next(address, waitMs = maxWaitMs) {
      for (const end = Date.now() + waitMs; Date.now() <= end; await new Promise((again) => setTimeout(again, 50))) {
        const at = kept.findIndex((message) => message.to === address);
        if (at >= 0) return kept.splice(at, 1)[0];
      }
      throw new Error(`no mail to ${address} within ${waitMs} ms; others: ${kept.map((message) => message.to)}`);
    },
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};
