import { suite } from "uvu";
import * as assert from "uvu/assert";
import { foldJournal } from "../journal/fold-records.ts";
import { atOffsets, type RecordParts, SERVER } from "../journal/testing/build-journal.ts";
import { inPlace } from "../ports/testing/records-in-place.ts";
import { printXid } from "../values/xid.ts";
import { journaledParts } from "./inspect.ts";

const parts = suite("open transactions in the journal");

function partsOf(...records: readonly RecordParts[]) {
  const fold = foldJournal({ server: SERVER, form: "either", resume: undefined });
  fold.take(inPlace(atOffsets(records)));
  return journaledParts(fold.folded().chunks);
}
const span = (first_scn: number, last_scn: number) => ({ first_scn, last_scn, first_captured_scn: first_scn });

parts("the chunks of a transaction are one, from its start on", () => {
  const [one, ...more] = partsOf(
    { key: { chunk: 1 }, value: { ...span(120, 130), events: 7, client_id: "batch-7" } },
    { value: { ...span(100, 110), first_captured_scn: 104, start_scn: 98, start_ssn: 0, events: 5, username: null } },
  );
  assert.equal(more, []);
  assert.is(printXid(one?.xid ?? { container: 0n, usn: 0n, slot: 0n, sqn: 0n }), "3:4.9.771");
  assert.equal([one?.chunks, one?.changes, one?.firstScn, one?.clientId, one?.user], [2, 12n, 98n, "batch-7", "APP"]);
  for (const scn of [98n, 100n, 104n]) assert.ok(one?.begins.includes(scn));
});

parts("a chunk that was written again after a restart counts once, as it was written last", () => {
  const [one] = partsOf(
    { key: { generation: 7 }, value: { ...span(100, 110), events: 5 } },
    { key: { generation: 8 }, value: { ...span(100, 140), events: 9 } },
  );
  assert.equal([one?.chunks, one?.changes], [1, 9n]);
});

parts("ended transactions, and those of another connector, are not included", () => {
  assert.equal(
    partsOf({ key: { xid: "1.1.1" } }, { key: { xid: "1.1.1" }, value: null }, { key: { server: "billing" } }),
    [],
  );
});

parts.run();
