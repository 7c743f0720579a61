import { connect, createServer, type Server, type Socket } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Cursor, readExecute, readFetch, readReexecute } from "./execute-request.ts";
import { noLobs, readLobCall } from "./lobs.ts";
import { type OracleServer, startOracleServer } from "./server.ts";
import { oracledb } from "./test-driver.ts";
import { PASSWORD, SERVERS, testServerOptions } from "./test-statements.ts";
import { BadWire, NeedMore, Reader } from "./wire.ts";

const SEED = 20_261_121;
const INPUTS = 1500;
const READ_INPUTS = 20_000;
const AT_ONCE = 24;
const LONGEST_MILLIS = 20_000;
/** How long the server waits for the rest of a message. */
const PATIENCE_MILLIS = 300;

const fuzz = suite("hostile input to the Oracle server");

/** A linear congruential generator: the same inputs in every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Closes each of two sockets with the other. */
function joined(client: Socket, upstream: Socket): void {
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    one.on("error", () => {});
    one.on("close", () => other.destroy());
  }
}

/** Starts a server on a free port. @returns the port */
function listening(proxy: Server): Promise<number> {
  return new Promise((resolve) =>
    proxy.listen(0, "127.0.0.1", () => {
      const address = proxy.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    }),
  );
}

/** Records the chunks that the real driver sends in one session, with a proxy. */
async function recordSession(server: OracleServer): Promise<readonly Buffer[]> {
  const sent: Buffer[] = [];
  const proxy = createServer((client) => {
    const upstream = connect(server.port, "127.0.0.1");
    client.on("data", (bytes) => {
      sent.push(bytes);
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => client.write(bytes));
    joined(client, upstream);
  });
  const port = await listening(proxy);
  const connection = await oracledb.getConnection({
    user: "miner",
    password: PASSWORD,
    connectString: `127.0.0.1:${port}/ORCLPDB1`,
  });
  connection.module = "fuzz";
  await connection.execute("SELECT * FROM TYPES");
  await connection.execute("SELECT :a, :b FROM DUAL", { a: 7, b: "é".repeat(3000) });
  await connection.execute("SELECT ID, DDL FROM CLOBS");
  await connection.execute("BEGIN DOUBLED(:t); END;", {
    t: { dir: oracledb.BIND_INOUT, type: oracledb.STRING, val: ["a", "b"], maxArraySize: 4 },
  });
  await connection.executeMany("INSERT INTO T VALUES (:1, :2)", [
    [1, "a"],
    [2, "b"],
  ]);
  await connection.commit();
  await connection.close();
  await new Promise<void>((closed) => proxy.close(() => closed()));
  return sent;
}

const LYING_BYTES = [0, 4, 8, 127, 128, 136, 253, 254, 255] as const;

/**
 * Mutates a message: random bytes, truncated, wrong length, flipped bits, wrong inner lengths, grown, shrunk, wrong
 * type.
 */
function mutated(original: Buffer, below: (limit: number) => number): Buffer {
  const bytes = Buffer.from(original);
  const place = () => Math.min(bytes.length - 1, 10 + below(Math.max(1, bytes.length - 10)));
  const relengthened = (of: Buffer) => {
    if (of.length >= 8) of.writeUInt32BE(of.length);
    return of;
  };
  switch (below(8)) {
    case 0:
      return Buffer.from(Array.from({ length: below(2000) }, () => below(256)));
    case 1:
      return bytes.subarray(0, below(bytes.length));
    case 2:
      bytes.writeUInt32BE(below(2 ** 32));
      return bytes;
    case 3:
      for (let i = below(6) + 1; i > 0; i--) bytes[below(bytes.length)] = below(256);
      return bytes;
    case 4:
      bytes[place()] = LYING_BYTES[below(LYING_BYTES.length)] ?? 0;
      return bytes;
    case 5: {
      const at = place();
      return relengthened(
        Buffer.concat([bytes.subarray(0, at), Buffer.from([4, 0x7f, 255, 255, 255]), bytes.subarray(at)]),
      );
    }
    case 6: {
      const at = place();
      return relengthened(Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + below(40))]));
    }
    default:
      bytes[4] = below(20);
      return bytes;
  }
}

/**
 * Plays a recorded session up to some message, sends that one mutated, and waits until the server has answered or
 * closed. Messages before the logon are replayed unchanged; later ones depend on the password, so a real client logs in
 * for these.
 */
function play(port: number, session: readonly Buffer[], victim: number, below: (limit: number) => number) {
  return new Promise<"closed" | "answered" | "stuck">((resolve) => {
    const socket: Socket = connect(port, "127.0.0.1");
    const deadline = setTimeout(() => end("stuck"), 5000);
    let at = 0;
    const end = (how: "closed" | "answered" | "stuck") => {
      clearTimeout(deadline);
      socket.destroy();
      resolve(how);
    };
    const next = () => {
      const message = session[at];
      if (message === undefined || at > victim) {
        end("answered");
        return;
      }
      socket.write(at === victim ? mutated(message, below) : message);
      at++;
    };
    socket.on("connect", next);
    socket.on("data", next);
    socket.on("error", () => {});
    socket.on("close", () => end("closed"));
  });
}

