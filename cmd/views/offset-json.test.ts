import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parseJson, printJson } from "../../core/values/json.ts";
import { offsetsDocument } from "./offset.ts";
import { schemaTester } from "./testing/schema.ts";

const offsets = suite("stored offsets as JSON");

const partition = { server: "orders" };
const raw = {
  v: 1n,
  resume_scn: 9_223_372_036_854_775_807n,
  resume_rs_id: "0x00002a.00000f1c.0010",
  resume_ssn: 3n,
  last_commit_scn: 2_204_498n,
  last_commit_xid: "1:7.22.1180",
  last_commit_thread: 1n,
  event_index: 14n,
  released_xids: "1:4.9.771,1:5.2.802",
};

offsets("stand raw next to their decoded fields, every SCN exact, as the schema requires", () => {
  const text = printJson(
    offsetsDocument("orders-cdc", [
      {
        entry: { partition, offset: raw },
        times: [{ scn: 2_204_498n, at: "2026-11-20T19:02:11Z" }],
        redo: undefined,
        timeline: undefined,
      },
      { entry: { partition, offset: { v: 9n } }, times: [], redo: undefined, timeline: undefined },
    ]),
  );
  schemaTester("offsets.schema.json")(text);
  const { offsets: listed } = parseJson(text) as unknown as {
    offsets: { raw: unknown; decoded: Record<string, unknown> | null; problem?: { code: string; seen: string } }[];
  };
  assert.equal(listed[0]?.raw, raw);
  assert.is(listed[0]?.decoded?.["resume_scn"], raw.resume_scn);
  assert.equal(listed[0]?.decoded?.["last_commit"], {
    scn: 2_204_498n,
    at: "2026-11-20T19:02:11Z",
    transaction: "1:7.22.1180",
    thread: 1n,
    redo_address: null,
    event_index: 14n,
  });
  assert.equal(listed[0]?.decoded?.["released"], ["1:4.9.771", "1:5.2.802"]);
  assert.is(listed[1]?.decoded, null, "a later version is not guessed");
  assert.is(listed[0]?.problem, undefined);
  assert.is(listed[1]?.problem?.code, "OFF104");
  assert.match(listed[1]?.problem?.seen ?? "", /^CDC-3002: .* version 9/);
});

offsets.run();
