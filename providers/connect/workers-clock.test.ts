import { suite } from "uvu";
import * as assert from "uvu/assert";
import { workersClock } from "./answers.ts";
import type { Answered, Exchange } from "./exchange.ts";

const time = suite("the workers' clock");

const NOON = "Fri, 20 Nov 2026 12:00:00 GMT";
const answer = (parts: Partial<Answered>): Exchange => ({
  answered: true,
  status: 200,
  contentType: "application/json",
  location: undefined,
  server: "",
  date: NOON,
  text: "{}",
  byProxy: false,
  ...parts,
});

time("is that of the latest answer, advanced by this machine's monotonic clock", () => {
  let elapsed = 5000;
  const clock = workersClock({ elapsed: () => elapsed });
  assert.is(clock.time(), undefined);
  clock.observe(answer({}));
  elapsed += 90_250;
  assert.is(clock.time(), "2026-11-20T12:01:30.250Z");
  clock.observe(answer({ date: "Fri, 20 Nov 2026 12:01:29 GMT" }));
  assert.is(clock.time(), "2026-11-20T12:01:29Z");
});

const ANSWERS: readonly (readonly [title: string, seen: Exchange, counts: boolean])[] = [
  ["an answer", answer({}), true],
  ["an answer without a body", answer({ status: 204, contentType: "", text: "" }), true],
  [
    "an error of Connect itself",
    answer({ status: 404, text: '{"error_code":404,"message":"Connector x not found"}' }),
    true,
  ],
  ["no Date", answer({ date: undefined }), false],
  ["an invalid Date", answer({ date: "yesterday" }), false],
  ["a Date out of range", answer({ date: "+275760-09-13T00:00:00Z" }), false],
  ["the proxy's own answer", answer({ byProxy: true }), false],
  ["a gateway's page", answer({ contentType: "text/html", text: "<html>login</html>" }), false],
  ["a gateway's 502", answer({ status: 502, text: "" }), false],
  ["no answer", { answered: false, by: "timeout", code: "", detail: "", raw: undefined, sent: true }, false],
];
for (const [title, seen, counts] of ANSWERS)
  time(`${title} ${counts ? "gives" : "does not give"} the time`, () => {
    const clock = workersClock({ elapsed: () => 0 });
    clock.observe(seen);
    assert.is(clock.time(), counts ? "2026-11-20T12:00:00Z" : undefined);
  });

time.run();
