import { suite } from "uvu";
import * as assert from "uvu/assert";
import { phaseOf } from "../../apply/testing/migration-world.ts";
import { UsageError } from "../../errors.ts";
import { type EvidenceFacts, evidenceOf, printEvidence } from "../../verification/evidence/evidence.ts";
import type { Sources } from "../kind.ts";
import { evidenceFile } from "./evidence.ts";

const evidence = suite("the evidence file that a plan file names");

const AT = "2026-11-21T09:14:02Z";
const UNREACHABLE = { is: "unreachable", code: "ORA-01555", message: "ORA-01555: snapshot too old" } as const;

function documentOf(inputs: EvidenceFacts["inputs"] = { connector: "orders-cdc" }) {
  return evidenceOf({
    writtenAt: AT,
    cdcctl: "test",
    inputs,
    checkScn: 100n,
    resumeScn: 101n,
    tables: [
      {
        table: "SALES.ORDERS",
        newTopic: "orders.SALES.ORDERS",
        legacyTopic: "ORCL.SALES.ORDERS",
        shape: undefined,
        leftOut: [{ column: "NOTE", why: "lob-skipped" }],
        remarks: [],
        found: UNREACHABLE,
      },
    ],
    values: false,
  });
}

/** @param read how it is read */
const fileOf = (read: Sources["evidence"]) =>
  evidenceFile(
    "orders-to-cdc.evidence.json",
    phaseOf("retire", { origin: { by: "plan file", file: "/plans/retire.yaml", lines: {} } }),
    { evidence: read } as Sources,
    AT,
  );
const whyOf = async (read: Sources["evidence"]) => {
  const seen = await fileOf(read);
  return seen.known ? "known" : [seen.why, seen.source];
};

const FILE = "orders-to-cdc.evidence.json";

evidence("contains each table's result, passed or not, and the columns left out", async () => {
  const document = documentOf();
  assert.equal(await fileOf(async () => printEvidence(document)), {
    known: true,
    source: FILE,
    at: AT,
    value: {
      file: FILE,
      digest: document.digest,
      connector: "orders-cdc",
      writtenAt: document.writtenAt,
      counts: { rows: 0n, compared: 0n, byLegacy: 0n },
      checkScn: 100n,
      tables: [
        {
          table: "SALES.ORDERS",
          outcome: "inconclusive",
          legacyTopic: "ORCL.SALES.ORDERS",
          byLegacy: 0n,
          leftOut: ["NOTE (a LOB, under cdc.lob.mode=skip)"],
        },
      ],
    },
  });
});

evidence("belongs to no connector if it names none", async () => {
  for (const inputs of [{}, { connector: ["orders-cdc"] }]) {
    const seen = await fileOf(async () => printEvidence(documentOf(inputs)));
    assert.is(seen.known && seen.value.connector, "");
  }
});

evidence(
  "names the database of an audit, and none of a verification, nor of an audit that does not say it",
  async () => {
    for (const [inputs, dbid] of [
      [{ audit: true, dbid: "2914731" }, "2914731"],
      [{ audit: true }, undefined],
      [{ audit: true, dbid: ["2914731"] }, undefined],
      [{ audit: "true", dbid: "2914731" }, undefined],
      [{ dbid: "2914731" }, undefined],
    ] as readonly (readonly [EvidenceFacts["inputs"], string | undefined])[]) {
      const seen = await fileOf(async () => printEvidence(documentOf(inputs)));
      assert.is(seen.known && seen.value.auditedDbid, dbid);
    }
  },
);

evidence("is read from the plan file's own folder", async () => {
  assert.equal(
    await whyOf((path, planFile) => {
      throw new UsageError(`${path} beside ${planFile}`);
    }),
    [`${FILE} beside /plans/retire.yaml`, FILE],
  );
});

evidence("is unknown if it is inconsistent, with its first problems", async () => {
  const changed = printEvidence(documentOf())
    .replace('"checkScn":100', '"checkScn":200')
    .replace('"outcome":"inconclusive"', '"outcome":"pass"')
    .replace(/SALES.ORDERS"/, 'SALES.X"');
  for (const [text, why] of [
    ["", `${FILE}: it is not JSON: JSON value expected but reached end of input at position 0`],
    [
      changed,
      `${FILE}: its digest does not match: it was changed after it was written; the digest of its findings does not ` +
        "match; position: passed is true, but with the resume SCN 101 and the check SCN 200",
    ],
  ] as const)
    assert.equal(await whyOf(async () => text), [why, FILE]);
});

evidence("is not read as missing if reading it failed for any other reason", async () => {
  const defect = new TypeError("a defect");
  assert.is(await fileOf(() => Promise.reject(defect)).catch((error: unknown) => error), defect);
});

evidence.run();
