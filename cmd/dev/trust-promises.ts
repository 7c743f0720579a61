/** What docs/contexts-and-trust.md promises, in its own words, and the cases that hold it. */

/** A file of tests and the whole title of one of them. */
type Case = readonly [file: string, title: string];

interface Promises {
  readonly says: readonly string[];
  readonly by: readonly Case[];
}

const CONTEXTS = "providers/contexts/contexts.test.ts";
const TRUST = "providers/contexts/trust.test.ts";
const LOGINS = "cmd/behaviour/hostile/logins.test.ts";
const REAL = "cmd/behaviour/hostile/hostile.real.test.ts";
const FORGED = "cmd/behaviour/hostile/forged-records.test.ts";
const EDITED = "cmd/behaviour/hostile/edited-plans.test.ts";
const JOURNALS = "cmd/behaviour/hostile/edited-journals.test.ts";
const ENVIRONMENT = "cmd/behaviour/hostile/environment.test.ts";
const COMMANDS = "cmd/session/contexts.test.ts";
const SEVERAL = "providers/connect/several-urls.test.ts";
const CONFIG = "providers/contexts/connector-config.test.ts";
const OWN = "core/document/own-settings.test.ts";
const ACCESS = "core/document/access-settings.test.ts";
const PLAN_FILES = "cmd/bad-input/plan-files.test.ts";
const JMX = "providers/contexts/jmx-trust.test.ts";
const REDACT = "core/redaction/redact.test.ts";
const KAFKA = "providers/kafka/client-properties.test.ts";
const PLAN_FILE = "core/document/plan-file.test.ts";
const FLOODS = "cmd/behaviour/hostile/floods.test.ts";
const EVIDENCE = "core/verification/evidence/evidence.test.ts";
const CONNECT = "providers/connect/connect.test.ts";
const EARLIER = "core/checks/earlier-changes.test.ts";
const PASTED = "cmd/behaviour/hostile/pasted-commands.test.ts";
const OUT_FILES = "cmd/behaviour/hostile/out-files.test.ts";
const RULES = "core/source-rules.test.ts";

const FULL_CONTEXT: Case = [CONTEXTS, "a context has resolved references, absolute paths and sealed secrets"];

