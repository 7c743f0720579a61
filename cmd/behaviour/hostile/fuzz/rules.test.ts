/** Each rule of the fuzz harness finds what it is there for. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { digestOf } from "../../../../core/values/digest.ts";
import { parseJson, printJson } from "../../../../core/values/json.ts";
import { processorMillis } from "../../../../core/values/testing/processor-time.ts";
import { type Bounds, judge } from "./fuzz.ts";
import { resealed } from "./resealed.ts";
import { SECRETS, type Stage, TARGETS, type Target, type Tried } from "./targets.ts";

const rules = suite("the rules of the fuzz harness");
const WELL: Tried = {
  exit: 1,
  output: "refused: with a message",
  what: "nothing",
  argv: ["plan"],
  input: Buffer.alloc(0),
};

const MIB = 1024 * 1024;
/** Small ones, so that a case that exceeds them is cheap. */
const SMALL: Bounds = { longestMillis: 40, givenUpMillis: 120, mostBytes: 64 * MIB };

async function wrongOf(attempt: Stage["attempt"], bounds?: Bounds): Promise<string> {
  const stage: Stage = { attempt, close: () => Promise.resolve() };
  const target: Target = { name: "a rule", ends: 0, lasts: 1, cases: 1, open: () => Promise.resolve(stage) };
  return (await judge(target, stage, "1", 0, bounds)).wrong.join("; ");
}

rules("a refusal with a message is accepted", async () => assert.is(await wrongOf(async () => WELL), ""));

for (const [what, tried, says] of [
  ["a bug", { exit: 70 }, /^exit 70$/],
  ["a signal", { exit: "SIGKILL" }, /^exit SIGKILL$/],
  ["a failure without a message", { output: "\n" }, /exit 1 without a word/],
  ["a password", { output: `refused: ${SECRETS[0]}` }, /leaks canary/],
  ["a password in Base64", { output: Buffer.from(`user:${SECRETS[1]}`).toString("base64") }, /leaks canary/],
] as const)
  rules(`${what} is found`, async () => assert.match(await wrongOf(async () => ({ ...WELL, ...tried })), says));

rules("a changed prototype is found", async () => {
  const prototype = Object.prototype as Record<string, unknown>;
  try {
    const wrong = await wrongOf(async () => {
      prototype["polluted"] = "yes";
      return WELL;
    });
    assert.match(wrong, /a prototype has changed/);
  } finally {
    delete prototype["polluted"];
  }
});

rules("an unhandled rejection is found", async () => {
  const wrong = await wrongOf(async () => {
    void Promise.reject(new Error("left behind"));
    return WELL;
  });
  assert.match(wrong, /unhandled: Error: left behind/);
});

/** Works without a pause, as a loop does that is not bounded well. */
function busy(millis: number): void {
  for (const until = processorMillis() + millis; processorMillis() < until; );
}

rules("a case that takes too long is found, and one within the bound is not", async () => {
  const slow = async () => {
    busy(60);
    return WELL;
  };
  assert.match(await wrongOf(slow, SMALL), /^took \d+ ms$/);
  assert.is(await wrongOf(slow), "");
});

rules("a case that never ends is found, and interrupted", async () => {
  let interrupted = false;
  const wrong = await wrongOf(
    (_, interrupt) => new Promise(() => interrupt.addEventListener("abort", () => (interrupted = true))),
    SMALL,
  );
  assert.match(wrong, /^has not ended within 0\.12 s; took \d+ ms$/);
  assert.ok(interrupted);
});

rules("a case that takes too much memory is found, and one within the bound is not", async () => {
  const large = async () => {
    const held = Buffer.alloc(160 * MIB, 1);
    // Held until it was seen.
    await new Promise((resolve) => setImmediate(resolve));
    return { ...WELL, input: held.subarray(0, 1) };
  };
  const roomy = { ...SMALL, longestMillis: 10_000, givenUpMillis: 10_000 };
  assert.match(await wrongOf(large, roomy), /used \d+ MiB more/);
  assert.is(await wrongOf(large, { ...roomy, mostBytes: 512 * MIB }), "");
});

const DOCUMENT = {
  plans: [{ decided: { kind: "OffsetChange", target: 7n }, decision: "sha256:0" }],
  decision: "sha256:0",
  digest: "sha256:0",
};

rules("a resealed document has valid digests and keeps every other change", () => {
  const again = parseJson(resealed(printJson(DOCUMENT))) as typeof DOCUMENT;
  const { digest, ...body } = again;
  const [plan] = again.plans;
  assert.is(digest, digestOf(body));
  assert.is(plan?.decision, digestOf(DOCUMENT.plans[0]?.decided ?? null));
  assert.is(again.decision, plan?.decision);
  assert.equal(plan?.decided, DOCUMENT.plans[0]?.decided);
  for (const text of ["", "{", "[]", "7"]) assert.is(resealed(text), text);
});

for (const name of ["resolved plan", "evidence"])
  rules(`in some cases, ${name} is evaluated behind the digest`, async () => {
    const target = TARGETS.find((one) => one.name === name);
    if (target === undefined) throw new Error(`no target ${name}`);
    const stage = await target.open();
    try {
      let sealed = 0;
      for (let nth = 0; nth < 12; nth++) {
        const { tried } = await judge(target, stage, "sealed", nth);
        if (tried?.what.endsWith("digests computed again") !== true) continue;
        sealed++;
        assert.not.match(tried.output.replace(/\s+/g, " "), /its digest does not (?:fit|match)/, tried.what);
      }
      assert.ok(sealed > 0);
    } finally {
      await stage.close();
    }
  });

rules.run();
