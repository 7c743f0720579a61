/**
 * Stands in for `migrate verify-worker` where only Spark's driver is measured: `node idle-worker.mjs --job FILE …`
 * answers every request at once, with results of the size that real ones have, and reads nothing.
 */
import { readFileSync } from "node:fs";

const [HELLO, REQUEST, END, NEW, RESULT, RULES, READY] = [1, 2, 3, 5, 7, 8, 9];
const file = process.argv[process.argv.indexOf("--job") + 1];
const { digest } = JSON.parse(readFileSync(file, "utf8"));
const padding = "x".repeat(900);

function send(kind, slot, text) {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(12);
  for (const [at, value] of [payload.length, slot, kind].entries()) head.writeUInt32LE(value, at * 4);
  process.stdout.write(Buffer.concat([head, payload]));
}

send(HELLO, 0, JSON.stringify({ protocol: 1, engine: 1, cdcctl: "0", job: digest }));
let bytes = Buffer.alloc(0);
let asked = {};
process.stdin.on("data", (chunk) => {
  bytes = Buffer.concat([bytes, chunk]);
  while (bytes.length >= 12 && bytes.length >= 12 + bytes.readUInt32LE(0)) {
    const end = 12 + bytes.readUInt32LE(0);
    answer(bytes.readUInt32LE(8), bytes.subarray(12, end));
    bytes = bytes.subarray(end);
  }
});

function answer(kind, payload) {
  if (kind === REQUEST) {
    asked = JSON.parse(payload);
    if (asked.is === "check") send(READY, 0, "");
    if (asked.is !== "read") return;
    send(NEW, Number(asked.unit.split("-").at(-1)) % 16, padding);
    send(RESULT, 0, JSON.stringify({ unit: { read: { count: 1, foreign: 0 } }, padding }));
  } else if (kind === END && asked.is === "gather") send(RULES, 0, JSON.stringify({ padding }));
  else if (kind === END) send(RESULT, 0, JSON.stringify({ slot: asked.slot, padding }));
}
