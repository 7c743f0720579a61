/** Resolved plans that can't be applied. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { digestOf } from "../../core/values/digest.ts";
import { instantOf } from "../../core/values/instant.ts";
import { type JsonObject, parseJson, printJson } from "../../core/values/json.ts";
import { healthyWorld } from "../../providers/sandbox/oracle/world.ts";
import { type Sandbox, type SandboxOptions, startSandbox, storedOffset } from "../../providers/sandbox/sandbox.ts";
import { contexts, planFile } from "../../providers/sandbox/scenario.ts";
import { attempt, expect, expectOneMessage, inFolder, printTable, type Row } from "./table.ts";

interface PlanRow extends Row {
  /** What happens to the file between planning and applying. */
  readonly edit?: (text: string) => string;
  /** Where it is applied, when not where it was planned. */
  readonly elsewhere?: SandboxOptions;
  readonly flags?: readonly string[];
}

const OTHER_DATABASE = healthyWorld();
OTHER_DATABASE.database.dbid = 1_111_111_111n;

const ROWS: readonly PlanRow[] = [
  { wrong: "truncated", edit: (text) => text.slice(0, text.length / 2), exit: 64, says: /file is truncated/ },
  { wrong: "its last line missing", edit: (text) => text.slice(0, -3), exit: 64, says: /file is truncated/ },
  {
    wrong: "one digit edited",
    edit: (text) => text.replace("2010000", "2010001"),
    exit: 1,
    says: /changed after it was planned.*APL802/,
  },
  {
    wrong: "reformatted",
    edit: (text) => JSON.stringify(JSON.parse(text)),
    exit: 1,
    says: /changed after it was planned.*APL802/,
  },
  {
    wrong: "newer format version",
    edit: (text) => text.replace('"formatVersion": 2', '"formatVersion": 99'),
    exit: 64,
    says: /version 99.*reads up to 2/,
  },
  {
    wrong: "for another cluster",
    elsewhere: {
      state: "STOPPED",
      connect: { clusterId: "another-cluster-0000000" },
      broker: { clusterId: "another-cluster-0000000" },
    },
    exit: 1,
    says: /cluster.*APL803/,
  },
  {
    wrong: "for another database",
    elsewhere: {
      state: "STOPPED",
      oracle: (world) => {
        world.database.dbid = 1_111_111_111n;
      },
      offset: storedOffset(OTHER_DATABASE),
    },
    exit: 1,
    says: /database|dbid/,
  },
  { wrong: "too old", flags: ["--max-age", "0s"], exit: 1, says: /the plan is .* old.*APL811/ },
  {
    wrong: "dated in the future",
    edit: (text) => dated(text, 6 * 60_000),
    exit: 1,
    says: /the plan is dated .* in the future of this machine's clock.*APL811/,
  },
  {
    wrong: "without a date",
    edit: (text) => redigested(text.replace(/"plannedAt": "[^"]*"/, '"plannedAt": "soon"')),
    exit: 64,
    says: /holds no plan/,
  },
  {
    wrong: "another decision expected",
    flags: ["--expect", `sha256:${"0".repeat(64)}`],
    exit: 1,
    says: /approval.*APL810/,
  },
  { wrong: "something expected that is no digest", flags: ["--expect", "3f9c"], exit: 64, says: /--expect/ },
];

/** The file as a machine would have written it whose clock is ahead by so much. */
function dated(text: string, millis: number): string {
  return redigested(text.replace(/"plannedAt": "[^"]*"/, `"plannedAt": "${instantOf(Date.now() + millis)}"`));
}

function redigested(text: string): string {
  const { digest: _digest, ...body } = parseJson(text) as JsonObject;
  return `${printJson({ ...body, digest: digestOf(body) })}\n`;
}

const SECRETS = ["cdc-secret"];
const resolvedPlans = suite("resolved plans that can't be applied");

async function planned<T>(
  use: (sandbox: Sandbox, folder: string, env: Record<string, string>) => Promise<T>,
): Promise<T> {
  const sandbox = await startSandbox({ state: "STOPPED" });
  try {
    const files = {
      "contexts.yaml": contexts(sandbox),
      "replay.yaml": planFile("orders-replay", "replay", "scn: 2010000"),
    };
    return await inFolder(files, async (folder) => {
      const env = { HOME: folder, CDCCTL_STATE: join(folder, "state"), CDCCTL_CONTEXTS: join(folder, "contexts.yaml") };
      const { exit, output } = await attempt(
        ["plan", join(folder, "replay.yaml"), "--out", join(folder, "plan.json")],
        env,
      );
      assert.is(exit, 0, output);
      return use(sandbox, folder, env);
    });
  } finally {
    await sandbox.close();
  }
}

for (const row of ROWS) {
  resolvedPlans(row.wrong, () =>
    planned(async (sandbox, folder, env) => {
      const file = join(folder, "plan.json");
      if (row.edit !== undefined) await writeFile(file, row.edit(await readFile(file, "utf8")));
      const other = row.elsewhere === undefined ? undefined : await startSandbox(row.elsewhere);
      try {
        if (other !== undefined) await writeFile(join(folder, "contexts.yaml"), contexts(other));
        const consent = row.flags?.includes("--expect") === true ? [] : ["--yes"];
        const applied = await attempt(["apply", file, ...consent, ...(row.flags ?? [])], env);
        expect(row, applied, SECRETS);
        if (row.exit === 1) expectOneMessage(row, applied);
        for (const world of [sandbox, ...(other === undefined ? [] : [other])]) {
          assert.equal(
            world.connect.requests.filter(({ method }) => method !== "GET"),
            [],
          );
          assert.equal(await world.broker.records("orders.cdc.ops"), []);
        }
      } finally {
        await other?.close();
      }
    }),
  );
}

resolvedPlans("any edit of one byte is refused", () =>
  planned(async (_sandbox, folder, env) => {
    const file = join(folder, "plan.json");
    const edited = join(folder, "edited.json");
    const bytes = await readFile(file);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(bytes.length - 1),
        fc.nat(255),
        fc.constantFrom("replace", "insert", "delete"),
        async (at, byte, how) => {
          const same = how === "replace" && bytes[at] === byte;
          // Windows' ends of lines are no edit.
          const lineEnd = byte === 13 && bytes[at] === 10;
          fc.pre(!same && !lineEnd);
          const rest = bytes.subarray(how === "insert" ? at : at + 1);
          await writeFile(
            edited,
            Buffer.concat([bytes.subarray(0, at), Buffer.from(how === "delete" ? [] : [byte]), rest]),
          );
          const { exit, output } = await attempt(["show", edited], env);
          assert.ok(exit === 1 || exit === 64, `${how} ${byte} at ${at}: exit ${exit}`);
          assert.not.match(output, /This is a bug/);
        },
      ),
      { numRuns: 400 },
    );
  }),
);

resolvedPlans.after(() => printTable("resolved plans: what is wrong, exit code, message"));
resolvedPlans("a clock that is a few minutes ahead does not cause a refusal", () =>
  planned(async (_sandbox, folder, env) => {
    const file = join(folder, "plan.json");
    await writeFile(file, dated(await readFile(file, "utf8"), 4 * 60_000));
    const { exit, output } = await attempt(["apply", file, "--yes", "--settle", "0s"], env);
    assert.is(exit, 0, output);
  }),
);

resolvedPlans.run();
