import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Finished, runHere } from "../behaviour/run-command.ts";

const script = suite("doctor setup-sql");

const print = (...flags: readonly string[]): Promise<Finished> =>
  runHere(["doctor", "setup-sql", ...flags], { env: { HOME: "/nonexistent" } });

async function of(config: Readonly<Record<string, string>>, ...flags: readonly string[]): Promise<Finished> {
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-setup-sql-"));
  try {
    const file = join(folder, "connector.json");
    await writeFile(file, JSON.stringify({ "cdc.topic.prefix": "orders", ...config }));
    return await print("--config", file, ...flags);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const IN_A_PDB = {
  "cdc.mining.mode": "range",
  "cdc.database.pdbs": "ORCLPDB1",
  "cdc.database.user": "C##CDC",
  "cdc.tables.include": "ORCLPDB1\\.SALES\\.ORDERS",
};

script("accepts in range mode what doctor check accepts: a common user, and names with the PDB", async () => {
  const seen = await of(IN_A_PDB);
  assert.is(seen.exit, 0);
  assert.match(seen.output, "GRANT LOGMINING TO C##CDC;");
  assert.match(seen.output, '-- ALTER TABLE "SALES"."ORDERS" ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;');
  const named = await print("--database", "pdb", "--table", "ORCLPDB1.SALES.ORDERS", "--table", "SALES.LINES");
  assert.is(named.exit, 0);
  assert.match(named.output, '-- ALTER TABLE "SALES"."LINES" ADD');
});

/** What `--table` takes for each form; the help says the same. */
const TAKEN = { container: "PDB.", "non-container": "", rds: "", pdb: "either" } as const;

script("accepts with --table what its help says, for each form", async () => {
  const help = (await print("--help")).output.replace(/\s+/g, " ");
  assert.match(help, "PDB.OWNER.TABLE for container, OWNER.TABLE for non-container and rds, either for pdb");
  for (const [form, taken] of Object.entries(TAKEN))
    for (const before of ["PDB.", ""]) {
      const { exit } = await print("--database", form, "--table", `${before}OWNER."Table"`);
      assert.is(exit, taken === "either" || taken === before ? 0 : 64, `${form}: ${before}OWNER.TABLE`);
    }
});

script("keeps the case of patterns where cdc.tables.case.sensitive is set", async () => {
  const seen = await of({
    ...IN_A_PDB,
    "cdc.tables.include": "ORCLPDB1\\.Sales\\.Orders",
    "cdc.tables.case.sensitive": "true",
  });
  assert.match(seen.output, '-- ALTER TABLE "Sales"."Orders" ADD');
});

script("refuses a common user without containers", async () => {
  for (const form of ["non-container", "rds"]) {
    const seen = await print("--database", form, "--user", "C##CDC");
    assert.is(seen.exit, 64, form);
    assert.match(seen.output, "C##CDC is a common user's name");
  }
});

script.run();
