// Receives the emails of a server.
const net = require("node:net");

/** Starts a mail server. Its method link resolves with the first link in the next email to an address. */
exports.receiveMail = async function receiveMail() {
  const received = [];
  const waiting = [];
  const deliver = (mail) => {
    received.push(mail);
    for (const wake of waiting.splice(0)) wake();
  };
  const listener = net.createServer((socket) => {
    let text = "";
    let reading = false;
    socket.setEncoding("utf8");
    socket.write("220 mail\r\n");
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      text += chunk;
      for (;;) {
        const end = text.indexOf(reading ? "\r\n.\r\n" : "\r\n");
        if (end < 0) return;
        const part = text.slice(0, end);
        text = text.slice(end + (reading ? 5 : 2));
        if (reading) {
          reading = false;
          deliver(part.replace(/=\r\n/g, "").replace(/=3D/g, "="));
          socket.write("250 ok\r\n");
        } else if (/^DATA/i.test(part)) {
          reading = true;
          socket.write("354 go\r\n");
        } else if (/^QUIT/i.test(part)) {
          socket.end("221 bye\r\n");
        } else {
          socket.write("250 ok\r\n");
        }
      }
    });
  });
  await new Promise((listening) => listener.listen(0, "127.0.0.1", listening));
  return {
    settings: ["--mail.mode=smtp", "--mail.host=127.0.0.1", `--mail.port=${listener.address().port}`, "--mail.tls=none", "--mail.from=school@example.test"],
    async link(address) {
      for (;;) {
        const i = received.findIndex((mail) => mail.includes(address));
        if (i >= 0) return received.splice(i, 1)[0].match(/http:\/\/[^\s"<>]+\/(?:invitations|sign-in)\/[0-9a-f]+/)[0];
        await new Promise((wake) => waiting.push(wake));
      }
    },
    stop: () => listener.close(),
  };
};
