import { suite } from "uvu";
import * as assert from "uvu/assert";
import { printDuration } from "../../core/values/duration.ts";
import { wrap } from "../views/layout.ts";
import { stableNames } from "./stable-names.ts";

const stability = suite("stable names of a transcript");

const names = () =>
  stableNames({
    began: Date.UTC(2026, 10, 20),
    shift: 0,
    ports: { connect: 40_001, kafka: 40_002, oracle: 40_003, jmx: undefined, metrics: undefined },
    version: "0.0.1",
    directory: "/tmp/played",
    host: "machine",
  });

stability("a refusal that tells an age has the same lines whatever the age", () => {
  const refused = (millis: number) =>
    wrap(
      `refused: ben (self-asserted) began a change to 2010000 ${printDuration(millis)} ago (2026-11-23T22:01:02Z, ` +
        "run 2026-11-23T22-01-02Z-0a1b) and the outcome is not recorded",
      120,
    ).join("\n");
  const texts = [100, 900, 1000, 9000, 10_000, 59_000].map(refused);
  assert.ok(new Set(texts.map((text) => text.split("\n")[0]?.length)).size > 1, "the ages differ in width");
  assert.equal(
    [...new Set(texts.map((text) => names().of(text)))],
    [
      "refused: ben (self-asserted) began a change to 2010000 N s ago (YYYY-MM-DDThh:mm:ssZ, run " +
        "YYYY-MM-DDThh-mm-ssZ-run1) and the\noutcome is not recorded",
    ],
  );
});

stability.run();
