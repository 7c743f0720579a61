/** Who stopped a connector, when and why: on another machine, with brokers down, and by a record that is hostile. */
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { decodeConnectorStop, encodeConnectorStop } from "../../../core/change/watching/connector-stop.ts";
import { decodeOffsetsSet, decodeStop } from "../../../core/facts/ops/ops-event.ts";
import { CONNECTOR, PREFIX } from "../../../providers/sandbox/sandbox.ts";
import { schemaTester } from "../../views/testing/schema.ts";
import { inSandboxOf } from "../testing/in-sandbox.ts";
import { runApart } from "../testing/run-apart.ts";

const stopping = suite("who stopped a connector");
const inSandbox = inSandboxOf(stopping);

const IN = ["--context", "sandbox"];
const WHY = ["--reason", "storage is moved", "--ticket", "CHG-4711"];
const flat = (text: string) => text.replaceAll(/\s+/g, " ");
const TOLD = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ by ben \(self-asserted\), ticket CHG-4711: storage is moved/;

/** Runs a command as Ben, on another machine. */
function asBen(folder: string, ...words: readonly string[]) {
  return runApart(words, {
    CDCCTL_OPERATOR: "ben",
    CDCCTL_STATE: join(folder, "elsewhere"),
    CDCCTL_CONTEXTS: join(folder, "contexts.yaml"),
    HOME: folder,
  });
}

inSandbox("is shown by connectors show and by status, from another machine", {}, async (_sandbox, cdcctl, folder) => {
  const stopped = await asBen(folder, "connectors", "stop", CONNECTOR, ...IN, ...WHY);
  assert.is(stopped.exit, 0, stopped.output);
  assert.not.match(stopped.stderr, "warning");
  const show = await cdcctl("connectors", "show", CONNECTOR, ...IN);
  assert.match(flat(show.stdout), new RegExp(`Stopped ${TOLD.source}`));
  const json = await cdcctl("connectors", "show", CONNECTOR, ...IN, "--format", "json");
  schemaTester("connectors.schema.json")(json.stdout);
  assert.is(JSON.parse(json.stdout).connectors[0].stopped.operator, "ben");
  const status = await cdcctl("status", ...IN);
  assert.is(status.exit, 0, "it is no change, and nothing is in flight");
  assert.match(flat(status.stdout), new RegExp(`${CONNECTOR}: stopped ${TOLD.source}`));
  const listed = await cdcctl("status", ...IN, "--format", "json");
  schemaTester("run.schema.json")(listed.stdout);
  assert.is(JSON.parse(listed.stdout).stopped[0].ticket, "CHG-4711");
  const own = await asBen(folder, "status", ...IN);
  assert.match(flat(own.stdout), new RegExp(`${CONNECTOR}: stopped ${TOLD.source}`));
});

inSandbox(
  "is no change: the last change stays what it was, and nothing hinders the next",
  {},
  async (_s, cdcctl, folder) => {
    assert.is((await asBen(folder, "connectors", "stop", CONNECTOR, ...IN, ...WHY)).exit, 0);
    const json = await cdcctl("connectors", "show", CONNECTOR, ...IN, "--format", "json");
    assert.is(JSON.parse(json.stdout).connectors[0].last_change, undefined);
    const judged = await cdcctl("status", ...IN, "--fail-on", "undone,in-flight");
    assert.is(judged.exit, 0, judged.output);
    const resumed = await cdcctl("connectors", "resume", CONNECTOR, ...IN);
    assert.is(resumed.exit, 0, resumed.output);
    const show = await cdcctl("connectors", "show", CONNECTOR, ...IN);
    assert.not.match(show.stdout, "ben", "it runs again");
  },
);

