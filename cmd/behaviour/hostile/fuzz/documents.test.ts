/**
 * Facts and resolved plans with one member changed: read, or refused with a message; never a bug, and never without
 * end.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { processorMillis } from "../../../../core/values/testing/processor-time.ts";
import { CANARIES, openChangedWorld } from "../../changed-world.ts";
import { PATIENCE } from "../../injected-faults.ts";
import { runHere } from "../../run-command.ts";
import { resealed } from "./resealed.ts";

const fuzz = suite("documents with one member changed");
const SEED = Number(process.env["CDCCTL_FUZZ_SEED"] ?? 20_261_122);
const CASES = 150;
const LONGEST_MILLIS = 30_000;
const VALUES: readonly unknown[] = [null, true, "", "x", -1, 1e300, [], {}, "9".repeat(50), [null], "__proto__", 0];

/** A linear congruential generator: the same cases in every run. */
function random(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

type Members = Record<string, unknown>;

function mutated(text: string, below: (limit: number) => number): { readonly text: string; readonly what: string } {
  const root = JSON.parse(text) as Members;
  const places: { readonly holder: Members; readonly name: string }[] = [];
  const walk = (holder: Members): void => {
    for (const name of Object.keys(holder)) {
      places.push({ holder, name });
      const value = holder[name];
      if (typeof value === "object" && value !== null) walk(value as Members);
    }
  };
  walk(root);
  const place = places[below(places.length)];
  if (place === undefined) throw new Error("nothing to change");
  const value = VALUES[below(VALUES.length)];
  const isDeleted = below(4) === 0;
  if (isDeleted) delete place.holder[place.name];
  else place.holder[place.name] = value;
  return {
    text: JSON.stringify(root, null, 2),
    what: isDeleted ? `${place.name} deleted` : `${place.name} = ${JSON.stringify(value)}`,
  };
}

for (const [name, make, use] of [
  ["facts", ["observe"], ["plan", "--facts"]],
  ["resolved plans", ["plan"], ["show"]],
] as const)
  fuzz(`${name} end with a documented exit code and a message`, async () => {
    const world = await openChangedWorld();
    const run = (argv: readonly string[]) => runHere(argv, { env: world.env, patience: PATIENCE });
    try {
      const original = join(world.dir, "original.json");
      const changed = join(world.dir, "changed.json");
      await run([...make, world.plan, "--out", original]);
      const text = await readFile(original, "utf8");
      const below = random(SEED);
      for (let at = 0; at < CASES; at++) {
        const one = mutated(text, below);
        // A digest that does not fit would refuse the other half before anything in them is read.
        await writeFile(changed, at % 2 === 0 ? resealed(one.text) : one.text);
        const started = processorMillis();
        const { exit, output } = await run(
          use[0] === "show" ? ["show", changed] : ["plan", world.plan, "--facts", changed],
        );
        const printed = `seed ${SEED}, case ${at}: ${one.what}\n${output.slice(0, 2000)}`;
        assert.ok([0, 1, 64].includes(Number(exit)), `exit ${exit}, ${printed}`);
        assert.ok(processorMillis() - started < LONGEST_MILLIS, printed);
        assert.ok(output.length > 0, printed);
        assert.is(Object.keys(Object.prototype).length, 0, printed);
        for (const canary of CANARIES) assert.not.ok(output.includes(canary), printed);
      }
    } finally {
      await world.close();
    }
  });

fuzz.run();
