/** What the driver throws in a handler of its socket ends the connection, not the process. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { loadDriver, loadTransport } from "./driver.ts";
import { containSocketExceptions, type GuardedSocket } from "./socket-exceptions.ts";

const containing = suite("exceptions in socket handlers");

/** A class that keeps its socket as the driver does. */
class Keeps {
  declare stream: Socket | null;
}
containSocketExceptions(Keeps);

containing("a handler that throws closes its socket with an error, and the process continues", async () => {
  const server = createServer((client) => client.end("damaged"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const escaped: unknown[] = [];
  const escapes = (error: unknown) => void escaped.push(error);
  process.on("uncaughtException", escapes);
  try {
    const keeps = new Keeps();
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    keeps.stream = socket;
    const thrown = new TypeError("Cannot read properties of null");
    socket.on("data", () => {
      throw thrown;
    });
    const [error] = (await once(socket, "error")) as [Error];
    assert.is(error.name, "DamagedAnswer");
    assert.is(error.cause, thrown);
    assert.ok(socket.destroyed);
    assert.equal(escaped, []);
  } finally {
    process.off("uncaughtException", escapes);
    server.close();
  }
});

containing("the socket may be set to null, and two transports have separate ones", () => {
  const [one, other] = [new Keeps(), new Keeps()];
  const socket = { emit: () => true, destroy: () => undefined } satisfies GuardedSocket as unknown as Socket;
  one.stream = socket;
  assert.is(one.stream, socket);
  assert.is(other.stream, undefined);
  one.stream = null;
  assert.is(one.stream, null);
});

containing("the driver's transport still assigns its socket, so that it is guarded", async () => {
  await loadDriver();
  const Transport = (await loadTransport()) as unknown as new (attributes: object) => { stream: unknown };
  const transport = new Transport({});
  assert.not.ok(Object.hasOwn(transport, "stream"));
  const socket = { emit: () => true, destroy: () => undefined };
  const { emit } = socket;
  transport.stream = socket;
  assert.is.not(socket.emit, emit);
});

containing.run();
