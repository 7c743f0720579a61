import { contexts, planFile } from "../../../providers/sandbox/scenario.ts";
import { scenarioNamed } from "../../../providers/sandbox/scenarios.ts";
import { steady, type TranscriptWorld } from "../steady.ts";

const POLICIES = {
  ticket: `title: A change names its ticket
deny: '!has(plan.intent.metadata.ticket) || !plan.intent.metadata.ticket.matches("^CHG-[0-9]+$")'
message: Write metadata.ticket, such as CHG-1234.
`,
  recent: `title: A plan is at most 5 s old when it is applied
deny: now - timestamp(plan.plannedAt) > duration("5s")
message: Plan again.
`,
  asksTooMuch: `title: A plan has what no plan has
deny: plan.figures.nothing > 1
message: It is never said.
`,
  neverEnds: `title: It tries every way to split a text
warn: '("${"a".repeat(40)}" + "!").matches("^(a+)+$")'
message: It is never said.
`,
};

/** A context with policies, and a plan file that names no ticket. */
export const WITH_POLICIES: TranscriptWorld = {
  ...steady(scenarioNamed("orders")),
  files: (sandbox) => ({
    "contexts.yaml": contexts(sandbox).replace("    connect:", "    policies: [policies]\n    connect:"),
    "orders-replay.yaml": planFile("orders-replay", "replay after the bad deploy", "scn: 2010000"),
    "orders-back.yaml": planFile("orders-back", "replay more of it", "scn: 2008000"),
    "no-ticket.yaml": planFile("orders-replay", "replay after the bad deploy", "scn: 2010000").replace(
      / {2}ticket: .*\n/,
      "",
    ),
    "by-url.yaml": planFile("orders-replay", "replay after the bad deploy", "scn: 2010000")
      .replace(/ {2}ticket: .*\n/, "")
      .replace("context: sandbox", `connectUrl: ${sandbox.connect.url}`),
    "policies/ticket-required.yaml": POLICIES.ticket,
    "recent/five-seconds.yaml": POLICIES.recent,
    "broken/asks-too-much.yaml": POLICIES.asksTooMuch,
    "broken/never-ends.yaml": POLICIES.neverEnds,
  }),
};
