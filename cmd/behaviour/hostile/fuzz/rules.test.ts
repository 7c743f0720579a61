/** Each rule of the fuzz harness finds what it is there for. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { judge } from "./fuzz.ts";
import { SECRETS, type Stage, type Target, type Tried } from "./targets.ts";

const rules = suite("the rules of the fuzz harness");
const WELL: Tried = {
  exit: 1,
  output: "refused: with a message",
  what: "nothing",
  argv: ["plan"],
  input: Buffer.alloc(0),
};

async function wrongOf(attempt: Stage["attempt"]): Promise<string> {
  const stage: Stage = { attempt, close: () => Promise.resolve() };
  const target: Target = { name: "a rule", ends: 0, lasts: 1, cases: 1, open: () => Promise.resolve(stage) };
  return (await judge(target, stage, "1", 0)).wrong.join("; ");
}

rules("a refusal with a message is well", async () => assert.is(await wrongOf(async () => WELL), ""));

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

rules("a rejection that nobody handles is found", async () => {
  const wrong = await wrongOf(async () => {
    void Promise.reject(new Error("left behind"));
    return WELL;
  });
  assert.match(wrong, /unhandled: Error: left behind/);
});

rules.run();