export const TRUST_PROMISES: readonly Promises[] = [
  // The contexts file
  {
    says: [
      "The first of these that is given:",
      "`--contexts FILE`",
      "`CDCCTL_CONTEXTS`",
      "`$XDG_CONFIG_HOME/cdcctl/contexts.yaml`, or `~/.config/cdcctl/contexts.yaml`",
    ],
    by: [[CONTEXTS, "is found by --contexts, CDCCTL_CONTEXTS, XDG_CONFIG_HOME, or in the home folder"]],
  },
  {
    says: [
      "cdcctl warns of files with passwords or private keys that the group or everybody on the host can read.",
      "That holds for this file, for the key files and `commandConfig` that it names, and for the files of `--config` and `--command-config`.",
    ],
    by: [
      [CONTEXTS, "secrets that every user of the host can read cause a warning"],
      [ENVIRONMENT, "a file whose passwords are references causes no warning"],
    ],
  },
  {
    says: [
      "Paths are relative to the contexts file.",
      "an environment variable",
      "a key of a Java properties file",
      "the content of a file in a folder",
    ],
    by: [FULL_CONTEXT],
  },
  {
    says: ["REST URL of a worker, or of the gateway before it. A path prefix is kept."],
    by: [[CONNECT, "the prefix of a gateway is kept, and names are encoded"]],
  },
  {
    says: ["Basic authentication.", "A bearer token, in place of `basic`."],
    by: [[CONNECT, "basic and bearer credentials are accepted, and appear in no message"]],
  },
  {
    says: [
      "PEM file with the authorities that sign the worker's certificate, in place of the system's.",
      "PEM files of a client certificate and its key.",
      "Password of the key, where it has one.",
    ],
    by: [[CONNECT, "TLS: a private authority, a client certificate, plain against TLS and the reverse"]],
  },
  {
    says: ["A proxy, or `none`. Left out: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` count."],
    by: [[CONNECT, "uses a configured proxy, and never reaches a loopback host through the environment's proxy"]],
  },
  {
    says: ["Set both keys of `brokers` or neither.", "The login in it goes to these brokers and no other."],
    by: [
      [TRUST, "a context's client properties are not sent to other brokers"],
      [LOGINS, "a context with brokers.commandConfig alone is refused by plan, with file and line"],
    ],
  },
  {
    says: [
      "Hosts of the workers, with or without a port, as they stand in `--jmx-url`.",
      "The section counts for these and no other.",
    ],
    by: [
      [JMX, "the section whose hosts include the URL's host gives login, certificates and domain"],
      [JMX, "the login is not sent to a host with the same prefix"],
    ],
  },
  {
    says: [
      "It runs in a shell and is visible in process lists: references, settings that are secret by their name, and URLs with a login are refused.",
    ],
    by: [
      [CONTEXTS, "the submit settings of Spark have no reference, and are shown by their program only"],
      [CONTEXTS, "the submit settings of Spark have no login; what only locates one is no login"],
    ],
  },
  {
    says: ["`--connector-class` goes before it."],
    by: [[TRUST, "a typed class takes precedence over the context's"]],
  },
  {
    says: ["it completes the worker's copy in every command."],
    by: [
      [
        "cmd/session/config-of-connector.test.ts",
        "a context's short file completes the worker's copy in every command",
      ],
    ],
  },
  {
    says: [
      "Once it has a setting of `cdc.database.*` (but `pdbs`), `cdc.stream.*` or `cdc.kafka.*`, all of these come from it alone: no login in it goes to a host that the worker's copy names.",
    ],
    by: [
      [
        "cmd/session/config-of-connector.test.ts",
        "a login in a context's file is sent to no host of the worker's copy",
      ],
    ],
  },
  {
    says: ["`--config` replaces the worker's copy."],
    by: [[TRUST, "--config takes precedence over the context's file"]],
  },
  {
    says: ["`cdcctl contexts init` writes a commented one,"],
    by: [[COMMANDS, "init writes a commented file that is valid, and never over an existing one"]],
  },
  {
    says: ["`cdcctl contexts list` and `show` say what is in it without its secrets,"],
    by: [[COMMANDS, "list and show print what is configured, resolve nothing and show no secret"]],
  },
  {
    says: [
      "and `cdcctl contexts test NAME` tries it: Connect (version, classes), the brokers (rights on the ops, signals and journal topics of each connector), the database (login, container, grants) and JMX, one login attempt each.",
    ],
    by: [
      [COMMANDS, "test tries Connect, brokers and Oracle of every connector, each with its latency"],
      [COMMANDS, "a wrong password is tried once, and fails the test with a remedy"],
      [
        COMMANDS,
        "a login is tried at every JVM of jmx.hosts; a rejected one is a warning, since nothing else requires it",
      ],
    ],
  },
  // Several workers
  {
    says: [
      "cdcctl asks the first one. When a worker refuses the connection, breaks it, or does not answer a read in time, the next one is asked, and stays the one that is asked: a worker that is down costs one try.",
    ],
    by: [
      [SEVERAL, "a worker that is down costs a read and a change one try, which was certainly not sent"],
      [SEVERAL, "a worker that is frozen costs a read one try, and stays left"],
      ["cmd/behaviour/several-workers.test.ts", "a worker of the context that is down costs one try, not the plan"],
    ],
  },
  {
    says: [
      "A call that changes something goes to the next worker only if it certainly was not sent, as when the connection was refused. One that may have been sent and was not answered may still take effect; it counts as unanswered, whichever worker gets the next attempt.",
    ],
    by: [
      [
        SEVERAL,
        "a change that a frozen worker may hold is unanswered, and only the next attempt goes to another worker",
      ],
    ],
  },
  {
    says: ["Login and certificates of the context go to all of these URLs, and to no other."],
    by: [[SEVERAL, "a second URL is held to the same rules as the first"]],
  },
  {
    says: ["They must be workers of one cluster: `cdcctl contexts test` tries each and shows its Kafka cluster."],
    by: [[CONTEXTS, "several workers of one cluster are an alternative to one URL, and are found by each of them"]],
  },
  // References
  {
    says: [
      "They are resolved in four places, all of them the operator's: the contexts file, the files that it names (`commandConfig`, `config`), and the files given as `--config` and `--command-config`.",
      "Relative paths start from the file that the reference stands in.",
    ],
    by: [
      [CONFIG, "references are resolved only if the operator named the file"],
      [CONFIG, "client properties are sealed, and their references resolved"],
      [CONTEXTS, "a context has resolved references, absolute paths and sealed secrets"],
    ],
  },
  {
    says: ["The result is not resolved again."],
    by: [[CONFIG, "references are resolved; unresolvable ones are kept and explained"]],
  },
  {
    says: ["Only the context that a command uses is resolved, and its `jmx` section only for `--jmx-url`."],
    by: [
      [CONTEXTS, "only the references of the requested context must resolve"],
      [JMX, "only what is used has to be set: the login of Connect for Connect, that of JMX for JMX"],
    ],
  },
  {
    says: ["Only the worker can resolve those; cdcctl never does."],
    by: [
      [
        COMMANDS,
        "a reference that only the worker resolves, and a context whose systems do not answer, are named with their remedy",
      ],
    ],
  },
  // Who is trusted: the rows
  {
    says: [
      "A login by `--db-password-env` goes to `--db-dsn` or to a host in a file of the operator's, never to one that a worker names (`lend` in `providers/contexts/trust.ts`).",
    ],
    by: [[LOGINS, "migrate verify: --db-user with --db-password-env is sent to no host of a worker's configuration"]],
  },
  {
    says: [
      "Variables that turn the check of certificates off, print what is sent or write down keys of TLS (`NODE_OPTIONS` too) are refused before anything is opened (`cmd/session/safe-environment.ts`).",
    ],
    by: [[ENVIRONMENT, "NODE_OPTIONS=--tls-keylog=keys.log is refused by plan"]],
  },
  { says: ["Binds logins to hosts."], by: [FULL_CONTEXT] },
  {
    says: ["`brokers` has both keys or neither (schema); its client properties go to its brokers only (`lend`)."],
    by: [[LOGINS, "a context with brokers.commandConfig alone is refused by plan, with file and line"]],
  },
  {
    says: [
      "Database and brokers are taken from it alone: what the worker or the translation says of them is left out, and what is missing is named (`core/document/access-settings.ts`).",
    ],
    by: [
      [
        LOGINS,
        "in phase cutover, a file of the brokers alone leaves the database unnamed, whatever the worker's configuration is",
      ],
    ],
  },
  {
    says: [
      "Name a context and a connector. It names no file but that of the evidence of a Migration, and no command: `spec.verify.engine` submits by `spark.submit` of the context. Schema;",
    ],
    by: [[PLAN_FILE, "the schema, as an editor applies it, accepts valid files and refuses an invalid form"]],
  },
  {
    says: ["no text has a character that can't be seen, or a no-break space (`core/document/printable.ts`);"],
    by: [[PLAN_FILE, "U+00AD is refused in every text, written or escaped, with its place"]],
  },
  {
    says: ["nothing in it may be a reference;"],
    by: [[PLAN_FILES, "reference in the URL"]],
  },
  {
    says: [
      "`spec.to.config` sets what one list allows, in forms that a plan shows in clear: no address, path or class (`core/document/own-settings.ts`),",
    ],
    by: [
      [OWN, "allow no value that a plan would not show in clear"],
      [OWN, "allow no value that is a URL, an address, a path or a descriptor, and do not repeat it"],
    ],
  },
  {
    says: [
      "and nothing that the operator's file sets, or in whose scope it has a secret or an address (`core/document/access-settings.ts`);",
    ],
    by: [
      [ACCESS, "is never a name that the file sets, even with the same value"],
      [ACCESS, "is nothing in a scope in which the file has a secret or an address"],
      [
        LOGINS,
        "value.converter.url: http://evil in a plan file is refused beside a converter's password in the operator's file",
      ],
    ],
  },
  {
    says: ["the evidence is a regular file of at most 268 MB in the plan file's folder or below it, links followed."],
    by: [
      [FLOODS, "an endless device as the evidence that a plan file names is refused at once"],
      [FLOODS, "an endless device is read no further than the limit, whatever names it"],
      ["cmd/session/evidence-file.test.ts", "it is in the plan file's folder or below it, whatever a link says"],
    ],
  },
  {
    says: [
      "Name a host, which gets no credentials: not even those of a context with the same URL. `decideAccess` in `providers/contexts/trust.ts`.",
    ],
    by: [
      [TRUST, "a plan file's URL gets nothing, even if a context has the same"],
      [
        LOGINS,
        "--command-config is sent to no brokers of a worker that the plan file names: apply, plan of phase cutover",
      ],
    ],
  },
  {
    says: [
      "A connector of another class draws no login: `CON301`, and `LEG001` for what a plan file calls the legacy connector (`core/kinds/connector/foreign-class.ts`).",
    ],
    by: [
      [LOGINS, "a FileStreamSource gets no login from admin offsets set"],
      [LOGINS, "a FileStreamSource, given as the legacy connector, gets no login in a plan of phase cutover"],
      [REAL, "a connector of another class gets no login of the database or the brokers"],
    ],
  },
  {
    says: [
      "Its copy of the configuration counts, with the literal passwords in it, for the hosts in it. It names the brokers for `--command-config`. `lend`.",
    ],
    by: [
      [TRUST, "a connector without a file in the context is read from the worker"],
      [TRUST, "--command-config goes to brokers that a worker of --connect-url names"],
      [LOGINS, "migrate verify: --db-user with --db-password-env is sent to no host of a worker's configuration"],
    ],
  },
  {
    says: [
      "The same for literal passwords, but it may not name files of this machine: wallets, key and trust stores, `tnsnames.ora`, tokens. `lend`, by what the parsed connection would read (`providers/oracle/local-files.ts`, `providers/kafka/client-properties.ts`).",
    ],
    by: [
      [
        LOGINS,
        "a wallet in the URL: cdc.database.url of a worker that the plan file names is refused by plan of a Resnapshot",
      ],
      [REAL, "a worker that only the plan file names causes no file of this machine to be read"],
    ],
  },
  {
    says: [
      "Port of the JMX server, and a host that the operator named as well. The login goes to the registry's own host or to one in `jmx.hosts` of the same context, with TLS or without (`providers/jmx/session.ts`).",
    ],
    by: [
      [JMX, "the login is not sent to a host with the same prefix"],
      [LOGINS, "with jmx.tls in the context"],
      [REAL, "the JMX login stays with the registry's host, whatever java.rmi.server.hostname is"],
    ],
  },
  {
    says: ["With TLS the certificate has to be for the host that is named."],
    by: [
      [KAFKA, "the broker's host name is checked unless that is disabled"],
      ["providers/oracle/tcps.test.ts", "trusts no server without one, and names what is missing"],
    ],
  },
  {
    says: [
      "What a plan file may, and which decision was reviewed. Nothing else in it is used: what is shown before consent, and carried out, is planned again.",
    ],
    by: [
      [EDITED, "OffsetChange: its texts are not shown when it is applied"],
      [EDITED, "OffsetChange: every edited member of its decision, with digests computed again, is another decision"],
    ],
  },
  {
    says: [
      "At most 16 MB; its schema and digests; then its intent by the reader of plan files, and against its decision (`core/plan/reviewed-plan.ts`), before anything is opened; its Kafka cluster before brokers and database are.",
    ],
    by: [
      [
        "cmd/bad-input/resolved-plans.test.ts",
        "one above 16 MB is refused within 2 s and 300 MB, by every command that reads one",
      ],
      ["cmd/bad-input/resolved-plans.test.ts", "any edit of one byte is refused"],
      [
        EDITED,
        "OffsetChange: every member of its intent edited is refused before anybody is asked, or leads to nothing that was not shown",
      ],
    ],
  },
  {
    says: [
      "Its digest, then the form of every member (`schemas/facts.schema.json`), and that its connectors are those of the plan file (`core/kinds/facts-file.ts`)",
      "What `plan --facts` shows. Nothing is opened, and nothing is carried out by it: `apply` observes for itself.",
    ],
    by: [
      ["core/kinds/facts-file.test.ts", "of another connector is refused, although digest and document fit"],
      ["core/kinds/facts-form.test.ts", "of an offset change: any change in it is planned with, or refused by name"],
      ["cmd/behaviour/hostile/fuzz/documents.test.ts", "changed facts end with a documented exit code and a message"],
    ],
  },
  {
    says: [
      "Which verification a retirement rests on. Its digest is in the decision. Its schema, both digests and its counts (`core/verification/evidence/check-evidence.ts`)",
    ],
    by: [
      [EVIDENCE, "does not match its digest when anything in it was changed"],
      [EVIDENCE, "is rejected when its counts are inconsistent, even with matching digests"],
    ],
  },
  {
    says: [
      "Nothing. A change in flight is a request: `recover --from-ops` plans and checks it like an offset change, shows it and asks. Run id and offsets when it is read (`core/run/from-ops.ts`); whether a move from what is stored gives its new offset (`core/apply/take-over.ts`), before anything is written or sent.",
    ],
    by: [[FORGED, "of another incarnation moves nothing, stops nothing, and is written nowhere"]],
  },
  {
    says: [
      "What the connector is doing and what is stored for it. A status, trace or error text decides nothing else. Size and form, and that a connector is the one that was asked for (`providers/connect/connect.ts`); what a trace or an error repeats of a secret is redacted before it is kept (`providers/connect/redact-answers.ts`).",
    ],
    by: [
      [CONNECT, "takes no other connector's configuration for the one that it asked for"],
      [CONNECT, "offsets in another shape, and an answer above the limit, are protocol failures"],
      ["providers/connect/redacted-secrets.test.ts", "an answer is shown without them, for every call"],
      [FLOODS, "an endless answer is cut off"],
    ],
  },
  {
    says: [
      "Lengths, checksums, compression up to a limit, and each record by its own form (`providers/kafka/record-batch.ts`, `core/facts/ops/ops-event.ts`).",
    ],
    by: [
      ["providers/kafka/receive-answers.test.ts", "of an impossible size are not awaited: the connection is closed"],
      [
        "cmd/behaviour/hostile/fuzz/fuzz.test.ts",
        "records: 200 changes end with a documented exit code, in time, without a secret",
      ],
    ],
  },
  {
    says: [
      "Each column by its type, times parsed (`providers/oracle/`); what the driver throws over damaged bytes is a failed call (`providers/oracle/socket-exceptions.ts`).",
    ],
    by: [
      [
        "providers/oracle/socket-exceptions.test.ts",
        "a handler that throws closes its socket with an error, and the process continues",
      ],
      [
        "cmd/behaviour/hostile/frozen-oracle.test.ts",
        "that accepts the connection and sends nothing ends `plan` in time, and is named",
      ],
    ],
  },
  {
    says: ["Only known classes are read, up to a limit (`providers/jmx/attribute-value.ts`)."],
    by: [
      ["providers/jmx/read-graph.test.ts", "a class that is not known: rejected with a message"],
      ["providers/jmx/attribute-value.test.ts", "an unknown class is rejected with a message"],
    ],
  },
  {
    says: ["What a run has done. They are the operator's own, mode 0600. Every entry by its form;"],
    by: [["providers/state/state.test.ts", "is not accessible to others: directories 0700, files 0600"]],
  },
  {
    says: ["regular files of at most 64 MB, no links, and only the journal of that run, connector and cluster."],
    by: [[JOURNALS, "a link to a device in a journal's place hangs no status, and other runs go on"]],
  },
  {
    says: [
      "What is damaged, or of a newer version, leaves its run in doubt and stops no other (`core/run/read-journal.ts`, `providers/state/`).",
    ],
    by: [
      [
        "cmd/behaviour/damaged-journals.test.ts",
        "damage of any kind in any line affects nothing else and is never reported as settled",
      ],
    ],
  },
  {
    says: [
      "The offset that a run stores follows from its plan and the previous offset, by the rule of the version that began it, and is that of its own `applying` in the ops topic (`core/apply/own-body.ts`, APL823); a rollback restores what that record names.",
    ],
    by: [
      ["core/apply/own-body.test.ts", "of an edited plan, decision and body that fit is refused by the record"],
      [JOURNALS, "recover sends no body that plan and ops topic do not confirm, and shows all three"],
      [JOURNALS, "rollback restores no offset that the ops topic does not name as the run's previous one"],
    ],
  },
  {
    says: [
      "Nothing: it is shown. Output takes only what a view made, where each value is one line without control characters (`cmd/views/rendered.ts`, `cmd/screen.ts`); a command to be pasted is quoted by one function.",
    ],
    by: [
      ["cmd/behaviour/hostile/screen.test.ts", "the reason of a plan file, in a report"],
      [PASTED, "a quoted word is read back unchanged: a b"],
    ],
  },
  // Who is trusted: below the table
  {
    says: [
      "An outcome counts only with the run id, decision and operator of its `applying`, and a record that says that something is done is compared with the stored offset: where the offset does not follow from it, it is shown as a claim.",
    ],
    by: [
      [FORGED, "of a change in flight that is not the run's own record does not hide another user's change"],
      [FORGED, "of the plan's own decision is reported as a claim, and changes nothing without --again"],
    ],
  },
  {
    says: [
      "A forged `applying` blocks changes (OPS603), or makes a run give way to it, and is named by `status` (exit code 3), until an operator records it as failed.",
    ],
    by: [
      [EARLIER, "blocks unless accepted, whatever its age"],
      ["cmd/session/elsewhere.test.ts", "without a run here, status names the change, who, since when, and what to do"],
      [
        "core/apply/two-operators.test.ts",
        "the second one in the log records that it failed, and names the first by operator, run and time",
      ],
      [FORGED, "of another incarnation is recorded as failed by --abandon, which does nothing else"],
    ],
  },
  {
    says: [
      "A forged `applied` has a plan refused until `--again` (APL812), or keeps the journal of an unreadable run until `--abandon`.",
    ],
    by: [
      [FORGED, "of the plan's own decision is reported as a claim, and changes nothing without --again"],
      [FORGED, "of a run whose journal is unreadable sets no journal aside without --abandon"],
    ],
  },
  {
    says: [
      "Where the connector has committed past the SCN that it names, the offset does not distinguish it from a genuine one: the plan is reported as applied already, with exit code 0, until `--again`.",
    ],
    by: [
      [
        "core/kinds/offset-change/plan.test.ts",
        "a record with another SCN than the decision's is a claim; found by its intent, or without a pinned SCN, not",
      ],
    ],
  },
  {
    says: ["A forged answer to a signal is taken for the connector's: the run reports what the answer says."],
    by: [["cmd/behaviour/answers.test.ts", '"rejected" to a signal alone: exit 1, in the connector\'s own words']],
  },
  {
    says: ["It moves no offset, sends no request and receives no login."],
    by: [
      [FORGED, "of another incarnation moves nothing, stops nothing, and is written nowhere"],
      [REAL, "a forged record on the ops topic moves nothing, even with --yes"],
    ],
  },
  {
    says: [
      "`lend` is the only way from settings to a client: no client takes settings that have not passed it (`LentSettings`), and nothing else may open one (`core/source-rules.test.ts`).",
    ],
    by: [
      [RULES, "nothing opens a client except the modules that give it borrowed settings"],
      [RULES, "each module that may open a client does so: the table has no superfluous row"],
    ],
  },
  {
    says: ["It compares who holds the login with who names the host, by one table."],
    by: [
      [TRUST, "a context's client properties are not sent to other brokers"],
      [TRUST, "with a plan file's URL it goes to --bootstrap-servers"],
    ],
  },
  {
    says: [
      "What a plan file may set for the new connector of a migration (`spec.to.config`): what is captured and how (`cdc.tables.*`, `cdc.columns.exclude`, `cdc.key.*`, `cdc.users.exclude`, `cdc.database.pdbs`, the modes and limits of mining, snapshots and transactions), the names of the connector's topics except their prefix (`spec.to.topicPrefix`), the forms of values (`cdc.decimal.mode`, `value.converter.schemas.enable`, …), of `topic.creation.*` the groups with what Connect and Kafka document for a topic, and what happens at an error (`cdc.on.decode.error`, `cdc.retry.*`, `errors.tolerance`, `errors.retry.*`, `errors.log.*`).",
    ],
    by: [[OWN, "allow what is captured and how, the creation of topics and error handling, shown in clear"]],
  },
  {
    says: [
      "Everything else is the operator's: a converter or a transformation that a plan file pointed at another host would carry the password there that the operator's file gives it, in a `validate` of a dry run already.",
    ],
    by: [
      [OWN, "never allow a class"],
      [
        LOGINS,
        "value.converter.url: http://evil in a plan file is refused beside a converter's password in the operator's file",
      ],
    ],
  },
  {
    says: [
      "JMX has no place in a plan file: `--jmx-url` is typed.",
      "No other JVM is ever given one: not the worker that the connector's status names, until you type its URL,",
    ],
    by: [
      [
        "cmd/session/open-world.test.ts",
        "the JVM given on the command line gets the login, and one that is named elsewhere never does",
      ],
    ],
  },
  {
    says: [
      "Its login comes from `CDCCTL_JMX_USER` and `CDCCTL_JMX_PASSWORD`, or else from the context whose `jmx.hosts` name its host.",
    ],
    by: [[JMX, "the environment's login takes precedence over the section's, whose certificates still apply"]],
  },
  {
    says: [
      "and not a host that the RMI registry names, until it is in `jmx.hosts` too.",
      "With `jmx.tls`, no login is sent without TLS.",
    ],
    by: [
      [LOGINS, "with jmx.tls in the context"],
      [LOGINS, "a host in jmx.hosts gets the login although a registry redirects to it"],
    ],
  },
  {
    says: [
      "`--metrics-url` is typed as well; its login comes from `CDCCTL_METRICS_USER` and `CDCCTL_METRICS_PASSWORD` alone, and goes to that host alone.",
    ],
    by: [
      ["cmd/session/explain-lag.test.ts", "an exporter's login comes from the environment, and is never shown"],
      ["providers/jmx/open-exporter.test.ts", "http://user:password@host is rejected, and its login is not shown"],
    ],
  },
  {
    says: [
      "In a Migration the operator's file may be shorter than a whole configuration: the translation gives the rest. But it says all of `cdc.database.*` (except `cdc.database.pdbs`), `cdc.stream.*` and `cdc.kafka.*`. A setting of these that the worker's copy has and the file has not is either named in the refusal or left out.",
    ],
    by: [
      [
        LOGINS,
        "in phase cutover, a file of the brokers alone leaves the database unnamed, whatever the worker's configuration is",
      ],
      [LOGINS, "in phase cutover, the context's file with a login and without hosts is refused"],
    ],
  },
  {
    says: [
      "For the same reason a password for a converter or a transformation (`value.converter.basic.auth.user.info`) needs the URL beside it in the same file.",
    ],
    by: [[LOGINS, "a password of the operator's file is not sent to the legacy connector's worker"]],
  },
  // What follows for the flags
  {
    says: [
      "`--context` names the context where the plan file names none, and for every command without a plan file; the run remembers it for `recover` and `rollback`.",
    ],
    by: [
      ["cmd/session/contexts-everywhere.test.ts", "every command that reaches Connect takes --context and --contexts"],
      ["cmd/session/contexts-everywhere.test.ts", "a change by --context is remembered with it, and rolled back by it"],
      [
        TRUST,
        "a context on the command line is equivalent to one in the plan file, also beside a connectUrl of the same plan",
      ],
    ],
  },
  {
    says: [
      "With another `target.context` it is an error; with `target.connectUrl` it counts where that is the context's own URL.",
    ],
    by: [
      [TRUST, "--context and the context of the plan file contradict each other"],
      [TRUST, "a typed context does not give its credentials to another URL"],
    ],
  },
  {
    says: ["`--connect-url` together with `target.context` or `--context` is an error: a context brings its own URL."],
    by: [
      [TRUST, "--context and --connect-url contradict each other"],
      [TRUST, "a context and --connect-url contradict each other"],
    ],
  },
  {
    says: [
      "`--connect-url` that equals the URL of one context: that context's credentials for Connect and its `connectorClass` are used, and nothing else of it.",
    ],
    by: [
      [
        TRUST,
        "--connect-url gets the credentials for Connect of the context with that URL, the connector's class, how it submits to Spark, and nothing else of it",
      ],
    ],
  },
  {
    says: [
      "`--config`, `--bootstrap-servers` and `--command-config` go before what the context says.",
      "`--bootstrap-servers` without `--command-config`: the context's client properties are not used. They are bound to the context's brokers.",
    ],
    by: [
      [TRUST, "--config takes precedence over the context's file"],
      [TRUST, "--command-config takes precedence over the context's"],
      [TRUST, "a context's client properties are not sent to other brokers"],
    ],
  },
  {
    says: [
      "`--connector-class` (or `connectorClass`) names a build of the connector under another class. Without it, only classes with the connector's simple name, `OracleCdcSourceConnector`, are accepted.",
    ],
    by: [
      [TRUST, "a typed class takes precedence over the context's"],
      ["core/kinds/connector/foreign-class.test.ts", "another build under its simple name"],
      [LOGINS, "a class that ends alike"],
    ],
  },
  {
    says: [
      "`--command-config` with a plan file's `connectUrl` alone is refused: the brokers would be named by a worker that may be anybody's.",
    ],
    by: [
      [TRUST, "--command-config is not sent to brokers that a plan file's worker names"],
      [TRUST, "or to the brokers in --config"],
      [TRUST, "--connect-url may repeat the plan file's"],
    ],
  },
  // What is shown
  {
    says: ["A password is never printed: not in plans, facts, journals, ops events, errors or logs."],
    by: [
      [
        "cmd/behaviour/hostile/masked-settings.test.ts",
        "the secret in consumer.override.sasl.jaas.config appears in no output: password",
      ],
      [REAL, "a secret in any setting appears in no plan, facts or journal"],
      [
        "cmd/behaviour/redacted-secrets.test.ts",
        "another user's change in the ops topic is reported and taken over without them",
      ],
    ],
  },
  {
    says: [
      "The decision digest is over the redacted configuration.",
      "Anything else. The three digits change with the value, so that `apply` notices a change since the plan.",
    ],
    by: [
      [
        "cmd/behaviour/hostile/masked-settings.test.ts",
        "a hidden setting changed between plan and apply is noticed and named",
      ],
    ],
  },
  {
    says: [
      "The setting is known to be harmless (the connector's own, Connect's, Kafka clients', converters', Kafka's transformations', the legacy connector's), and its value has the form that such values have: a number, a host, a class, one of a few words. References and `true` or `false` are shown for any setting.",
    ],
    by: [
      [REDACT, "shows cdc.tables.include, whose meaning is known: SALES"],
      [REDACT, "keeps references, which reveal nothing, but not values that only resemble one"],
    ],
  },
  {
    says: [
      "It is secret by its name, or looks it: PEM, a login in a URL, `password` in JSON, `AccountKey=`, `X-Api-Key:`, a JWT. Nothing about it is shown, not even that it has changed.",
    ],
    by: [
      [REDACT, "hides the values of settings whose names suggest a secret, in every dialect"],
      [REDACT, "hides secrets in a harmless setting: https://********@host"],
    ],
  },
  {
    says: [
      "The digits are twelve bits of a digest over the setting's name and value, the same on every machine, so that plans compare wherever they are made.",
      "Twelve bits can't confirm a guess; they overlook one change in 4,096.",
    ],
    by: [[REDACT, "a hidden value reveals twelve bits, and a password nothing"]],
  },
  {
    says: ["Files that cdcctl writes (`--out`, `--output`, `--report`) have mode 0600."],
    by: [[OUT_FILES, "plan writes with owner-only permissions, over an earlier or an empty file"]],
  },
  {
    says: [
      "One takes the place of an empty file or, for `plan`, `observe`, `rollback`, `report` and evidence, of an earlier document of its own kind, and of nothing else.",
    ],
    by: [
      [OUT_FILES, "plan leaves a symbolic link untouched"],
      [OUT_FILES, "plan leaves the file that report wrote untouched"],
      ["cmd/output.test.ts", "an existing file is not replaced by a new one"],
    ],
  },
  {
    says: ["No symbolic link is followed."],
    by: [
      ["cmd/output.test.ts", "a replaced file becomes owner-only, and the target of a link is left untouched"],
      [
        "cmd/session/evidence-file.test.ts",
        "it goes to no folder that a link has taken the place of since it was checked",
      ],
    ],
  },
  {
    says: [
      "Names and messages from outside (connector names, a worker's error, a reason) are escaped for the terminal, Markdown, HTML or JSON that they are shown in.",
    ],
    by: [
      ["cmd/behaviour/hostile/screen.test.ts", "the reason of a plan file, in a report"],
      ["core/values/escape.test.ts", "no control, format or half character survives any of them"],
    ],
  },
  {
    says: [
      "An output takes only text that `cmd/views/rendered.ts` or `md` (`cmd/views/markdown.ts`) has made, so that no value begins a line, and none is markup.",
    ],
    by: [
      ["cmd/views/rendered.test.ts", "has as many lines as a view gave, whatever is in them"],
      ["cmd/views/rendered.test.ts", "a plain text is not accepted as Markdown"],
      [
        "core/values/escape.test.ts",
        "running Markdown text contains nothing that opens markup, HTML, a link or a mention",
      ],
    ],
  },
  {
    says: [
      "What is left gets no control character, bidirectional mark or foreign colour to a terminal (`cmd/screen.ts`).",
    ],
    by: [
      ["cmd/screen.test.ts", "a bidirectional mark is made visible in a line"],
      ["cmd/screen.test.ts", "cdcctl's own colours reach a terminal, and no log"],
    ],
  },
  {
    says: ["Commands that are printed to be pasted are quoted for any POSIX shell."],
    by: [[PASTED, "a quoted word is read back unchanged: a b"]],
  },
  // Kafka security
  {
    says: [
      "From the client properties file: PLAINTEXT, SSL (JKS, PKCS#12 or PEM stores), SASL PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512.",
    ],
    by: [
      [KAFKA, "logins are read for the three mechanisms"],
      [KAFKA, "each kind of trust store accepts the broker's certificate"],
      ["providers/kafka/open-kafka.test.ts", "SCRAM-SHA-256 logs in"],
    ],
  },
  {
    says: ["Kerberos can't be had and is refused by name."],
    by: [[KAFKA, "what only the Java client can do is rejected by name"]],
  },
];

