import { isOfFlags, type MigrationIntent, type OffsetChangeIntent } from "../document/intent.ts";
import { type ManagedConnector, type Manager, managerOf } from "../facts/connector/manager.ts";
import type { Advice, Remedy } from "../values/remedy.ts";
import { curlLine, shellLine, shellOption, workersFlag } from "../values/shell-word.ts";
import { type Check, fail, pass } from "./check.ts";

type Connector = ManagedConnector & { readonly name: string };

interface ConnectorChange {
  readonly changesOffset: boolean;
  readonly facts: { readonly connector: Connector };
}

interface PhaseChange {
  readonly facts: {
    readonly worker: { readonly url: string };
    readonly legacy?: Connector | undefined;
    readonly next?: Connector | undefined;
  };
}

/**
 * cdcctl can't keep a change to a connector that an operator reconciles: a state or a connector that was changed over
 * REST is reverted. Over REST only the workers' names and references reveal an operator, and nothing shows which
 * connectors it manages.
 *
 * Rule: reference: connectors managed by an operator, "What happens today when cdcctl works over REST under Strimzi".
 */
const MANAGED = {
  code: "CON308",
  title: "A Kubernetes operator may manage the connector",
  problem:
    "It reverts changes made over REST: a stopped connector is resumed within two minutes, a new one without a " +
    "resource is deleted, a deleted one is created again. A cutover, its rollback and a retirement are refused.",
  remedy: "Pause the operator's reconciliation of the connector first, or make the change in its resource.",
  grade: "acceptable",
} as const;

/** Concerns an offset change, or a resnapshot that moves the offset. */
export const managedByOperator: Check<Pick<OffsetChangeIntent, "resume" | "origin">, ConnectorChange> = {
  ...MANAGED,

  run({ resume, origin }, { changesOffset, facts: { connector } }) {
    const manager = managerOf([connector]);
    if (!changesOffset || manager === undefined) return pass;
    return fail(`${managedSentence(manager)}; ${ifManaged(manager)}, ${moveUndone(manager, connector.name, resume)}`, {
      remedies: beforeAMove(manager, connector.name, resume, !isOfFlags(origin)),
      afterwards: afterwards(manager, connector.name),
    });
  },
};

/** What the operator does to a phase carried out over REST. */
interface Undone {
  readonly undone: (manager: Manager["is"], names: Names) => string;
  /** How to do the same with Strimzi's resources. */
  readonly instead: (manager: Manager, names: Names, url: string) => readonly Advice[];
  /** The connector whose resource has to be blocked, for Confluent's operator. */
  readonly blocked: keyof Names;
}

interface Names {
  readonly legacy: string;
  readonly next: string;
}

function phaseUndone({ undone, instead, blocked }: Undone): Check<Pick<MigrationIntent, "from" | "to">, PhaseChange> {
  return {
    ...MANAGED,

    run({ from, to }, { facts: { legacy, next, worker } }) {
      const manager = managerOf([legacy ?? [], next ?? []].flat());
      if (manager === undefined) return pass;
      const names = { legacy: from.connector, next: to.name };
      return fail(`${managedSentence(manager)}; ${ifManaged(manager)}, ${undone(manager.is, names)}`, {
        remedies: [
          ...(manager.is === "Strimzi"
            ? [look(manager), ...instead(manager, names, worker.url)]
            : ofConfluent(manager, names[blocked])),
          ...(manager.certain ? [] : [accept("If it manages none of them")]),
        ],
        ...(manager.is === "Strimzi" ? {} : { afterwards: afterwards(manager, names[blocked]) }),
        ...(manager.certain ? { grade: "refusal" } : {}),
      });
    },
  };
}

export const cutoverUndone = phaseUndone({
  blocked: "next",
  undone: (is, { legacy, next }) =>
    `${is} resumes ${legacy} and deletes ${next}, which has no resource, within two minutes`,
  instead: (manager, { legacy, next }, url) => [
    {
      text: "Work out the new configuration",
      command: translation(legacy, next, url),
    },
    stateOf(manager, legacy, "stopped", "Stop the legacy connector in its resource"),
    {
      text: "Work out where the new connector starts",
      command: takeover(legacy, next, url),
    },
    {
      text: `Create ${next} as a KafkaConnector with that configuration`,
      command: kubectl(manager, "apply", "-f", `${next}.yaml`),
      note: `label strimzi.io/cluster: ${manager.cluster?.name ?? "its KafkaConnect"}`,
    },
  ],
});

export const returnUndone = phaseUndone({
  blocked: "next",
  undone: (is, { legacy, next }) =>
    `${is} creates ${next} again within two minutes of its deletion, and reverts ${legacy} to the state in its ` +
    "resource",
  instead: (manager, { legacy, next }, url) => [
    stateOf(manager, next, "stopped", "Stop the new connector in its resource"),
    {
      text: "Delete its stored offsets",
      command: curlLine("DELETE", url, next, "/offsets"),
    },
    {
      text: "Delete it",
      command: kubectl(manager, "delete", "kafkaconnector", next),
    },
    stateOf(manager, legacy, "running", "Resume the legacy connector"),
  ],
});

const deletionUndone = phaseUndone({
  blocked: "legacy",
  undone: (is, { legacy }) =>
    `${is} creates ${legacy} again within two minutes of its deletion, and it continues from the offsets that ` +
    "are left",
  instead: (manager, { legacy }) => [
    {
      text: "Delete the legacy connector by its resource; then delete the topics that this plan lists",
      command: kubectl(manager, "delete", "kafkaconnector", legacy),
    },
  ],
});

