import { suite } from "uvu";
import * as assert from "uvu/assert";
import { heartbeat } from "./heartbeat.ts";
import { listening } from "./testing/listening.ts";

const beats = suite("the heartbeat of a long reading");

beats("in a log it goes on, line by line, also while nothing moves", async () => {
  const { written, stderr, until } = listening(undefined);
  const beat = heartbeat({ stderr }, 2);
  beat.note("at offset 1 of 9");
  await until(2);
  beat.note("at offset 5 of 9");
  const before = written.length;
  await until(before + 1);
  beat.end();
  assert.equal([written[0], written[1]], ["at offset 1 of 9\n", "at offset 1 of 9\n"]);
  assert.is(written[before], "at offset 5 of 9\n");
});

beats("on a terminal it is one line, cut to its width, and gone at the end", async () => {
  const { written, stderr, until } = listening(12);
  const beat = heartbeat({ stderr }, 2);
  beat.note("at offset 1 of 9");
  await until(1);
  beat.end();
  assert.is(written[0], "\r\u001b[K| at offset");
  assert.is(written.at(-1), "\r\u001b[K");
  for (const one of written) assert.not.match(one, "\n");
});

beats("where a line is not to be written over, a terminal gets lines as a log does", async () => {
  for (const env of [{ NO_COLOR: "1" }, { CI: "true" }, { TERM: "dumb" }]) {
    const { written, stderr, until } = listening(80);
    const beat = heartbeat({ stderr, env }, 2);
    beat.note("at offset 1 of 9");
    await until(1);
    beat.end();
    assert.is(written.join("").replaceAll("at offset 1 of 9\n", ""), "");
  }
});

beats("what is over at once says nothing", () => {
  for (const columns of [undefined, 80]) {
    const { written, stderr } = listening(columns);
    const beat = heartbeat({ stderr });
    beat.note("reading");
    beat.end();
    assert.equal(written, []);
  }
});

beats.run();
