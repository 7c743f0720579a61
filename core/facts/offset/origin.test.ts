import { suite } from "uvu";
import * as assert from "uvu/assert";
import { aboveCurrent, fromElsewhere, misplaced } from "./origin.ts";

const origin = suite("the origin of a stored offset");

const DATABASE = { dbid: 7n, name: "ORCLCDB", resetlogsScn: 100n, role: "PRIMARY", currentScn: 9007199254740993n };

const cases: readonly (readonly [
  what: string,
  offset: Partial<Parameters<typeof misplaced>[0]>,
  code: string | undefined,
  seen?: RegExp,
])[] = [
  ["this database", {}, undefined],
  ["the current SCN itself", { resumeScn: 9007199254740993n }, undefined],
  [
    "an SCN after the current one, beyond 2^53",
    { resumeScn: 9007199254740994n },
    "OFF101",
    /resume SCN 9007199254740994/,
  ],
  ["another database", { dbid: 8n }, "OFF106", /dbid 8; the connected database is ORCLCDB with dbid 7/],
  ["a dbid of 0", { dbid: 0n }, "OFF106"],
  ["another incarnation", { resetlogsScn: 99n }, "OFF106", /resetlogs SCN 99/],
  ["another database, ahead as well", { dbid: 8n, resumeScn: 9007199254740999n }, "OFF106"],
  ["a database that is not named", { dbid: undefined }, "OFF106", /no dbid.*CDC-5001/],
  ["an incarnation that is not named", { resetlogsScn: undefined }, "OFF106", /no resetlogs_scn.*CDC-5001/],
];

for (const [what, offset, code, seen] of cases)
  origin(`${what}: ${code ?? "in place"}`, () => {
    const found = misplaced({ resumeScn: 500n, dbid: 7n, resetlogsScn: 100n, ...offset }, DATABASE, "orders-cdc");
    assert.is(found?.code, code);
    if (seen !== undefined) assert.match(found?.seen ?? "", seen);
  });

origin("a standby has reached the SCN that it has applied", () => {
  const found = aboveCurrent("600", { name: "ORCLCDB", role: "PHYSICAL STANDBY", currentScn: 500n });
  assert.is(found, "600 is above the applied SCN of ORCLCDB, which is 500");
});

origin("the command that moves it quotes the connector's name", () => {
  const { remedies } =
    misplaced({ resumeScn: DATABASE.currentScn + 1n, dbid: 7n, resetlogsScn: 100n }, DATABASE, "a; rm") ?? {};
  assert.match(String(remedies?.join()), "admin offsets set --name 'a; rm'");
});

origin("the way out of another database clears the journal and schema topics of the prefix", () => {
  const { remedies } = fromElsewhere({ dbid: 8n, resetlogsScn: 100n }, DATABASE, "orders-cdc") ?? {};
  const ways = String(remedies?.join("\n"));
  assert.match(
    ways,
    "DELETE /connectors/orders-cdc/offsets; remove the records of its prefix from the journal and schema",
  );
  assert.match(ways, "(null records under its keys), or the start restores transactions of the other database");
});

origin("its identity alone does not depend on the current SCN", () => {
  assert.is(fromElsewhere({ dbid: 7n, resetlogsScn: 100n }, DATABASE, "orders-cdc"), undefined);
});

origin.run();