/** What the page says besides: what is so, what to do, and what its limits are. */
export const REMARKS: readonly string[] = [
  "A context binds a name to hosts and to the credentials for them. A plan file names the context and knows nothing else.",
  "It belongs to the operator. Keep it out of every repository and give it mode 0600:",
  "[examples/contexts.yaml](../examples/contexts.yaml) is a whole one; `cdcctl schema Contexts` prints its schema.",
  "`--connect-url` takes one URL.",
  "The worker's own copy of a configuration often holds references too.",
  "Where one hides the database's password, give the connector an own configuration file (`connectors.NAME.config` or `--config`).",
  "A plan file can be changed in a pull request by a user who may not see the secrets. If such a file could lead a secret to a host of its choosing, a dry run would already be enough to steal it. So:",
  "Hosts, and logins for them. It was typed by the operator, or stands in a pipeline's protected definition.",
  "The JMX login, the proxy, references in the operator's files.",
  "Hosts, and logins for them, in place of the worker's copy.",
  "What a connector is, and what its configuration says.",
  "The other brokers of the cluster; the instance that a listener redirects to. The protocols leave no choice.",
  "Which records a topic holds.",
  "SCNs, redo, transactions, tables.",
  "What the task says of its work.",
  "Anyone who can write to the ops topic can forge its records.",
  "What such a producer can still do is deny service:",
  "A copy of a run's own `failed` lets a second run begin while the first is under way. The later PATCH wins, and the other run ends with exit code 3 when it reads its offset back.",
  "Restrict the right to write to the ops topic to the connector and the operators.",
  "What follows for the flags:",
  "Give `--bootstrap-servers` or `--config` too, or `--connect-url` with the same URL, or use a context.",
  "Of each setting of a connector, plans, facts and journals hold one of three:",
  "A longer digest would let whoever reads a plan find a short password by trying, however slow the function and whatever the salt: key and salt would have to be in the plan.",
  "Needed, or `connect.urls`.",
  "In its place, REST URLs of several workers of one Connect cluster: see [below](#several-workers).",
  "Brokers of the ops and journal topics, in place of `cdc.stream.bootstrap.servers`.",
  "A Java client properties file with the security settings (`security.protocol`, `sasl.*`, `ssl.*`).",
  "Who cdcctl is to the workers' JVMs (`jmxremote.password`).",
  "The authorities behind the JVMs' certificates: `PKCS12`, `JKS` or `PEM`. Left out: the system's.",
  "Key and certificate, where the JVMs ask for one.",
  "Whether the RMI registry speaks TLS too (default no), and whether the certificate has to name the host (default yes).",
  "Domain of the task's MBean; `sh.oso.cdc` when left out.",
  "Command that submits verifications to Apache Spark (`spec.verify.engine: spark`, `--engine spark`), in client deploy mode.",
  "How an executor starts a worker (`cdcctl migrate verify-worker` when left out), and how many sessions read the database at the same time (4).",
  "Class of the new connector in migrations, where the workers have another build; `sh.oso.connect.oracle.OracleCdcSourceConnector` when left out.",
  "The connector's configuration as a file (JSON or Java properties), whole or in part:",
];