/** Runs a real client through a proxy that mutates one of its messages after the logon. */
async function spoil(port: number, victim: number, below: (limit: number) => number): Promise<"closed" | "answered"> {
  let at = 0;
  const sockets: Socket[] = [];
  const proxy = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    sockets.push(client, upstream);
    client.on("data", (bytes) => upstream.write(at++ === victim ? mutated(bytes, below) : bytes));
    upstream.on("data", (bytes) => client.write(bytes));
    joined(client, upstream);
  });
  const through = await listening(proxy);
  const destroy = () => {
    for (const socket of sockets) socket.destroy();
  };
  const deadline = setTimeout(destroy, 1500); // a client that waits for the rest of what it believes to be an answer
  try {
    const connection = await oracledb.getConnection({
      user: "miner",
      password: PASSWORD,
      connectString: `127.0.0.1:${through}/ORCLPDB1`,
    });
    await connection.execute("SELECT * FROM TYPES");
    await connection.execute("SELECT :a, :b FROM DUAL", { a: 7, b: "x".repeat(3000) });
    await connection.execute("BEGIN DOUBLED(:t); END;", {
      t: { dir: oracledb.BIND_INOUT, type: oracledb.STRING, val: ["a", "b"], maxArraySize: 4 },
    });
    await connection.executeMany("INSERT INTO T VALUES (:1, :2)", [
      [1, "a"],
      [2, "b"],
    ]);
    return "answered";
  } catch {
    return "closed";
  } finally {
    clearTimeout(deadline);
    destroy();
    await new Promise<void>((closed) => proxy.close(() => closed()));
  }
}

/**
 * Returns the answer to a real client. On a busy machine, a step of its logon may take longer than the server waits:
 * then it is repeated.
 */
async function realClient(port: number): Promise<unknown> {
  const deadline = Date.now() + LONGEST_MILLIS;
  for (;;) {
    try {
      const connection = await oracledb.getConnection({
        user: "c",
        password: "tiger",
        connectString: `127.0.0.1:${port}/ORCLPDB1`,
      });
      const { rows } = await connection.execute("SELECT DUMMY FROM DUAL");
      await connection.close();
      return rows;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

fuzz("neither crashes nor blocks the server, and a real client is accepted afterwards", async () => {
  const below = random(SEED);
  const options = { ...SERVERS["23ai, fast authentication"], maxRequest: 1 << 20 };
  const patient = await startOracleServer(testServerOptions(options));
  const session = await recordSession(patient).finally(() => patient.close());
  const server = await startOracleServer(testServerOptions({ ...options, patience: PATIENCE_MILLIS }));
  const bugs: unknown[] = [];
  const bug = (error: unknown) => bugs.push(error);
  process.on("uncaughtException", bug);
  process.on("unhandledRejection", bug);
  const outcomes = { closed: 0, answered: 0, stuck: 0 };
  const began = Date.now();
  let played = 0;
  const player = async () => {
    while (played < INPUTS && Date.now() - began < LONGEST_MILLIS - 6000) {
      const number = played++;
      // The answer of the logon can't be replayed, so these end there: connect, negotiation, logon.
      if (number % 12 !== 0) outcomes[await play(server.port, session, below(3), below)]++;
      else outcomes[await spoil(server.port, 2 + below(6), below)]++;
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, player));
    assert.equal(await realClient(server.port), [["X"]]);
  } finally {
    process.off("uncaughtException", bug);
    process.off("unhandledRejection", bug);
    await server.close();
  }
  process.stdout.write(
    `  ${played} hostile inputs in ${Date.now() - began} ms, seed ${SEED}: ${outcomes.closed} closed, ` +
      `${outcomes.answered} answered\n`,
  );
  assert.equal(bugs, []);
  assert.is(outcomes.stuck, 0);
  assert.ok(outcomes.closed > 100 && outcomes.answered > 100, "both ends were reached");
});

fuzz("a damaged request is read or refused, and does nothing else", async () => {
  const below = random(SEED);
  const server = await startOracleServer(testServerOptions({ fieldVersion: 13 }));
  const session = await recordSession(server);
  await server.close();
  const requests = session.filter((packet) => packet.readUInt8(4) === 6).map((packet) => packet.subarray(10));
  const cursor: Cursor = {
    id: 1,
    sql: "SELECT :a, :b FROM DUAL",
    binds: [2, 1].map((type) => ({
      type,
      maxSize: 22,
      maxElements: undefined,
      outOnly: false,
      lengths: false,
      prefetch: 0,
    })),
    out: [],
    columns: undefined,
    defines: undefined,
    rows: undefined,
    ahead: undefined,
    lobs: [],
  };
  const context = {
    agreement: { version: 13, timeZone: true, timeZoneVersion: false, wideScale: false, endOfRequest: false },
    cursors: new Map([[1, cursor]]),
    lobs: noLobs(),
    text: (reader: Reader) => (reader.lenBytes() ?? "").toString(),
  };
  const readers = [
    (reader: Reader) => readExecute(reader, context),
    (reader: Reader) => readReexecute(reader, context, true),
    (reader: Reader) => readFetch(reader, context),
    (reader: Reader) => readLobCall(reader, context.lobs),
  ];
  let refused = 0;
  for (let i = 0; i < READ_INPUTS; i++) {
    const request = requests[below(requests.length)] ?? Buffer.alloc(0);
    const spoiled = mutated(Buffer.concat([Buffer.alloc(10), request]), below).subarray(10);
    const functions = spoiled.indexOf(3);
    const reader = new Reader(spoiled.subarray(functions < 0 ? 0 : functions + 3));
    try {
      readers[below(readers.length)]?.(reader);
    } catch (error) {
      if (!(error instanceof NeedMore || error instanceof BadWire)) throw error;
      refused++;
    }
  }
  assert.ok(refused > READ_INPUTS / 10 && refused < READ_INPUTS, `${refused} refused`);
});

fuzz.run();
