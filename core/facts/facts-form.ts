import type { TranslatedProperty, Translation } from "../legacy/translation.ts";
import type { LegacyWrites } from "../legacy/written-topics.ts";
import type { Digest } from "../values/digest.ts";
import {
  anyOf,
  constant,
  dictionary,
  FLAG,
  type FormOf,
  INSTANT,
  JSON_OBJECT,
  JSON_OBJECT_OR_NULL,
  LONG,
  list,
  type MembersOf,
  mayLack,
  NATURAL,
  object,
  TEXT,
  TEXTS,
  word,
} from "../values/form-of.ts";
import type { FormSchema } from "../values/json-form.ts";
import type { Xid } from "../values/xid.ts";
import type { ConnectorStatus, SettingProblem, TaskStatus } from "./connector/connector.ts";
import type {
  ConnectorFacts,
  ConnectorSeen,
  DeployedConnector,
  OffsetChangeFacts,
  TargetSeen,
  WorkerSeen,
} from "./connector-facts.ts";
import type { DatabaseSeen, ScnTime } from "./database/database.ts";
import type { Facts } from "./facts.ts";
import type { FactsFile } from "./facts-file.ts";
import type { LegacyFacts } from "./legacy-facts.ts";
import type {
  ConnectorsFound,
  CutoverFacts,
  CutoverKnown,
  EvidenceKnown,
  MigrationFacts,
  NewSettingsSeen,
  OtherConnector,
  PhaseKnown,
  RetiredKnown,
  RetirementFacts,
  ReturnFacts,
  VerificationFacts,
  VerificationKnown,
} from "./migration-facts.ts";
import type { Observed } from "./observed.ts";
import type { OffsetEntry } from "./offset/stored-offset.ts";
import type { OffsetsSetDetails, OpsHistory, RecordedEvent, RecordInLog } from "./ops/ops-event.ts";
import type { SignalAck } from "./ops/signal.ts";
import type { ConsumerGroupSeen, TimestampRule, TopicSeen } from "./ops/topic.ts";
import type { ArchiveDestination, ArchivedLog, LogProbe, OnlineLog, RedoCatalogue, RedoThread } from "./redo/redo.ts";
import type { ResnapshotFacts } from "./resnapshot-facts.ts";
import type {
  ContainerSeen,
  Dictionary,
  RowScn,
  TableActivity,
  TableModifications,
  TableSeen,
  TableSelection,
} from "./tables/tables.ts";
import type { JournaledTransaction, OpenTransaction, TransactionsSeen } from "./transactions.ts";

const SETTINGS = dictionary(TEXT);
const MISSING = word("missing");
const DIGEST: FormOf<Digest> = { type: "string", pattern: "^sha256:[0-9a-f]{64}$" };

type Unknown = Extract<Observed<never>, { known: false }>;
const UNKNOWN = object<Unknown>({ known: constant(false), why: TEXT, remedy: mayLack(TEXT), source: TEXT });

function seenOr(value: FormSchema, required: readonly string[]): FormSchema {
  const properties = { known: { const: true }, value, source: TEXT, at: INSTANT };
  return { oneOf: [{ type: "object", properties, required, additionalProperties: false }, UNKNOWN] };
}

/** A value that was seen, or why it could not be seen. */
function observed<T>(value: FormOf<T>): FormOf<Observed<T>> {
  return seenOr(value, ["known", "value", "source", "at"]);
}

/** The same, where there may be nothing to see. */
function observedOrNone<T>(value: FormOf<T>): FormOf<Observed<T | undefined>> {
  return seenOr(value, ["known", "source", "at"]);
}

const OFFSETS = list(object<OffsetEntry>({ partition: JSON_OBJECT, offset: JSON_OBJECT_OR_NULL }));
const POSITIONS = list(object<OpsHistory["readTo"][number]>({ partition: NATURAL, offset: NATURAL }));

const STATUS = object<ConnectorStatus>({
  state: TEXT,
  worker: TEXT,
  trace: mayLack(TEXT),
  tasks: list(object<TaskStatus>({ id: NATURAL, state: TEXT, worker: TEXT, trace: mayLack(TEXT) })),
});

const DEPLOYED: MembersOf<DeployedConnector> = {
  name: TEXT,
  connectorClass: mayLack(TEXT),
  config: SETTINGS,
  status: STATUS,
  offsets: OFFSETS,
};

const NEW_SETTINGS: MembersOf<NewSettingsSeen> = {
  config: SETTINGS,
  configOrigin: TEXT,
  prefix: TEXT,
  opsTopic: TEXT,
  captureMode: word("online", "archive_only"),
  miningMode: TEXT,
  archiveDestination: mayLack(TEXT),
  tables: object<TableSelection>({
    pdbs: TEXTS,
    include: mayLack(TEXT),
    exclude: mayLack(TEXT),
    caseSensitive: FLAG,
  }),
  valueConverter: mayLack(TEXT),
  valueConverterSchemas: mayLack(TEXT),
};

