import { EventEmitter } from "node:events";
import type { OnReadOpts, Socket } from "node:net";
import * as fc from "fast-check";
import type ConnectionPool from "kafkajs/src/network/connectionPool.js";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { inPieces, receiveAnswers } from "./receive-answers.ts";

const receiving = suite("answers of a broker, assembled from pieces");

/** A connection like kafkajs's: receives whole answers or pieces of them, and records their contents. */
function connected() {
  const answers: Buffer[] = [];
  const raw: Buffer[] = [];
  const connection = {
    chunks: [] as Buffer[],
    bytesBuffered: 0,
    authHandlers: null as object | null,
    authExpectResponse: false,
    socket: {} as object,
    processData(data: Buffer) {
      if (connection.authHandlers !== null && !connection.authExpectResponse) {
        raw.push(data);
        return;
      }
      connection.chunks.push(data);
      const all = Buffer.concat(connection.chunks);
      if (all.length < 4 || all.length < 4 + all.readInt32BE()) return;
      assert.is(all.length, 4 + all.readInt32BE(), "one at a time");
      answers.push(connection.chunks.length === 1 ? data.subarray(4) : all.subarray(4));
      connection.chunks = [Buffer.alloc(0)];
    },
  };
  const memory = receiveAnswers(connection as unknown as ConnectionPool.Connection);
  return { answers, raw, connection, memory };
}

function framed(content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeInt32BE(content.length);
  return Buffer.concat([size, content]);
}

const CONTENTS = fc.array(
  fc.integer({ min: 1, max: 400 }).map((length) => Buffer.alloc(length, length)),
  { minLength: 1, maxLength: 6 },
);

receiving("are complete, wherever they are split, in memory that the pieces share", () =>
  fc.assert(
    fc.property(CONTENTS, fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1 }), (contents, cuts) => {
      const { answers, connection } = connected();
      const all = Buffer.concat(contents.map(framed));
      const piece = Buffer.alloc(300);
      for (let at = 0, turn = 0; at < all.length; turn++) {
        const length = Math.min(cuts[turn % cuts.length] ?? 1, all.length - at);
        all.copy(piece, 0, at, at + length);
        connection.processData(piece.subarray(0, length));
        at += length;
      }
      assert.equal(answers, contents);
    }),
  ),
);

receiving("are complete also if the socket itself writes them, as it does for most of a large one", () =>
  fc.assert(
    fc.property(CONTENTS, fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1 }), (contents, cuts) => {
      const { answers, connection } = connected();
      let read: OnReadOpts | undefined;
      const socket = new EventEmitter() as Socket;
      socket.on("data", (piece: Buffer) => connection.processData(piece));
      connection.socket = inPieces((onread) => {
        read = onread;
        return socket;
      });
      const all = Buffer.concat(contents.map(framed));
      let [inPlace, size] = [0, 0];
      for (let at = 0, turn = 0; at < all.length; turn++) {
        if (typeof read?.buffer !== "function") throw new Error("it is asked for memory each time");
        const buffer = read.buffer() as Buffer;
        const length = Math.min(cuts[turn % cuts.length] ?? 1, all.length - at, buffer.length);
        size = Math.max(size, buffer.length);
        if (buffer.length < size) inPlace += length;
        all.copy(buffer, 0, at, at + length);
        read.callback(length, buffer);
        at += length;
      }
      assert.equal(answers, contents);
      if (contents.some((content) => content.length > 300)) assert.ok(inPlace > 0);
    }),
  ),
);

receiving("reuse only memory that was released", () => {
  const { answers, connection, memory } = connected();
  const receive = (fill: number) => {
    connection.processData(framed(Buffer.alloc(100_000, fill)));
    return answers.at(-1) ?? Buffer.alloc(0);
  };
  const [first, second] = [receive(1), receive(2)];
  assert.is.not(first.buffer, second.buffer);
  memory.release(first.subarray(50));
  const third = receive(3);
  assert.is(third.buffer, first.buffer);
  assert.ok(second.every((byte) => byte === 2) && third.every((byte) => byte === 3));
  assert.is.not(receive(4).buffer, third.buffer);
});

receiving("with an enormous declared size get no memory before they arrive", () => {
  const { answers, connection } = connected();
  const size = Buffer.alloc(4);
  size.writeInt32BE(200 * 1024 * 1024);
  connection.processData(size);
  connection.processData(Buffer.from("not so much"));
  assert.is(answers.length, 0);
  assert.is(Buffer.concat(connection.chunks).length, 15);
});

receiving("begin again with another socket", () => {
  const { answers, connection } = connected();
  connection.processData(framed(Buffer.from("cut off")).subarray(0, 6));
  connection.socket = {};
  connection.chunks = [];
  connection.processData(framed(Buffer.from("whole")));
  assert.equal(answers.map(String), ["whole"]);
});

receiving("of a login without framing are passed on as they arrive", () => {
  const { raw, connection } = connected();
  connection.authHandlers = {};
  const piece = Buffer.from("token");
  connection.processData(piece);
  piece.fill(0);
  assert.equal(raw.map(String), ["token"]);
});

receiving("of an impossible size are not awaited: the connection is closed", () => {
  const { answers, connection } = connected();
  let reason: Error | undefined;
  connection.socket = { destroy: (error: Error) => (reason = error) };
  const size = Buffer.alloc(4);
  size.writeInt32BE(1_900_000_000);
  connection.processData(Buffer.concat([size, Buffer.alloc(1000)]));
  assert.match(reason?.message ?? "", /announced an answer of 1\.9 GB, more than 268 MB/);
  assert.equal(answers, []);
  assert.equal(connection.chunks, []);
});

receiving.run();
