import { suite } from "uvu";
import * as assert from "uvu/assert";
import { envelopedRecord, expectedOf, MATRIX, verdictOf } from "./testing/matrix.ts";

const encodings = suite("the values of Debezium's records");

encodings("are compared with the table in every mode and version, with a schema and without", () => {
  const seen = new Map<string, number>();
  for (const cell of MATRIX) {
    const { column, json, of } = cell;
    if (column === undefined) assert.is(cell.type, "XMLTYPE");
    if (column === undefined || json === undefined) continue;
    for (const record of [envelopedRecord(cell), `{"C":${json}}`]) {
      const verdict = verdictOf({ ...cell, column }, record);
      const { verdict: expected, why } = expectedOf(cell);
      assert.match(verdict, expected, `${of}: ${why}`);
      seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
    }
  }
  assert.ok((seen.get("equal") ?? 0) > 300, JSON.stringify([...seen]));
  assert.ok((seen.get("not compared") ?? 0) > 20 && (seen.get("placeholder") ?? 0) > 10, JSON.stringify([...seen]));
});

encodings.run();
