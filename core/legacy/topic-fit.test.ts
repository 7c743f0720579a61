// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the legacy connector
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { legalInTopic } from "../facts/tables/topic-names.ts";
import { fitsOf } from "./written-topics.ts";

const fit = suite("variables with which a template gives a topic");

fit("are every way of dividing its name", () => {
  assert.equal(
    [...fitsOf("${schemaName}_${tableName}", "A_B_C", {})].map((one) => ({ ...Object(one) })),
    [
      { schemaName: "A", tableName: "B_C" },
      { schemaName: "A_B", tableName: "C" },
    ],
  );
  assert.is(fitsOf("all", "all", {}).length, 1);
  assert.is(fitsOf("all", "all-others", {}).length, 0);
  assert.is(fitsOf("${fullyQualifiedTableName}", "PDB.S.T", { databaseName: "PDB" }).length, 1);
  assert.is(fitsOf("${fullyQualifiedTableName}", "PDB2.S.T", { databaseName: "PDB" }).length, 0);
  assert.is(fitsOf("${tableName}-${tableName}", "A-B", {}).length, 0, "one variable is one name");
  assert.is(fitsOf("${constructor}", "x", {}).length, 1, "no property of every object");
});

fit("may have the name of what every object has", () => {
  for (const name of ["toString", "__proto__", "constructor", "hasOwnProperty"]) {
    const template = `x.$\{${name}}`;
    const [one] = fitsOf(template, "x.A", {});
    assert.equal(Object.entries(one ?? {}), [[name, "A"]], name);
    assert.is(fitsOf(template, "x.A", { databaseName: "D" }).length, 1, name);
  }
});

fit("continue behind a known name as long as it is in the topic", () => {
  assert.is(fitsOf("${databaseName}.${tableName}", "stra_e.T", { databaseName: "stra\u{1F600}e" }).length, 1);
  assert.is(fitsOf("${databaseName}.${tableName}", "STRASSE.T", { databaseName: "stra\u00dfe" }).length, 1);
  assert.is(fitsOf("\u{1F600}${tableName}", "_T", {}).length, 1);
});

fit("are not searched with too many open variables", () => {
  assert.is(fitsOf("${a}${b}${c}${d}", "abcdef", {}), "many");
});

fit("are found again, whatever was filled in", async () => {
  const name = fc.stringMatching(/^[A-Z_.$]{1,6}$/);
  await fc.assert(
    fc.property(
      name,
      name,
      name,
      fc.constantFrom("", ".", "_", "-"),
      (databaseName, schemaName, tableName, between) => {
        const template = `\${databaseName}${between}\${schemaName}${between}\${tableName}`;
        const [schema, table] = [legalInTopic(schemaName), legalInTopic(tableName)];
        const topic = legalInTopic([databaseName, schemaName, tableName].join(between));
        const fits = fitsOf(template, topic, { databaseName });
        assert.ok(fits !== "many" && fits.some((one) => one["schemaName"] === schema && one["tableName"] === table));
      },
    ),
  );
});

fit.run();