const DATABASE: MembersOf<DatabaseSeen> = {
  dbid: NATURAL,
  name: TEXT,
  version: TEXT,
  container: FLAG,
  connectedTo: TEXT,
  logMode: TEXT,
  openMode: TEXT,
  role: TEXT,
  currentScn: NATURAL,
  resetlogsScn: NATURAL,
  zone: TEXT,
};

const REDO = object<RedoCatalogue>({
  threads: list(
    object<RedoThread>({
      thread: NATURAL,
      enabled: TEXT,
      status: TEXT,
      sequence: NATURAL,
      enableScn: NATURAL,
      disableScn: mayLack(NATURAL),
    }),
  ),
  destinations: list(object<ArchiveDestination>({ id: NATURAL, name: TEXT, status: TEXT, type: TEXT })),
  archived: list(
    object<ArchivedLog>({
      thread: NATURAL,
      sequence: NATURAL,
      firstScn: NATURAL,
      nextScn: NATURAL,
      name: mayLack(TEXT),
      status: TEXT,
      deleted: FLAG,
      destination: NATURAL,
      standby: FLAG,
      resetlogsScn: NATURAL,
      bytes: NATURAL,
      firstTime: mayLack(INSTANT),
      nextTime: mayLack(INSTANT),
    }),
  ),
  online: list(
    object<OnlineLog>({
      thread: NATURAL,
      sequence: NATURAL,
      firstScn: NATURAL,
      nextScn: mayLack(NATURAL),
      status: TEXT,
      archived: FLAG,
      member: mayLack(TEXT),
      bytes: NATURAL,
    }),
  ),
});

const PROBE: FormOf<LogProbe> = anyOf(
  object<{ readonly file: string; readonly opened: true }>({ file: TEXT, opened: constant(true) }),
  object<{ readonly file: string; readonly opened: false; readonly code: string; readonly message: string }>({
    file: TEXT,
    opened: constant(false),
    code: TEXT,
    message: TEXT,
  }),
);

const TOPIC = object<TopicSeen>({
  name: TEXT,
  partitions: NATURAL,
  replicas: NATURAL,
  cleanupPolicy: observed(TEXT),
  minInsyncReplicas: observed(LONG),
  inSyncReplicas: list(NATURAL),
  timestamps: observed(
    object<TimestampRule>({ type: TEXT, beforeMaxMillis: mayLack(LONG), afterMaxMillis: mayLack(LONG) }),
  ),
  maxMessageBytes: observed(LONG),
  retentionMillis: observed(LONG),
  retentionBytes: observed(LONG),
  mayWrite: observed(FLAG),
});

/** An event's details are what stands on the topic: a later cdcctl may have written more. */
const DETAILS: FormOf<OffsetsSetDetails> = {
  ...object<OffsetsSetDetails>({
    connector: TEXT,
    command: TEXT,
    reason: TEXT,
    operator: TEXT,
    direction: mayLack(TEXT),
    previous_resume_scn: TEXT,
    new_resume_scn: TEXT,
    outcome: word("applying", "applied", "failed"),
    forgotten_released: mayLack(TEXT),
    error: mayLack(TEXT),
    gap: mayLack(TEXT),
    tables: mayLack(TEXT),
    signal_id: mayLack(TEXT),
    unlisted_tables: mayLack(TEXT),
    evidence: mayLack(TEXT),
    intent: mayLack(TEXT),
    run: mayLack(TEXT),
    decision: mayLack(TEXT),
    taken_over: mayLack(TEXT),
    clock: mayLack(TEXT),
    previous_offset: mayLack(TEXT),
    new_offset: mayLack(TEXT),
  }),
  additionalProperties: TEXT,
};

const EVENTS = list(
  object<RecordedEvent>({
    at: INSTANT,
    server: TEXT,
    details: DETAILS,
    record: object<RecordInLog>({
      partition: NATURAL,
      offset: NATURAL,
      time: INSTANT,
      stampedBy: word("producer", "broker"),
    }),
  }),
);