inSandbox("is kept in the journal as connectors stop, with reason and ticket", {}, async (_sandbox, cdcctl) => {
  assert.is((await cdcctl("connectors", "stop", CONNECTOR, ...IN, ...WHY)).exit, 0);
  const json = await cdcctl("history", "--format", "json");
  schemaTester("run.schema.json")(json.stdout);
  const [{ subject }] = JSON.parse(json.stdout).runs;
  assert.is(subject.command, "connectors stop");
  assert.is(subject.ticket, "CHG-4711");
  assert.match((await cdcctl("history", "--ticket", "CHG-4711")).stdout, "storage is moved");
});

inSandbox("is not recorded while the brokers are down: it stops, and says so", {}, async (sandbox, cdcctl) => {
  sandbox.failBroker(() => "disconnect-before");
  const seen = await cdcctl("connectors", "stop", CONNECTOR, ...IN, ...WHY);
  assert.is(seen.exit, 0, seen.output);
  assert.match(flat(seen.stderr), "orders-cdc is stopped, but other machines cannot see who stopped it and why: ");
  sandbox.failBroker(undefined);
  const show = await cdcctl("connectors", "show", CONNECTOR, ...IN);
  assert.match(show.stdout, "STOPPED");
  assert.not.match(show.stdout, "storage is moved");
});

inSandbox(
  "is not written as JSON into a topic of another format, and that is said",
  { config: { "value.converter": "io.confluent.connect.avro.AvroConverter" } },
  async (_sandbox, _cdcctl, folder) => {
    const seen = await asBen(folder, "connectors", "stop", CONNECTOR, ...IN, ...WHY);
    assert.is(seen.exit, 0, seen.output);
    assert.match(flat(seen.stderr), "cannot see who stopped it and why: its value.converter is not JSON");
  },
);

inSandbox(
  "is shown in one line, whatever its operator, reason and ticket are",
  {},
  async (_sandbox, cdcctl, folder) => {
    const hostile = "ben\u001b[2J\n::error::x\n##vso[task.complete]\u202e";
    const stopped = await runApart(
      [
        "connectors",
        "stop",
        CONNECTOR,
        ...IN,
        "--reason",
        hostile,
        "--ticket",
        hostile,
        "--state",
        join(folder, "elsewhere"),
      ],
      { CDCCTL_OPERATOR: hostile, CDCCTL_CONTEXTS: join(folder, "contexts.yaml"), HOME: folder },
    );
    assert.is(stopped.exit, 0, stopped.output);
    for (const command of [["connectors", "show", CONNECTOR], ["status"], ["history", "--ops"]])
      for (const format of ["text", "markdown"]) {
        const { output } = await cdcctl(...command, ...IN, "--format", format);
        for (const character of ["\u001b", "\u202e"]) assert.not.ok(output.includes(character), command.join(" "));
        assert.not.match(output, /^\s*(?:::error|##vso)/m, command.join(" "));
      }
    assert.match((await cdcctl("status", ...IN)).stdout, `${CONNECTOR}: stopped `);
  },
);

const STOP = { at: "2026-11-21T05:27:48Z", connector: CONNECTOR, operator: "ben", reason: "x" };
const same = (text: string) => text;

stopping("is an event that readers of changes and of failed tasks skip", () => {
  for (const format of ["json", "json_schemas"] as const) {
    const { value } = encodeConnectorStop(STOP, PREFIX, format);
    assert.is(decodeOffsetsSet(value, same), undefined);
    assert.is(decodeStop(value, same), undefined);
    assert.equal(decodeConnectorStop(value, same), STOP);
  }
});

stopping("is read from a hostile record without harm", () => {
  const read = (details: unknown) =>
    decodeConnectorStop(new TextEncoder().encode(JSON.stringify({ type: "connector-stopped", details })), same);
  assert.is(read({}), undefined);
  assert.is(read({ connector: 5 }), undefined);
  assert.is(read([]), undefined);
  assert.is(read(null), undefined);
  assert.equal(read({ connector: "a", operator: {}, reason: 7, ticket: [], run: "../../x" }), {
    at: "1970-01-01T00:00:00Z",
    connector: "a",
    operator: "",
    reason: "",
  });
});

stopping.run();
