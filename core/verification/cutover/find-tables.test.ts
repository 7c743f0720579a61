import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { TableSeen } from "../../../schemas/generated/shared.ts";
import { Refusal, UsageError } from "../../errors.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import { findTables } from "./request.ts";

const finding = suite("the tables of a verification");

const inPdb = (name: string, container = "PDB1"): TableSeen => ({ container, owner: "SALES", name });

/** A database with these tables, of which `silent` shows no columns. */
const database = (tables: readonly TableSeen[], silent?: TableSeen): OraclePort =>
  ({
    dictionary: async () => ({ containers: [], tables, answering: [] }),
    layout: async (table: TableSeen) =>
      table.name === silent?.name
        ? undefined
        : { ...table, columns: [], key: undefined, rows: undefined, rowBytes: undefined },
  }) as Partial<OraclePort> as OraclePort;

const CONNECTED = { connectedTo: "CDB$ROOT" } as Parameters<typeof findTables>[3];

const found = async (names: readonly string[], oracle: OraclePort, pdbs: readonly string[] = ["PDB1"]) =>
  (
    await findTables(
      oracle,
      names.map((name) => ({ name })),
      pdbs,
      CONNECTED,
    )
  ).map(({ fullName, inPdb: named }) => [fullName, named]);

const failure = (asked: Promise<unknown>) =>
  asked.then(
    () => assert.unreachable("it must fail"),
    (error: unknown) => error,
  );

finding("are found in the order of their names, and named as the connector names them", async () => {
  const two = database([inPdb("LINES"), inPdb("ORDERS")]);
  assert.equal(await found(["sales.orders", "PDB1.SALES.LINES"], two), [
    ["PDB1.SALES.ORDERS", true],
    ["PDB1.SALES.LINES", true],
  ]);
  assert.equal(await found(["SALES.LINES"], two, []), [["SALES.LINES", false]]);
});

finding("are each named once, by a name of one table", async () => {
  const both = database([inPdb("ORDERS"), inPdb("orders"), inPdb("LINES"), inPdb("LINES", "PDB2")]);
  for (const [names, says] of [
    [["SALES.orders"], /PDB1\.SALES\.ORDERS and PDB1\.SALES\.orders/],
    [["SALES.LINES"], /PDB1\.SALES\.LINES and PDB2\.SALES\.LINES/],
    [["SALES.ORDERS", "PDB1.SALES.ORDERS"], /already listed/],
    [["ORDERS"], /not a valid table name/],
  ] as const) {
    const error = await failure(found(names, both, ["PDB1", "PDB2"]));
    assert.instance(error, UsageError);
    assert.match((error as UsageError).message, says);
  }
});

finding("a table that a plan decided on is found by its exact spelling", async () => {
  const both = database([inPdb("ORDERS"), inPdb("orders"), inPdb("A.B")]);
  const names = ["PDB1.SALES.orders", "PDB1.SALES.A.B", "PDB1.SALES.ORDERS"];
  const tables = await findTables(
    both,
    names.map((name) => ({ name, decided: true })),
    ["PDB1"],
    CONNECTED,
  );
  assert.equal(
    tables.map(({ fullName }) => fullName),
    names,
  );
  const error = await failure(findTables(both, [{ name: "SALES.ORDERS", decided: true }], ["PDB1"], CONNECTED));
  assert.is((error as Refusal).code, "VER104");
});

finding("are refused if not found, or without visible columns", async () => {
  const hidden = database([inPdb("ORDERS")], inPdb("ORDERS"));
  for (const [name, oracle] of [
    ["SALES.NOTHING", database([inPdb("ORDERS")])],
    ["SALES.ORDERS", hidden],
  ] as const) {
    const error = await failure(found([name], oracle));
    assert.instance(error, Refusal);
    assert.is((error as Refusal).code, "VER104");
  }
});

finding.run();
