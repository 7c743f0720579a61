import { suite } from "uvu";
import * as assert from "uvu/assert";
import { heartbeat } from "./heartbeat.ts";
import { listening } from "./testing/listening.ts";

const beats = suite("the heartbeat of a long read");

beats("continues in a log, line by line, also without progress", async () => {
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

beats("is one line on a terminal, truncated to its width and erased at the end", async () => {
  const { written, stderr, until } = listening(12);
  const beat = heartbeat({ stderr }, 2);
  beat.note("at offset 1 of 9");
  await until(1);
  beat.end();
  assert.is(written[0], "\r\u001b[K| at offset");
  assert.is(written.at(-1), "\r\u001b[K");
  for (const one of written) assert.not.match(one, "\n");
});

beats("is written as lines to a terminal on which a line must not be overwritten", async () => {
  for (const env of [{ NO_COLOR: "1" }, { CI: "true" }, { TERM: "dumb" }]) {
    const { written, stderr, until } = listening(80);
    const beat = heartbeat({ stderr, env }, 2);
    beat.note("at offset 1 of 9");
    await until(1);
    beat.end();
    assert.is(written.join("").replaceAll("at offset 1 of 9\n", ""), "");
  }
});

beats("prints nothing for a short operation", () => {
  for (const columns of [undefined, 80]) {
    const { written, stderr } = listening(columns);
    const beat = heartbeat({ stderr });
    beat.note("reading");
    beat.end();
    assert.equal(written, []);
  }
});

beats.run();
