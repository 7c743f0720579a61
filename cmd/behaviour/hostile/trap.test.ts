/** The trap itself: what it hears it keeps, and a secret is found in every form. */
import { connect } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { until } from "../../../providers/connect/contract.ts";
import { formsOf, leaks, openTrap } from "./trap.ts";

const trap = suite("a trap");

const SECRET = "c4nary-1/2+3=4";

trap("records what is sent to it", async () => {
  const server = await openTrap(() => "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
  try {
    const socket = connect(server.port, "127.0.0.1");
    socket.write(`PASS ${SECRET}\n`);
    await until("records bytes", async () => server.received().length > 0);
    socket.destroy();
    assert.is(server.calls, 1);
    assert.equal(leaks([SECRET, "another"], { trap: server.received() }), [`${SECRET} in trap`]);
  } finally {
    await server.close();
  }
});

for (let before = 0; before < 4; before++)
  trap(`a secret after ${before} other bytes is found in Base64`, () => {
    const text = Buffer.from(`${"x".repeat(before)}${SECRET}:and more`).toString("base64");
    assert.equal(leaks([SECRET], { header: text }), [`${SECRET} in header`]);
    assert.not.ok(formsOf("quite another one").some((form) => text.includes(form)));
  });

trap.run();
