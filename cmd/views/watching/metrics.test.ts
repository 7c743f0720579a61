import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Observed } from "../../../core/facts/observed.ts";
import type { RecordedChange } from "../../../core/facts/ops/ops-event.ts";
import { nothingKnown, type Watched, type Watching } from "../../../core/watching/conditions.ts";
import type { RecordedEvent } from "../../../schemas/generated/facts.ts";
import { ROOT } from "../../dev/bundle.ts";
import { metricsText } from "./metrics.ts";

const AT = "2026-11-21T05:27:48Z";
const known = <T>(value: T): Observed<T> => ({ known: true, value, source: "test", at: AT });

const event: RecordedEvent = {
  at: AT,
  server: "orders",
  details: {
    connector: "orders-cdc",
    command: "offsets set",
    reason: "replay",
    operator: "ben",
    previous_resume_scn: "2044511",
    new_resume_scn: "2010000",
    outcome: "applied",
    run: "2026-11-21T05-27-48Z-7f3a",
  },
  record: { partition: 0n, offset: 1n, time: AT, stampedBy: "producer" },
};

const CHANGE: RecordedChange<RecordedEvent> = { event, latest: event, outcome: "applied" };

/** A connector of which everything is known and in order. */
function watched(facts: Partial<Watched> = {}): Watched {
  return {
    connector: "orders-cdc",
    context: "prod",
    undone: known(undefined),
    inFlight: known(undefined),
    change: known(CHANGE),
    resumeScn: known(18_446_744_073_709_551_615n),
    lag: known(49_500),
    redo: known({ millis: 86_400_000, isLeast: false }),
    ...facts,
  };
}

/** Names that end a label, a line or a comment, if they are not escaped. */
const HOSTILE = ['a"} 1\n# HELP x', "back\\slash\\", "tab\tand \u0000 and \u001b[2J", "öß 表", "{a,b}=", ""];

/** One connector in order, one of which nothing is known, an unsettled run elsewhere, and hostile names. */
const EXAMPLE: Watching = {
  unsettled: [
    { connector: "orders-cdc", context: "prod", what: "run a is not settled" },
    { connector: "gone-cdc", context: "prod", what: "run b is not settled" },
    { connector: undefined, context: undefined, what: "/state/x cannot be read" },
  ],
  connectors: [
    watched(),
    { connector: "lost-cdc", context: "prod", ...nothingKnown({ known: false, why: "refused", source: "workers" }) },
    ...HOSTILE.map((name) => watched({ connector: name, context: name })),
  ],
};

const metrics = suite("metrics of what is watched");

const EXAMPLES = join(ROOT, "examples/monitoring");
const FORM = /^[a-z_]+\{[a-z]+="(?:[^"\\\n]|\\["\\n])*"(?:,[a-z]+="(?:[^"\\\n]|\\["\\n])*")*\} \d+(?:\.\d+)?$/;

metrics("each line is a comment or a sample without a timestamp, whatever a connector is called", () => {
  const lines = metricsText(EXAMPLE).split("\n");
  assert.is(lines.pop(), "", "the last line ends as well");
  for (const line of lines)
    assert.match(line, line.startsWith("# ") ? /^# (?:HELP cdcctl_\w+ \S|TYPE cdcctl_\w+ gauge$)/ : FORM);
  const samples = lines.filter((line) => !line.startsWith("#")).map((line) => line.replace(/ \S+$/, ""));
  assert.is(new Set(samples).size, samples.length, "no series is there twice");
  assert.is(samples.filter((one) => one.startsWith("cdcctl_lag_seconds")).length, 1 + HOSTILE.length);
});

metrics("a fact that could not be read is a failed read, and has no value", () => {
  const text = metricsText(EXAMPLE);
  assert.not.match(text, 'cdcctl_lag_seconds{connector="lost-cdc"');
  for (const fact of ["undone", "in-flight", "last-change", "resume-scn", "lag", "redo-retention"]) {
    assert.match(text, `cdcctl_read_failed{connector="lost-cdc",context="prod",fact="${fact}"} 1\n`);
    assert.match(text, `cdcctl_read_failed{connector="orders-cdc",context="prod",fact="${fact}"} 0\n`);
  }
});

metrics("values are exact: SCNs with every digit, times in seconds", () => {
  const text = metricsText(EXAMPLE);
  const of = '{connector="orders-cdc",context="prod"}';
  assert.match(text, `cdcctl_resume_scn${of} 18446744073709551615\n`);
  assert.match(text, `cdcctl_lag_seconds${of} 49.5\n`);
  assert.match(text, `cdcctl_redo_retention_left_seconds${of} 86400\n`);
  assert.match(
    text,
    'cdcctl_last_change_timestamp_seconds{connector="orders-cdc",context="prod",outcome="applied"} 1795238868\n',
  );
  assert.match(text, `cdcctl_unsettled_runs${of} 1\n`);
  assert.match(text, 'cdcctl_unsettled_runs{connector="gone-cdc",context="prod"} 1\n');
  assert.match(text, 'cdcctl_unsettled_runs{connector="",context=""} 1\n');
});

metrics("a connector without any change has no last one, and its read has not failed", () => {
  const text = metricsText({ unsettled: [], connectors: [watched({ change: known(undefined) })] });
  assert.not.match(text, "cdcctl_last_change_timestamp_seconds{");
  assert.match(text, 'fact="last-change"} 0\n');
});

metrics("rules and dashboard use only metrics that are written", () => {
  const written = new Set([...metricsText(EXAMPLE).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  for (const file of readdirSync(EXAMPLES).filter((name) => /^(?:alerts|dashboard)\./.test(name)))
    for (const [name] of readFileSync(join(EXAMPLES, file), "utf8").matchAll(/\bcdcctl_\w+/g))
      assert.ok(written.has(name), `${file}: ${name}`);
});

metrics("the dashboard is JSON in which every panel asks for something", () => {
  const { panels } = JSON.parse(readFileSync(join(EXAMPLES, "dashboard.json"), "utf8")) as {
    readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
  };
  assert.is(new Set(panels.map(({ title }) => title)).size, 8);
  for (const { title, targets } of panels) assert.match(targets[0]?.expr ?? "", "cdcctl_", title);
});

metrics("each alert names a command, and a story of the night guide", () => {
  const guide = readFileSync(join(ROOT, "docs/three-in-the-morning.md"), "utf8");
  const anchors = [...guide.matchAll(/^## (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, "")
      .replaceAll(" ", "-"),
  );
  const alerts = readFileSync(join(EXAMPLES, "alerts.yaml"), "utf8").split("- alert: ").slice(1);
  assert.is(alerts.length, 6);
  for (const alert of alerts) {
    const [, command = ""] = /\n +command: (cdcctl [a-z]+(?: [a-z]+)?)/.exec(alert) ?? [];
    const [, story = ""] = /story: docs\/three-in-the-morning\.md#(\S+)/.exec(alert) ?? [];
    assert.ok(anchors.includes(story), `${story} is not in the night guide`);
    const text = guide.split(/^## /m)[anchors.indexOf(story) + 1] ?? "";
    assert.ok(text.includes(command) && command !== "", `${command} is not in the story ${story}`);
  }
});

metrics.run();