const CONNECTOR_FACTS: MembersOf<ConnectorFacts> = {
  at: INSTANT,
  worker: object<WorkerSeen>({ url: TEXT, version: TEXT, clusterId: TEXT }),
  connector: object<ConnectorSeen>({ ...DEPLOYED, ...NEW_SETTINGS, signalsTopic: TEXT }),
  database: object<ConnectorFacts["database"]>({ ...DATABASE, address: TEXT }),
  redo: observed(REDO),
  probes: observed(
    object<{ readonly applies: boolean; readonly files: readonly LogProbe[] }>({ applies: FLAG, files: list(PROBE) }),
  ),
  transactions: observed(
    list(
      object<OpenTransaction>({
        xid: object<Xid>({ container: mayLack(NATURAL), usn: NATURAL, slot: NATURAL, sqn: NATURAL }),
        startScn: NATURAL,
        startedAt: mayLack(INSTANT),
        user: mayLack(TEXT),
        clientId: mayLack(TEXT),
      }),
    ),
  ),
  journaled: observed(
    list(
      object<JournaledTransaction>({
        xid: TEXT,
        container: mayLack(NATURAL),
        firstScn: NATURAL,
        user: mayLack(TEXT),
        clientId: mayLack(TEXT),
      }),
    ),
  ),
  times: observed(list(object<ScnTime>({ scn: NATURAL, at: mayLack(INSTANT) }))),
  brokers: observed(
    object<{ readonly address: string; readonly clusterId: string }>({ address: TEXT, clusterId: TEXT }),
  ),
  opsTopic: observed(anyOf(TOPIC, MISSING)),
  opsHistory: observed(
    object<OpsHistory>({
      events: EVENTS,
      answers: list(object<SignalAck>({ id: TEXT, outcome: TEXT, message: TEXT })),
      whole: FLAG,
      readTo: POSITIONS,
      clusterNow: mayLack(INSTANT),
    }),
  ),
};

const OFFSET_CHANGE = object<OffsetChangeFacts>({
  ...CONNECTOR_FACTS,
  kind: word("OffsetChange"),
  target: anyOf(
    object<Exclude<TargetSeen, { by: "timestamp" }>>({ by: word("scn", "restore", "earliestAvailable") }),
    object<Extract<TargetSeen, { by: "timestamp" }>>({ by: word("timestamp"), scn: mayLack(NATURAL) }),
  ),
});

const TABLE: MembersOf<TableSeen> = { container: TEXT, owner: TEXT, name: TEXT };
const DICTIONARY = object<Dictionary>({
  containers: list(object<ContainerSeen>({ id: mayLack(NATURAL), name: TEXT, openMode: TEXT })),
  tables: list(object<TableSeen>(TABLE)),
  answering: TEXTS,
});

const RESNAPSHOT = object<ResnapshotFacts>({
  ...CONNECTOR_FACTS,
  kind: word("Resnapshot"),
  signalsTopic: observed(anyOf(TOPIC, MISSING)),
  dictionary: observed(DICTIONARY),
  activity: observed(
    list(
      object<TableActivity>({
        ...TABLE,
        lastDdl: mayLack(INSTANT),
        modifications: mayLack(
          object<TableModifications>({
            inserts: NATURAL,
            updates: NATURAL,
            deletes: NATURAL,
            truncated: FLAG,
            at: mayLack(INSTANT),
          }),
        ),
        analyzed: mayLack(INSTANT),
      }),
    ),
  ),
  rowScns: observed(list(object<RowScn>({ ...TABLE, scn: mayLack(NATURAL), problem: mayLack(TEXT) }))),
});

const { at, worker, database, redo, probes, transactions, times, brokers, opsTopic, opsHistory } = CONNECTOR_FACTS;

/** What every phase of a migration looks at. */
const MIGRATION = {
  at,
  worker,
  database,
  brokers,
  opsTopic,
  opsHistory,
  kind: word("Migration"),
  next: mayLack(object<DeployedConnector>(DEPLOYED)),
  settings: object<NewSettingsSeen>(NEW_SETTINGS),
} satisfies Partial<MembersOf<MigrationFacts>>;

const LEGACY: MembersOf<LegacyFacts> = {
  at,
  worker,
  database,
  redo,
  probes,
  transactions,
  times,
  legacy: object<DeployedConnector>(DEPLOYED),
  openBefore: mayLack(
    object<TransactionsSeen>({
      from: NATURAL,
      to: NATURAL,
      open: list(
        object<TransactionsSeen["open"][number]>({
          xid: object<Xid>({ container: mayLack(NATURAL), usn: NATURAL, slot: NATURAL, sqn: NATURAL }),
          startScn: NATURAL,
          user: mayLack(TEXT),
        }),
      ),
    }),
  ),
};

type Translated<Fate> = Extract<TranslatedProperty, { fate: Fate }>;
const TRANSLATION = object<Translation>({
  name: TEXT,
  config: SETTINGS,
  properties: list(
    anyOf(
      object<Translated<"mapped">>({ name: TEXT, fate: word("mapped"), target: TEXT, value: TEXT }),
      object<Translated<"changed">>({ name: TEXT, fate: word("changed"), target: TEXT, value: TEXT, reason: TEXT }),
      object<Translated<"dropped">>({ name: TEXT, fate: word("dropped"), reason: TEXT }),
      object<Translated<"manual">>({ name: TEXT, fate: word("manual"), value: TEXT, instruction: TEXT }),
    ),
  ),
  added: list(object<Translation["added"][number]>({ target: TEXT, value: TEXT, reason: TEXT })),
  followUps: TEXTS,
});

