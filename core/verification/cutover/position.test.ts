import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Refusal } from "../../errors.ts";
import type { DatabaseSeen } from "../../facts/database/database.ts";
import { lineOf } from "../../values/remedy.ts";
import { mustBePast } from "./position.ts";

const checkScn = suite("the check SCN");

const now = { currentScn: 100n } as DatabaseSeen;

function refusal(act: () => void): Refusal {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("it must be refused");
}

checkScn("may be the database's current SCN, but not a future one", () => {
  mustBePast(100n, now, "given");
  assert.is(refusal(() => mustBePast(101n, now, "given")).code, "VER101");
});

checkScn("is omitted only if one was given", () => {
  const remedies = (chosen: Parameters<typeof mustBePast>[2]) =>
    refusal(() => mustBePast(101n, now, chosen))
      .remedies.map(lineOf)
      .join("\n");
  assert.match(remedies("given"), /^Omit it \(--check-scn, spec\.verify\.checkScn\)/);
  assert.match(remedies("of the interrupted run"), "the database that the interrupted run read");
  for (const chosen of ["of the interrupted run", "by the safety margin"] as const)
    assert.not.match(remedies(chosen), /[Ll]eave/);
});

checkScn.run();
