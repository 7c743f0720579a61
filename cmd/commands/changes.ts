import { UsageError } from "../../core/errors.ts";
import { shellFile } from "../../core/values/shell-word.ts";
import { command, EXIT } from "../command.ts";
import { applyOptions, observeOptions, recoverOptions, rollbackOptions } from "../options/changes.ts";
import { filesPositional, runPositional, text } from "../options/common.ts";
import { writeLine } from "../screen.ts";
import { documentText } from "../views/rendered.ts";
import { changing, loaded } from "./loaded.ts";

export const init = command({
  usage: "init <kind>",
  describe: "Write a commented plan file to start from",
  positionals: { kind: { type: "string", demandOption: true, describe: "OffsetChange, Resnapshot or Migration" } },
  options: {
    out: text("Write to this file instead of standard output; never overwrites an existing file"),
    context: text("The context that the plan file names"),
    connector: text("The connector; for a Migration, the legacy connector", { alias: "name" }),
    from: { choices: ["confluent", "debezium"] as const, describe: "For a Migration, what the legacy connector is" },
    tables: text("Comma-separated tables (PDB.OWNER.TABLE or OWNER.TABLE) to snapshot or to verify"),
    scn: text("The SCN that an OffsetChange moves to"),
  },
  examples: [
    ["init OffsetChange > orders-replay.yaml", "start a plan file"],
    ["init OffsetChange --context prod --connector orders-cdc --scn 2169287", "start with known values"],
    ["init OffsetChange --out orders-replay.yaml", "the same, without overwriting an existing file"],
    ["init Migration --from debezium --out inventory-to-cdc.yaml", "leave Debezium's Oracle connector"],
  ],
  async run(args, host) {
    const [{ kindNamed, planFileToEdit }, { scnOf, tablesOf }] = await Promise.all([
      import("../../core/document/kinds.ts"),
      import("../session/typed-values.ts"),
    ]);
    const { context, connector, from, scn, tables } = args;
    const kind = kindNamed(args.kind);
    const given = {
      context,
      connector,
      from,
      scn: scn === undefined ? undefined : scnOf("scn", scn),
      tables: tables === undefined ? undefined : tablesOf(tables),
    };
    const template =
      `# For completion in an editor, set its schema to the output of: cdcctl schema --path ${kind}\n` +
      planFileToEdit(kind, given);
    if (args.out === undefined) host.stdout.write(documentText(template));
    else {
      const { writeNewFile } = await import("../session/files.ts");
      await writeNewFile(args.out, template);
      writeLine(host.stderr, `wrote ${args.out}: fill in the reason and the blank values`);
      writeLine(host.stderr, `next:  cdcctl validate ${shellFile(args.out)}`);
      writeLine(host.stderr, `       cdcctl plan ${shellFile(args.out)}`);
    }
    return EXIT.done;
  },
});

export const observe = command({
  usage: "observe <files..>",
  describe: "Record the facts a plan needs, to plan elsewhere; holds no secrets",
  positionals: filesPositional,
  options: observeOptions,
  examples: [
    ["observe orders-replay.yaml --out facts.json", "with access to production"],
    ["plan orders-replay.yaml --facts facts.json", "without access"],
  ],
  run: loaded(async () => (await import("../session/planning.ts")).observeFiles),
});

export const apply = command({
  usage: "apply <files..>",
  describe: "Apply plan files or a resolved plan step by step; each step is recorded before it is taken",
  positionals: { files: { ...filesPositional.files, describe: "Plan files (YAML), or one resolved plan (JSON)" } },
  options: applyOptions,
  examples: [
    ["apply orders-replay.yaml", "plan, ask, apply"],
    ["apply orders-replay.plan.json --expect sha256:3f9c…", "apply exactly what was reviewed, from a pipeline"],
    ["apply orders-replay.plan.json --approvals approvals", "where the context asks for approvals"],
    ["apply orders-replay.yaml --yes --stop-timeout 20m", "without asking; wait longer for the stop"],
  ],
  run: changing(async () => (await import("../session/apply-files.ts")).applyFiles),
});

export const recover = command({
  usage: "recover [run]",
  describe: "Settle an interrupted run: show what is left, finish it or call it off",
  positionals: { run: { ...runPositional.run, describe: "Default: the only unsettled run" } },
  options: recoverOptions,
  examples: [
    ["recover", "after a kill, a lost reply, a Ctrl-C: shows what is left to do, and asks"],
    ["recover --abandon", "call it off instead: change nothing more"],
    ["recover 2026-11-21T09-15-40Z-7f3a", "one of several"],
    ["recover 2026-11-21T09-15-40Z-7f3a --resume", "start the connector the run left stopped"],
    ["recover --from-ops --context prod --connector orders-cdc", "from another machine; shows the change and asks"],
  ],
  run: changing(async () => (await import("../session/recovering.ts")).recoverRuns),
});

export const rollback = command({
  usage: "rollback [run]",
  describe: "Plan and apply the rollback of a run",
  positionals: { run: { ...runPositional.run, describe: "Default: the latest run, unless it is a rollback itself" } },
  options: rollbackOptions,
  examples: [
    ["rollback", "plan, ask, apply"],
    ["rollback 2026-11-21T09-15-40Z-7f3a --out back.plan.json", "have the rollback reviewed first"],
    ["rollback --yes --no-resume", "leave the connector stopped"],
  ],
  async run(args, host) {
    const [{ rollBack }, { reporting }] = await Promise.all([
      import("../session/rolling-back.ts"),
      import("../session/machine-output.ts"),
    ]);
    const { format, events, out } = args;
    if (out === undefined && format !== "text" && format !== "json")
      throw new UsageError(
        `--format ${format} applies only together with --out`,
        "Pass --out PLAN, or --format json for the finished run.",
      );
    if (out !== undefined && events)
      throw new UsageError(
        "--events applies only without --out",
        "With --out the plan is written and nothing is applied.",
      );
    return out === undefined ? reporting(args, host, (reporter) => rollBack(args, reporter)) : rollBack(args, host);
  },
});
