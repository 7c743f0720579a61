import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Observed } from "../../core/facts/observed.ts";
import type { RedoExamination } from "../../core/facts/redo/redo.ts";
import { examine } from "../../core/kinds/connector/reading.ts";
import { facts, STORED } from "../../core/kinds/offset-change/testing/build-facts.ts";
import { REDO, REDO_WITH_GAP, TIMES } from "../../core/plan/testing/build-plan.ts";
import { HOSTILE } from "../../core/plan/testing/hostile.ts";
import type { RedoCatalogue } from "../../schemas/generated/facts.ts";
import { type OffsetView, offsetReport } from "./position.ts";
import { renderTerminal, type TerminalOptions } from "./report/terminal.ts";
import { assertGolden } from "./testing/golden.ts";

const renderOffsetShow = (of: OffsetView, options: TerminalOptions) => renderTerminal(offsetReport(of), options);

const shown = suite("a stored offset as text");

const stored: OffsetView = {
  connector: "orders-cdc",
  entry: { partition: { server: "orders" }, offset: STORED },
  times: TIMES,
  zone: "+01:00",
  redo: undefined,
  timeline: undefined,
};

function seen(catalogue: RedoCatalogue): Observed<RedoExamination> {
  return examine(facts({ catalogue }), 2169287n);
}

shown("its items are on one line each, with their times and the zone", () => {
  assertGolden(renderOffsetShow(stored, { colour: false }), "offset/stored.txt");
});

shown("with the redo checked, the available and the missing redo follow", () => {
  assertGolden(renderOffsetShow({ ...stored, redo: seen(REDO) }, { colour: false }), "offset/redo-there.txt");
  assertGolden(renderOffsetShow({ ...stored, redo: seen(REDO_WITH_GAP) }, { colour: false }), "offset/redo-gap.txt");
  const unseen: Observed<RedoExamination> = {
    known: false,
    why: "ORA-00942 for V$ARCHIVED_LOG",
    remedies: ["GRANT SELECT ON V_$ARCHIVED_LOG TO CDC;"],
    source: "V$ARCHIVED_LOG",
  };
  assertGolden(renderOffsetShow({ ...stored, redo: unseen }, { colour: false }), "offset/redo-unseen.txt");
});

shown("a missing offset is reported", () => {
  assert.is(
    renderOffsetShow({ ...stored, entry: { ...stored.entry, offset: null }, zone: "+00:00" }, { colour: false }),
    'stored offset of orders-cdc, partition {"server":"orders"}\n  none is stored\n',
  );
});

shown("an offset that cannot be decoded is shown field by field, escaped", () => {
  const entry = { partition: { [HOSTILE]: HOSTILE }, offset: { resume_scn: HOSTILE, [HOSTILE]: HOSTILE } };
  const text = renderOffsetShow({ ...stored, connector: HOSTILE, entry, zone: HOSTILE }, { colour: false });
  assert.not.match(text.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  assert.match(text, /resume_scn {11}a\\x1b\[2J/);
});

shown.run();
