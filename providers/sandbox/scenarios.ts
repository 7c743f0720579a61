import { nearest } from "../../core/document/nearest.ts";
import { UsageError } from "../../core/errors.ts";
import { CONNECTOR, type Sandbox, type SandboxOptions } from "./sandbox.ts";

/** A world to try cdcctl on: what is peculiar about it, the files that point at it, the commands to run. */
export interface Scenario {
  readonly name: string;
  /** One line. */
  readonly about: string;
  readonly options: SandboxOptions;
  files(sandbox: Sandbox): Readonly<Record<string, string>>;
  readonly tries: readonly string[];
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "orders",
    about: "A healthy connector that has mined everything; replay some of it.",
    options: {},
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "orders-replay.yaml": planFile("orders-replay", "replay after the bad deploy", "scn: 2010000", "resume: true"),
      "skip-ahead.yaml": planFile("skip-ahead", "the backlog is not wanted", "scn: 2044900"),
      "earliest.yaml": planFile("earliest", "replay everything that is left", "earliestAvailable: true"),
    }),
    tries: [
      "cdcctl plan orders-replay.yaml        # what would change",
      "cdcctl apply orders-replay.yaml       # asks, then does it",
      "cdcctl history",
      "cdcctl rollback                       # refused: the connector has run since, and says what can be done",
      "cdcctl plan skip-ahead.yaml           # refused: it would skip commits",
      "cdcctl plan earliest.yaml",
    ],
  },
  {
    name: "stopped",
    about: "A stopped connector: a change can be rolled back exactly.",
    options: { state: "STOPPED" },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "orders-replay.yaml": planFile("orders-replay", "replay after the bad deploy", "scn: 2010000"),
    }),
    tries: ["cdcctl apply orders-replay.yaml", "cdcctl rollback"],
  },
  {
    name: "gap",
    about: "Archived logs 119 and 120 were purged: a target before them can't be mined from.",
    options: {
      oracle: (world) => {
        for (const log of world.archivedLogs.filter(({ sequence }) => sequence === 119n || sequence === 120n)) {
          log.deleted = true;
          log.status = "D";
          if (log.name !== null) world.files.delete(log.name);
          log.name = null;
        }
        world.onlineLogs = world.onlineLogs.filter(({ sequence }) => sequence !== 120n);
      },
    },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "orders-replay.yaml": planFile("orders-replay", "replay after the bad deploy", "scn: 2005000"),
      "earliest.yaml": planFile("earliest", "replay everything that is left", "earliestAvailable: true"),
    }),
    tries: [
      "cdcctl plan orders-replay.yaml        # refused: names the RMAN command and the nearest SCN that works",
      "cdcctl plan earliest.yaml",
    ],
  },
  {
    name: "torn",
    about: "A transaction is open: a move past its beginning would tear it.",
    options: {
      oracle: (world) => {
        world.transactions.push({
          instance: 1n,
          container: 3n,
          usn: 9n,
          slot: 4n,
          sequence: 1207n,
          startScn: 2_044_600n,
          startTime: world.scnTimes.timeOf(2_044_600n),
          user: "BATCH",
          clientId: "nightly-load",
        });
      },
    },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "skip-ahead.yaml": planFile("skip-ahead", "the backlog is not wanted", "scn: 2044900", "allowSkip: true"),
      "skip-ahead-accepted.yaml": planFile(
        "skip-ahead",
        "the backlog is not wanted",
        "scn: 2044900",
        "allowSkip: true",
        "accept: [TRX501]",
      ),
    }),
    tries: ["cdcctl plan skip-ahead.yaml            # blocked", "cdcctl plan skip-ahead-accepted.yaml"],
  },
  {
    name: "no-offset",
    about: "Nothing is stored yet: the first offset is written.",
    options: { offset: null, state: "STOPPED" },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "first.yaml": planFile("first", "start from the export's SCN", "scn: 2030000"),
    }),
    tries: ["cdcctl plan first.yaml", "cdcctl apply first.yaml"],
  },
  {
    name: "hung-task",
    about: "The task hangs while it stops and commits its old offset later, which undoes a change.",
    options: { connect: { hang: 12_000, graceful: 5000 } },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "orders-replay.yaml": planFile("orders-replay", "replay after the bad deploy", "scn: 2010000", "resume: true"),
    }),
    tries: ["cdcctl apply orders-replay.yaml --settle 10s   # waits until the offset stays the same"],
  },
];

/** @throws UsageError naming the scenarios */
export function scenarioNamed(name: string): Scenario {
  const scenario = SCENARIOS.find((one) => one.name === name);
  if (scenario !== undefined) return scenario;
  const names = SCENARIOS.map((one) => one.name);
  const meant = nearest(name, names);
  throw new UsageError(
    `there is no scenario ${name.slice(0, 40)}`,
    `${meant === undefined ? "" : `Did you mean ${meant}? `}There are: ${names.join(", ")}.`,
  );
}

export function contexts({ connect }: Sandbox): string {
  return `# The loopback world of \`cdcctl sandbox\`.
apiVersion: cdcctl/v1
kind: Contexts
contexts:
  sandbox:
    connect:
      url: ${connect.url}
`;
}

export function planFile(name: string, reason: string, position: string, ...more: readonly string[]): string {
  return `apiVersion: cdcctl/v1
kind: OffsetChange
metadata:
  name: ${name}
  reason: ${reason}
  ticket: CHG-4711
target:
  context: sandbox
  connector: ${CONNECTOR}
spec:
  ${[position, ...more].join("\n  ")}
`;
}