/** A retirement without the legacy connector deletes nothing that would be created again. */
export const retirementUndone: typeof deletionUndone = {
  ...deletionUndone,
  run: (intent, reading) => (reading.facts.legacy === undefined ? pass : deletionUndone.run(intent, reading)),
};

// ---- What would happen ----------------------------------------------------------------------------------------------

function managedSentence({ is, cluster, by, certain }: Manager): string {
  const of = cluster === undefined ? "" : `, Connect cluster ${cluster.name} in namespace ${cluster.namespace}`;
  return certain ? `${is} runs these workers${of} (${by})` : `${is} may run these workers${of} (${by})`;
}

/** The operator leaves connectors without a resource alone, and REST does not show which those are. */
function ifManaged({ is }: Manager): string {
  return is === "Strimzi"
    ? "if connectors are KafkaConnector resources there"
    : "if connectors are Connector resources";
}

function moveUndone({ is }: Manager, name: string, resume: boolean): string {
  return resume
    ? `${is} may resume ${name} between the stop and the patch, and apply then fails with APL804, without changes`
    : `${is} resumes ${name} within two minutes, from the new offset, although the plan keeps it stopped`;
}

// ---- What to do -----------------------------------------------------------------------------------------------------

/** @param byFile whether a plan file can accept the code */
function beforeAMove(manager: Manager, name: string, resume: boolean, byFile: boolean): readonly Advice[] {
  const accepted = byFile ? [accept("Then, or if it manages none of them")] : [];
  if (manager.is !== "Strimzi") return [...ofConfluent(manager, name), ...accepted];
  return [
    look(manager),
    {
      text: "Pause reconciliation of the connector",
      command: kubectl(manager, "annotate", "kafkaconnector", name, "strimzi.io/pause-reconciliation=true"),
    },
    {
      text: "Wait until it is paused",
      command: kubectl(
        manager,
        "wait",
        `kafkaconnector/${name}`,
        "--for=condition=ReconciliationPaused",
        "--timeout=150s",
      ),
    },
    ...(resume ? [] : [stateOf(manager, name, "stopped", "To keep it stopped afterwards")]),
    ...accepted,
    {
      text: "After the run, turn reconciliation on again",
      command: reconciling(manager, name),
    },
  ];
}

/** The command that ends the pause of reconciliation. */
function reconciling(manager: Manager, name: string): string {
  return manager.is === "Strimzi"
    ? kubectl(manager, "annotate", "kafkaconnector", name, "strimzi.io/pause-reconciliation-")
    : kubectl(manager, "annotate", CONFLUENT_RESOURCE, name, "platform.confluent.io/block-reconcile-");
}

function afterwards(manager: Manager, name: string): string {
  return `${reconciling(manager, name)}     # so that ${manager.is} manages it again`;
}

const CONFLUENT_RESOURCE = "connectors.platform.confluent.io";

/**
 * Its resource may give the connector another name (`spec.name`), so the list comes first.
 *
 * Rule: Confluent for Kubernetes documentation, "Manage connectors", and its annotation
 * `platform.confluent.io/block-reconcile`.
 */
function ofConfluent(manager: Manager, name: string): readonly Advice[] {
  return [
    {
      text: "List the connectors that are resources",
      command: kubectl(manager, "get", CONFLUENT_RESOURCE),
    },
    {
      text: "Block reconciliation of this one",
      command: kubectl(manager, "annotate", CONFLUENT_RESOURCE, name, "platform.confluent.io/block-reconcile=true"),
      note: "afterwards the same with platform.confluent.io/block-reconcile-",
    },
  ];
}

function look(manager: Manager): Remedy {
  return {
    text: "List the connectors that are resources",
    command: kubectl(manager, "get", "kafkaconnectors"),
  };
}

function stateOf(manager: Manager, name: string, state: "running" | "stopped", text: string): Remedy {
  const patch = `{"spec":{"state":"${state}"}}`;
  return {
    text,
    command: kubectl(manager, "patch", "kafkaconnector", name, "--type=merge", "-p", patch),
  };
}

function accept(text: string): Remedy {
  return { text, setting: "spec.accept: [CON308]" };
}

/** Builds a kubectl command. With an unknown namespace it lists all of them, and leaves a placeholder elsewhere. */
function kubectl({ cluster }: Manager, verb: string, ...words: readonly string[]): string {
  if (cluster !== undefined) return shellLine("kubectl", "-n", cluster.namespace, verb, ...words);
  return verb === "get"
    ? shellLine("kubectl", verb, ...words, "--all-namespaces")
    : shellLine("kubectl", "-n", "NAMESPACE", verb, ...words);
}

function translation(legacy: string, next: string, url: string): string {
  const output = `${next}.json`;
  return (
    `${curlLine("GET", url, legacy)} | ` +
    `cdcctl migrate translate --input - ${shellOption("--name", next)} ${shellOption("--output", output)}`
  );
}

function takeover(legacy: string, next: string, url: string): string {
  const files = [shellOption("--target-config", `${next}.json`), shellOption("--output", `${next}-takeover.json`)];
  const from = `${workersFlag({ connectUrl: url })} ${shellOption("--connector", legacy)}`;
  return `cdcctl migrate takeover ${from} ${files.join(" ")}`;
}
