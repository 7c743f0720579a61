import { EventEmitter } from "node:events";
import type { OnReadOpts, Socket } from "node:net";
import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type AnswerMemory, answerMemory } from "./receive-answers.ts";

const receiving = suite("answers of a broker, assembled from pieces");

/** A socket that has bytes to read: `arrive` reads them, at most so many at once. */
function connected(memory: AnswerMemory = answerMemory()) {
  const answers: Buffer[] = [];
  const heard: number[] = [];
  let read: OnReadOpts | undefined;
  let reason: Error | undefined;
  let [inPlace, size] = [0, 0];
  const opened = Object.assign(new EventEmitter(), { destroyed: false, destroy });
  function destroy(error: Error): void {
    reason = error;
    opened.destroyed = true;
  }
  const socket = memory.receive(
    (onread) => {
      read = onread;
      return opened as unknown as Socket;
    },
    ({ length }) => heard.push(length),
  );
  socket.on("data", (answer: Buffer) => answers.push(answer));
  const arrive = (all: Buffer, cuts: readonly number[] = [all.length]): void => {
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
  };
  const contents = (): readonly Buffer[] => answers.map((answer) => answer.subarray(4));
  return { answers, contents, heard, arrive, inPlace: () => inPlace, reason: () => reason };
}

function framed(content: Buffer): Buffer {
  return Buffer.concat([sizeOf(content.length), content]);
}

function sizeOf(length: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeInt32BE(length);
  return size;
}

const CONTENTS = fc.array(
  fc.integer({ min: 1, max: 400 }).map((length) => Buffer.alloc(length, length)),
  { minLength: 1, maxLength: 6 },
);

receiving("are complete, wherever they are split, and most of a large one is read into its place", () =>
  fc.assert(
    fc.property(CONTENTS, fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1 }), (contents, cuts) => {
      const one = connected();
      const all = Buffer.concat(contents.map(framed));
      one.arrive(all, cuts);
      assert.equal(one.contents(), contents);
      for (const answer of one.answers) assert.is(answer.readInt32BE(), answer.length - 4);
      assert.is(
        one.heard.reduce((sum, length) => sum + length),
        all.length,
      );
      if (contents.some((content) => content.length > 300)) assert.ok(one.inPlace() > 0);
    }),
  ),
);

receiving("reuse only memory that was released", () => {
  const memory = answerMemory();
  const { answers, arrive } = connected(memory);
  const receive = (fill: number) => {
    arrive(framed(Buffer.alloc(100_000, fill)));
    return (answers.at(-1) ?? Buffer.alloc(4)).subarray(4);
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
  const { answers, arrive } = connected();
  arrive(sizeOf(200 * 1024 * 1024));
  arrive(Buffer.from("not so much"));
  arrive(Buffer.from(", and more"));
  assert.equal(answers.slice(1).map(String), ["not so much", ", and more"]);
});

receiving("begin again with another socket", () => {
  const memory = answerMemory();
  connected(memory).arrive(framed(Buffer.from("cut off")).subarray(0, 6));
  const next = connected(memory);
  next.arrive(framed(Buffer.from("whole")));
  assert.equal(next.contents().map(String), ["whole"]);
});

receiving("of an impossible size are not awaited: the connection is closed", () => {
  const { answers, arrive, reason } = connected();
  arrive(Buffer.concat([sizeOf(1_900_000_000), Buffer.alloc(1000)]));
  assert.match(reason()?.message ?? "", /announced an answer of 1\.9 GB, more than 268 MB/);
  assert.equal(answers, []);
});

receiving.run();