const OTHERS = observed(
  list(
    object<OtherConnector>({
      name: TEXT,
      connectorClass: mayLack(TEXT),
      prefix: mayLack(TEXT),
      licenceTopic: mayLack(TEXT),
      writes: mayLack(
        object<LegacyWrites>({
          connector: TEXT,
          tables: TEXT,
          lobs: TEXT,
          redo: TEXT,
          databases: TEXTS,
          include: mayLack(TEXT),
          exclude: mayLack(TEXT),
          reroutings: TEXTS,
        }),
      ),
    }),
  ),
);

const CUTOVER_KNOWN = observedOrNone(object<CutoverKnown>({ run: TEXT, at: INSTANT, offsets: OFFSETS }));

const CUTOVER = object<CutoverFacts>({
  ...MIGRATION,
  ...LEGACY,
  phase: word("cutover"),
  translation: TRANSLATION,
  lacking: TEXTS,
  installed: observed(FLAG),
  builds: TEXTS,
  problems: observed(list(object<SettingProblem>({ setting: TEXT, errors: TEXTS }))),
  topics: observed(TEXTS),
  others: OTHERS,
  latest: observedOrNone(
    object<PhaseKnown>({
      run: TEXT,
      at: INSTANT,
      phase: word("cutover", "verify", "rollback", "retire"),
      decision: TEXT,
    }),
  ),
});

const RETURN = object<ReturnFacts>({
  ...MIGRATION,
  ...LEGACY,
  phase: word("rollback"),
  topics: observed(TEXTS),
  dictionary: observed(DICTIONARY),
  others: OTHERS,
  cutover: CUTOVER_KNOWN,
});

const VERIFICATION = object<VerificationFacts>({
  ...MIGRATION,
  phase: word("verify"),
  dictionary: observed(DICTIONARY),
  topics: observed(TEXTS),
  read: observed(dictionary(anyOf(TOPIC, MISSING))),
  retired: observed(
    object<RetiredKnown>({
      topics: list(object<RetiredKnown["topics"][number]>({ topic: TEXT, run: TEXT, at: INSTANT })),
      complete: TEXTS,
    }),
  ),
});

const RETIREMENT = object<RetirementFacts>({
  ...MIGRATION,
  phase: word("retire"),
  legacy: mayLack(object<DeployedConnector>(DEPLOYED)),
  dictionary: observed(DICTIONARY),
  topics: observed(TEXTS),
  others: OTHERS,
  groups: observed(
    list(
      object<ConsumerGroupSeen>({
        group: TEXT,
        state: TEXT,
        active: TEXTS,
        committed: TEXTS,
        unclear: mayLack(TEXT),
      }),
    ),
  ),
  evidence: observed(
    object<EvidenceKnown>({
      file: TEXT,
      digest: TEXT,
      connector: TEXT,
      checkScn: NATURAL,
      tables: list(
        object<EvidenceKnown["tables"][number]>({
          table: TEXT,
          outcome: word("pass", "fail", "inconclusive"),
          legacyTopic: mayLack(TEXT),
          byLegacy: NATURAL,
          leftOut: TEXTS,
        }),
      ),
    }),
  ),
  cutover: CUTOVER_KNOWN,
  verifications: observed(
    list(
      object<VerificationKnown>({
        run: TEXT,
        at: INSTANT,
        passed: FLAG,
        digest: TEXT,
        found: mayLack(
          object<ConnectorsFound>({
            configuration: SETTINGS,
            offsets: OFFSETS,
            legacyOffsets: mayLack(OFFSETS),
            opsTopic: TEXT,
            opsTopicEnds: POSITIONS,
          }),
        ),
      }),
    ),
  ),
  recordedSince: observed(EVENTS),
});

const FACTS: FormOf<Facts> = anyOf(OFFSET_CHANGE, RESNAPSHOT, CUTOVER, RETURN, VERIFICATION, RETIREMENT);

/**
 * The form of a facts file: every member that planning goes by. A digest that fits is no proof of it, as whoever edits
 * a file can compute it again.
 */
export const FACTS_FILE = object<FactsFile>({
  apiVersion: word("cdcctl/v1"),
  kind: word("Facts"),
  formatVersion: NATURAL,
  cdcctl: TEXT,
  observations: list(object<FactsFile["observations"][number]>({ of: DIGEST, facts: FACTS })),
  digest: DIGEST,
});
