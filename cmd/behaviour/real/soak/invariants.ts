import { canonicalJson, isObject, type Json, type JsonObject, parseJson } from "../../../../core/values/json.ts";
import type { PassedCall } from "../gateway.ts";
import { lastStored, resumeScn } from "./cluster.ts";
import { type Command, FAR, lineOf, type Story } from "./story.ts";
import type { EventFact, Fact, StoredFact, TargetFact } from "./truth.ts";

/**
 * Invariants of every trial, whatever was done to it. Checked by the records of the topics, the calls through the
 * gateways, and the output of the commands.
 */
export function violations(story: Story): readonly string[] {
  const seen = see(story);
  return [...story.wrong, ...INVARIANTS.flatMap(({ rule, broken }) => broken(seen).map((how) => `${rule}: ${how}`))];
}

interface Seen {
  readonly story: Story;
  readonly facts: readonly Fact[];
  readonly commands: readonly Command[];
  readonly runs: readonly SeenRun[];
  /** Those too that remove the offset, in a migration: what becomes of it its own rules judge. */
  readonly announced: readonly SeenRun[];
}

/** A run, according to the ops topic and the offsets topic. */
interface SeenRun {
  readonly run: string;
  readonly operator: string;
  readonly applying: Fact & EventFact;
  readonly outcomes: readonly (Fact & EventFact)[];
  /** The position it moves to. */
  readonly target: bigint;
  /** The records that its PATCHes stored: several, where one was sent again. */
  readonly patches: readonly (Fact & StoredFact)[];
}

interface Invariant {
  readonly rule: string;
  readonly broken: (seen: Seen) => readonly string[];
}

/** A record that is dated by when it was seen came after the fetch before. */
const earliest = ({ at, since = at }: Fact): number => since;

/**
 * The words by which a command says that its change may not stand. What else is unknown in a report, such as a
 * transaction, is no excuse.
 */
const DOUBT = /\bnot proven\b|\bin doubt\b|\bunanswered\b|\bno (definite )?answer\b/i;

/**
 * How long a command may take from one disturbance to the next, also on a machine that is busy with other things: the
 * slowest of hundreds took 30 s, besides what it said that it waits for.
 */
const UNDISTURBED_MILLIS = 75_000;

const INVARIANTS: readonly Invariant[] = [
  {
    rule:
      "the offset is the old one, an announced new one, " +
      "or moved on from one of them by the connector's own commits",
    broken: ({ story, facts, runs }) =>
      facts.flatMap((fact) => {
        if (fact.fact !== "stored" || fact.at < story.began || runs.some(({ patches }) => patches.includes(fact)))
          return [];
        if (fact.offset === null) return ["it was removed"];
        const scn = resumeScn(fact);
        const root = positionOf(story, scn);
        if (root === undefined) return [`${scn} belongs to no position of this trial`];
        const announced = root === story.base || runs.some(({ target }) => positionOf(story, target) === root);
        return announced ? [] : [`${scn} was stored without an "applying"`];
      }),
  },
  {
    rule: '"applying" comes before the PATCH, and the outcome after it',
    broken: ({ story, facts, runs, commands }) =>
      runs.flatMap(({ run, applying, outcomes, patches }) =>
        patches.flatMap((patch) => [
          ...(earliest(applying) > patch.at ? [`${run} was stored before its "applying"`] : []),
          ...(story.allows.late === true
            ? []
            : outcomes
                .filter((outcome) => outcome.at < patch.at && !isSentTwice(facts, commands, patch))
                .map(({ outcome }) => `${run} was stored after its "${outcome}"`)),
        ]),
      ),
  },
  {
    rule: "nobody changes the offset while an earlier change is open",
    broken: ({ runs }) =>
      runs.flatMap(({ run, operator, applying, patches }) =>
        runs.flatMap((other) => {
          if (other.applying.position >= applying.position) return [];
          const first = patches.find(
            ({ at }) =>
              !other.outcomes.some((outcome) => earliest(outcome) <= at || outcome.position < applying.position),
          );
          return first === undefined
            ? []
            : [`${run} of ${operator} was stored while ${other.run} of ${other.operator} was open`];
        }),
      ),
  },
  {
    rule: "the body is worked out from the offset that it replaces",
    broken: ({ story, facts, runs }) =>
      story.allows.late === true
        ? []
        : runs.flatMap(({ run, applying, patches: [first] }) => {
            if (first === undefined) return [];
            const before = lastStored(facts.slice(0, facts.indexOf(first)));
            return canonicalJson(before?.offset ?? null) === applying.details["previous_offset"]
              ? []
              : [`${run} replaced ${canonicalJson(before?.offset ?? null)}, which it had not seen`];
          }),
  },
  {
    rule: "a body changes the position, and nothing else",
    broken: ({ runs }) => runs.flatMap((run) => changedFields(run, runs).map((field) => `${run.run} changes ${field}`)),
  },
  {
    rule: "an event holds every detail, and true ones",
    broken: ({ story, runs }) =>
      runs.flatMap(({ run, applying, outcomes, target }) =>
        [applying, ...outcomes].flatMap(({ outcome, details }) =>
          falseDetails(story, details, target).map((detail) => `"${outcome}" of ${run}: ${detail}`),
        ),
      ),
  },
  {
    rule: "the ops topic tells one outcome, and a true one",
    broken: ({ story, facts, runs }) =>
      runs.flatMap((run) => {
        // Who abandons a run says that it is unknown.
        const told = run.outcomes.filter((outcome) => !isAbandoned(outcome));
        const outcomes = new Set(told.map(({ outcome }) => outcome));
        if (outcomes.size > 1) return [`${run.run} is said to be ${[...outcomes].join(" and ")}`];
        const applied = run.outcomes.findIndex(({ outcome }) => outcome === "applied");
        if (run.outcomes.some(({ outcome }, index) => applied >= 0 && index > applied && outcome === "failed"))
          return [`${run.run} is recorded as failed after "applied"`];
        return told.flatMap((outcome) => {
          const stands = isInPlace(story, facts, outcome.at, run);
          if (outcome.outcome === "applied" && run.patches.length === 0)
            return [`${run.run} is said to be applied, and was never stored`];
          if (outcome.outcome === "applied" && !stands && story.allows.late !== true)
            return [`${run.run} is said to be applied, and does not stand`];
          if (outcome.outcome === "failed" && stands) return [`${run.run} is said to have failed, and stands`];
          if (outcome.outcome === "failed" && run.patches.some(({ at }) => at > outcome.at))
            return [`${run.run} is said to have failed, and was stored afterwards`];
          return [];
        });
      }),
  },
  {
    rule: "the exit code is true",
    broken: (seen) => seen.commands.flatMap((command) => exitProblems(seen, command)),
  },
  {
    rule: "what is said of the world is true",
    broken: (seen) =>
      seen.commands.flatMap((command) =>
        SENTENCES.flatMap(({ says, isTrue }) => {
          const match = says.exec(wordsOf(command));
          return match === null || isTrue(seen, command, match) ? [] : [`"${match[0]}"`];
        }),
      ),
  },
  {
    rule: "a request is in the journal before it leaves, and one that was withheld does not leave",
    broken: ({ story }) => {
      const unwritten = new Map<string, number>();
      for (const act of story.acts) {
        const call = act.act === "journal" ? act.call : act.act === "call" ? callOf(act) : undefined;
        if (call === undefined || (act.act !== "journal" && act.act !== "call")) continue;
        const request = `${act.by}'s ${call}`;
        unwritten.set(request, (unwritten.get(request) ?? 0) + (act.act === "call" ? 1 : -act.sends));
      }
      return [...unwritten].filter(([, more]) => more > 0).map(([request, more]) => `${request}, ${more} times`);
    },
  },
  {
    rule: "the events of a run are dated in their order",
    broken: ({ runs }) =>
      runs.flatMap(({ run, applying, outcomes }) =>
        outcomes
          .filter(({ time }, index) => time < (outcomes[index - 1] ?? applying).time)
          .map(({ outcome }) => `"${outcome}" of ${run} is dated before the event that it follows`),
      ),
  },
  {
    rule: "after a short stop nobody waits for a hung task",
    broken: ({ commands }) =>
      commands.flatMap((command) => {
        const words = wordsOf(command);
        const [, seconds = "5"] = /stopped after ([\d.]+) s/.exec(words) ?? [];
        const watched =
          /took as long as the workers' grace period/.test(words) && !/changed after the stop/.test(words);
        return watched && Number(seconds) < 5 ? [`${lineOf(command)} had stopped it in ${seconds} s`] : [];
      }),
  },
  {
    rule: "in the end every run is settled",
    broken: ({ story, runs }) =>
      story.allows.open === true
        ? []
        : runs.filter(({ outcomes }) => outcomes.length === 0).map(({ run }) => `${run} has no outcome`),
  },
  {
    rule: "nobody is locked out, and nothing is a bug",
    broken: ({ commands }) =>
      commands.flatMap((command) => {
        const words = wordsOf(command);
        return [
          ...(command.code === 70 ? [`${lineOf(command)} ended with 70`] : []),
          ...(/\(node:\d+\)/.test(words) ? [`Node.js warns in ${lineOf(command)}`] : []),
          ...(/STA701/.test(words) ? [`${lineOf(command)} was locked out`] : []),
        ];
      }),
  },
  {
    rule: "a refusal because of an open run has such a run",
    broken: (seen) =>
      seen.commands.flatMap((command) => {
        const refused = /\b(OPS603|APL813)\b/.exec(command.code === 1 ? wordsOf(command) : "")?.[1];
        if (refused === undefined) return [];
        const open = seen.announced.some(
          ({ operator, applying, outcomes }) =>
            (refused === "APL813" ? operator === command.by : true) &&
            earliest(applying) <= command.until &&
            !outcomes.some(({ at }) => at < command.at),
        );
        return open || isUnsettledAtHome(seen, command) ? [] : [`${lineOf(command)}: ${refused}, and no run is open`];
      }),
  },
  {
    rule: "nobody waits longer than a disturbance, a stop and the given timeouts explain",
    broken: (seen) =>
      // Who talks to a frozen leader, or to a task that hangs, waits for as long as it lasts.
      seen.story.allows.late === true
        ? []
        : seen.commands.flatMap((command) => {
            const waited = longestWait(seen, command);
            return waited <= UNDISTURBED_MILLIS + explainedMillis(seen, command)
              ? []
              : [`${lineOf(command)} took ${Math.round(waited / 1000)} s in which nothing happened to it`];
          }),
  },
];

/** The longest part of a command in which the trial did nothing, and no other machine began or ended anything. */
function longestWait({ story, commands }: Seen, { by, at, until }: Command): number {
  const deeds = story.acts.flatMap((act) => (act.act === "deed" ? [act.at] : []));
  const others = commands.filter((other) => other.by !== by).flatMap((other) => [other.at, other.until]);
  const moments = [
    at,
    ...[...deeds, ...others].filter((moment) => moment > at && moment < until).sort(byNumber),
    until,
  ];
  return Math.max(...moments.map((moment, index) => moment - (moments[index - 1] ?? at)));
}

/** What a command says that it watches a stopped task for; where it was disturbed, also the timeouts that it has. */
function explainedMillis(seen: Seen, command: Command): number {
  const watched = /watching the stored offset for (\d+) s/.exec(wordsOf(command))?.[1] ?? 0;
  const disturbed = othersAct(seen) || seen.story.acts.some(({ act }) => act === "deed");
  const given = command.args.map((word, index) =>
    disturbed && /-timeout$/.test(word) ? Number.parseInt(command.args[index + 1] ?? "", 10) : 0,
  );
  return [Number(watched), ...given].reduce((sum, seconds) => sum + seconds * 1000, 0);
}

const byNumber = (one: number, other: number): number => one - other;

/** The name of a call in the journal; undefined for those that no rule is about. */
function callOf({ method, path, body }: PassedCall): string | undefined {
  if (method === "PATCH") return method;
  if (method === "POST" && path === "/connectors") return `POST connector ${/"name":"([^"]+)"/.exec(body)?.[1]}`;
  const [, connector, of = "connector"] = /^\/connectors\/([^/]+)(?:\/(stop|resume|offsets))?$/.exec(path) ?? [];
  if (connector === undefined || !/^(PUT|DELETE)$/.test(method)) return undefined;
  return `${method} ${of === "offsets" ? "offsets of" : of} ${connector}`;
}

/**
 * The fields that a body changes besides the position, and that its event does not announce. A rollback stores what an
 * earlier run replaced.
 *
 * Rule: reference: connector rules, "Offset fields on a move".
 */
function changedFields({ applying: { details } }: SeenRun, runs: readonly SeenRun[]): readonly string[] {
  const [before, after] = ["previous_offset", "new_offset"].map((name) => offsetOf(details[name]));
  if (before === undefined || after === undefined) return [];
  if (runs.some(({ applying }) => applying.details["previous_offset"] === details["new_offset"])) return [];
  const again = details["deliver_again"] === "true" ? LAST_COMMIT : [];
  const cut = liftsCut(before, after, again.length > 0) ? FIRST_START : [];
  const free = ["resume_scn", "resume_rs_id", "resume_ssn", "threads", ...again, ...cut];
  const forgotten = String(details["forgotten_released"] ?? "").split(",");
  const released = (offset: JsonObject): string =>
    String(offset["released_xids"] ?? "")
      .split(",")
      .filter((id) => !forgotten.includes(id))
      .join(",");
  const shown = (offset: JsonObject, name: string): string =>
    name === "released_xids" ? released(offset) : canonicalJson(offset[name] ?? null);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return [
    ...names.filter((name) => !free.includes(name) && shown(before, name) !== shown(after, name)),
    ...cut.filter((name) => name in after).map((name) => `nothing below its cut, and keeps ${name}`),
  ];
}

const LAST_COMMIT = [
  ...["last_commit_scn", "last_commit_xid", "last_commit_thread", "last_commit_rs_id", "last_commit_ssn"],
  "event_index",
];
const FIRST_START = ["start_floor_scn", "start_open_scn", "start_open_xids"];

/** A move back below the first-start cut: it delivers nothing while no commit is acknowledged and the cut stays. */
function liftsCut(before: JsonObject, after: JsonObject, again: boolean): boolean {
  const [floor, from, to] = [before["start_floor_scn"], resumeOf(before), resumeOf(after)];
  const acknowledged = (before["last_commit_xid"] ?? null) !== null && !again;
  if (typeof floor !== "bigint" || from === undefined || to === undefined || acknowledged) return false;
  return to < from && to < floor;
}

/** What an event says that is missing or not so. Rule: specification, "Ops event `offsets-set`". */
function falseDetails(story: Story, details: JsonObject, target: bigint): readonly string[] {
  const before = resumeOf(offsetOf(details["previous_offset"]));
  const direction =
    before === undefined ? "initial" : target < before ? "backward" : target > before ? "forward" : "same";
  const expected: Readonly<Record<string, string>> = {
    connector: story.connector,
    direction,
    previous_resume_scn: before === undefined ? "none" : `${before}`,
    new_resume_scn: `${target}`,
  };
  return [
    ...["command", "reason", "operator", ...(details["outcome"] === "failed" ? ["error"] : [])]
      .filter((name) => String(details[name] ?? "") === "")
      .map((name) => `no ${name}`),
    ...Object.entries(expected)
      .filter(([name, value]) => details[name] !== value)
      .map(([name, value]) => `${name} is ${details[name]}, not ${value}`),
  ];
}

/** Whether its own last run may be unsettled: its command did not end, or ended with 3, and was not recovered. */
function isUnsettledAtHome({ commands }: Seen, { by, at }: Command): boolean {
  const last = commands.findLast(
    (one) => one.by === by && one.until <= at && /^(apply|admin|rollback|recover)$/.test(one.args[0] ?? ""),
  );
  return last?.code === undefined || last.code === 3;
}

function offsetOf(text: Json | undefined): JsonObject | undefined {
  const offset = typeof text === "string" ? parseJson(text) : null;
  return isObject(offset) ? offset : undefined;
}

function resumeOf(offset: JsonObject | undefined): bigint | undefined {
  const scn = offset?.["resume_scn"];
  return typeof scn === "bigint" ? scn : undefined;
}

/** The claims of sentences. Accepts the current wording and the previous one. */
const SENTENCES: readonly {
  readonly says: RegExp;
  readonly isTrue: (seen: Seen, command: Command, match: RegExpExecArray) => boolean;
}[] = [
  {
    says: /the stored offset of \S+ (?:is (?=\d+, as planned)|was set to (?=\d+, as [\w; ]+ resumed(?!; not)))(\d+)/i,
    isTrue: ({ story, facts }, { until }, [, scn]) =>
      positionOf(story, resumeScn(lastStored(facts, until))) === positionOf(story, BigInt(scn ?? 0)),
  },
  {
    says: /as planned; the connector is (resumed|stopped)/i,
    isTrue: (seen, { until }, [, state]) =>
      othersAct(seen) || stateAt(seen, until) === (state === "resumed" ? "STARTED" : "STOPPED"),
  },
  {
    says: /nothing of this run remains|the (stored )?offset (is|was) (unchanged|not changed|untouched)/i,
    isTrue: (seen, command) =>
      !runsOf(seen, command).some((run) => isInPlace(seen.story, seen.facts, command.until, run)),
  },
  {
    says: /by another hand|another (user|operator|process)[^.;]* (started|resumed|stopped) it/i,
    isTrue: (seen) => othersAct(seen),
  },
  {
    says: /some changes of this run remain/i,
    isTrue: (seen, command) =>
      othersAct(seen) ||
      runsOf(seen, command).length > 0 ||
      seen.facts.some(({ fact, at }) => fact === "target" && at >= command.at && at <= command.until) ||
      DOUBT.test(wordsOf(command)),
  },
  {
    says: /overwritten: /i,
    isTrue: (seen, command) => runsOf(seen, command).some((run) => wasOverwritten(seen, run, command.until, "anybody")),
  },
  {
    says: /the change of run \S+ is undone|had not really stopped|committed once more/i,
    isTrue: (seen, command) => runsOf(seen, command).some((run) => wasOverwritten(seen, run, command.until, "a task")),
  },
  {
    says: /this decision was (applied already|already applied)/i,
    isTrue: ({ announced }, { until }) =>
      announced.some(({ outcomes }) => outcomes.some((one) => one.outcome === "applied" && earliest(one) <= until)),
  },
];

function exitProblems(seen: Seen, command: Command): readonly string[] {
  const { story, facts } = seen;
  const [word] = command.args;
  const { code, at: from, until } = command;
  const line = lineOf(command);
  if (code === undefined) return [];
  const runs = word === "rollback" ? announcedBy(seen, command) : runsOf(seen, command);
  const isOpen = ({ outcomes }: SeenRun): boolean => !outcomes.some((outcome) => earliest(outcome) <= until);
  const stands = runs.filter((run) => isInPlace(story, facts, until, run));
  const stateChanged = stateAt(seen, from) !== stateAt(seen, until);
  const doubt = DOUBT.test(wordsOf(command));
  switch (word) {
    case "apply":
    case "admin":
    case "rollback":
      if (code === 0)
        return runs.flatMap((run) => [
          ...(run.outcomes.some((one) => one.outcome === "applied") ? [] : [`${line}: 0, and not recorded as applied`]),
          ...(stands.includes(run) || doubt ? [] : [`${line}: 0, and the change does not stand`]),
        ]);
      if (code === 1 && word === "admin")
        return stands
          .filter(({ target }) => !wordsOf(command).includes(`${target}`))
          .map(({ run }) => `${line}: 1, ${run} stands, and it does not say so`);
      if (code === 1)
        return [
          ...runs.filter(isOpen).map(({ run }) => `${line}: 1, and ${run} is open`),
          ...stands.map(({ run }) => `${line}: 1, and ${run} stands`),
          ...(stateChanged && !othersAct(seen)
            ? [`${line}: 1, and the connector was ${stateAt(seen, from)} and is ${stateAt(seen, until)}`]
            : []),
        ];
      if (code === 3)
        return runs.some(isOpen) || stands.length > 0 || stateChanged || doubt || othersAct(seen)
          ? []
          : [`${line}: 3, and nothing has changed`];
      return code === 1 ? [] : [`${line}: ${code}`];
    case "recover":
      // What may have been announced only afterwards is no reproach.
      if (code === 0)
        return runs.flatMap((run) =>
          isOpen(run) && run.applying.at <= until ? [`${line}: 0, and ${run.run} is open`] : [],
        );
      if (code === 3) return [];
      if (code === 1)
        return runs
          .filter(({ patches }) => patches.some((patch) => patch.at >= from && patch.at <= until))
          .filter(() => !othersAct(seen))
          .map(({ run }) => `${line}: 1, and it has changed the offset for ${run}`);
      return [`${line}: ${code}`];
    case "status": {
      const mine = seen.runs.filter(({ operator, applying }) => operator === command.by && applying.at < from);
      return code === 0
        ? mine.filter(isOpen).map(({ run }) => `${line}: 0, and ${run} is open`)
        : code === 3
          ? []
          : [`${line}: ${code}`];
    }
    default:
      return [];
  }
}

/** The runs of a command: those it announced, or found open. */
function runsOf({ runs, commands }: Seen, { by, args, at, until }: Command): readonly SeenRun[] {
  const [word, named] = args;
  // It starts the connector of a settled run.
  if (word === "recover" && args.includes("--resume")) return runs.filter(({ run }) => run === named);
  // These report every earlier run.
  if (word === "status" || word === "plan" || word === "rollback")
    return runs.filter(({ applying }) => earliest(applying) < until);
  if (word !== "recover") return announcedBy({ runs, commands }, { by, at, until });
  return runs
    .filter((run) => !isAnnouncedLater(commands, until, run))
    .filter(({ applying, outcomes }) => earliest(applying) < until && !outcomes.some((outcome) => outcome.at < at));
}
const announcedBy = (
  { runs, commands }: Pick<Seen, "runs" | "commands">,
  { by, at, until }: Pick<Command, "by" | "at" | "until">,
): readonly SeenRun[] =>
  runs.filter(
    (run) =>
      run.operator === by &&
      run.applying.at >= at &&
      earliest(run.applying) <= until &&
      !isAnnouncedLater(commands, until, run),
  );

/** What a later command has announced may be dated a little too early. */
const isAnnouncedLater = (commands: readonly Command[], until: number, { operator, applying }: SeenRun): boolean =>
  commands.some((one) => one.by === operator && one.args[0] !== "status" && one.at >= until && one.at <= applying.at);

/** Whether the offset stored at a time results from this run's change. */
function isInPlace(story: Story, facts: readonly Fact[], at: number, run: SeenRun): boolean {
  const last = lastStored(facts, at);
  if (last === undefined || !comesFrom(story, run.target, last)) return false;
  return run.patches.some((patch) => patch.at <= last.at);
}

/**
 * Two machines may recover one run at once, and a journal may have lost its last lines: nothing keeps recover from
 * sending the body that is recorded as applied already. What stores what is stored already changes nothing.
 */
function isSentTwice(facts: readonly Fact[], commands: readonly Command[], patch: Fact & StoredFact): boolean {
  const before = lastStored(facts.slice(0, facts.indexOf(patch)));
  const isSame = canonicalJson(before?.offset ?? null) === canonicalJson(patch.offset ?? null);
  return isSame && commands.some(({ args, at, until }) => args[0] === "recover" && at <= patch.at && patch.at <= until);
}

function wasOverwritten(
  { story, facts, runs }: Seen,
  { patches: [first], target }: SeenRun,
  until: number,
  by: "anybody" | "a task",
): boolean {
  return facts.some(
    (fact) =>
      fact.fact === "stored" &&
      (by === "anybody" || !runs.some(({ patches }) => patches.includes(fact))) &&
      first !== undefined &&
      fact.at >= first.at &&
      fact.at <= until &&
      fact !== first &&
      !comesFrom(story, target, fact),
  );
}

/** A rollback goes to where the connector had come by itself: its target may lie behind a position of this trial. */
const comesFrom = (story: Story, target: bigint, stored: StoredFact): boolean =>
  resumeScn(stored) >= target && positionOf(story, resumeScn(stored)) === positionOf(story, target);

/** The `failed` of `--abandon`: nobody knows whether the offset was changed. */
const isAbandoned = ({ outcome, details }: EventFact): boolean =>
  outcome === "failed" && /^abandoned by /.test(String(details["error"]));

/** The position of this trial that a connector has reached an SCN from. */
export function positionOf(story: Story, scn: bigint): bigint | undefined {
  return [story.base, ...story.targets]
    .filter((position) => position <= scn && scn - position < FAR)
    .sort((one, other) => (one < other ? 1 : -1))[0];
}

/** The last target state; a connector without one is started. */
export function stateAt({ facts }: Pick<Seen, "facts">, at: number): TargetFact["state"] {
  const last = facts.findLast((fact): fact is Fact & TargetFact => fact.fact === "target" && fact.at <= at);
  return last?.state ?? "STARTED";
}

/** A person, or a second operator of this trial. */
function othersAct({ story, commands }: Seen): boolean {
  return story.allows.people === true || new Set(commands.map(({ by }) => by)).size > 1;
}

const wordsOf = ({ stdout, stderr }: Command): string => `${stderr}\n${stdout}`.replace(/\s+/g, " ");

function see(story: Story): Seen {
  const facts = story.facts();
  const commands = story.acts
    .filter((act): act is Command => act.act === "command")
    .sort((one, other) => one.at - other.at);
  const events = facts.filter((fact): fact is Fact & EventFact => fact.fact === "event" && fact.at >= story.began);
  const first = new Map<string, Fact & EventFact>();
  for (const event of events) if (event.outcome === "applying" && !first.has(event.run)) first.set(event.run, event);
  const announced = [...first.values()].map((applying) => ({
    run: applying.run,
    operator: applying.operator,
    applying,
    outcomes: events.filter(({ run, outcome }) => run === applying.run && outcome !== "applying"),
    target: targetOf(applying),
    patches: [] as (Fact & StoredFact)[],
  }));
  const runs = announced.filter(({ applying }) => applying.details["new_offset"] !== "null");
  for (const fact of facts) {
    if (fact.fact !== "stored" || fact.at < story.began || fact.offset === null) continue;
    const body = canonicalJson(fact.offset);
    const could = runs.filter(
      (run) => run.applying.details["new_offset"] === body && undoes(run, runs)?.patches.length !== 0,
    );
    patcherOf(story, could, fact)?.patches.push(fact);
  }
  return { story, facts, commands, runs, announced };
}

/** The earlier run whose change a rollback takes back: before that is stored, what it restores is the task's own. */
const undoes = <R extends SeenRun>({ applying }: R, runs: readonly R[]): R | undefined =>
  runs.find(
    (other) =>
      other.applying.position < applying.position &&
      other.applying.details["previous_offset"] === applying.details["new_offset"],
  );

/**
 * Two runs of one plan send the same body: it is whose call was under way, or whose change was open; whose was not seen
 * yet first.
 */
function patcherOf<R extends SeenRun>(story: Story, could: readonly R[], { at }: Fact): R | undefined {
  if (could.length < 2) return could[0];
  const sends = ({ operator }: R): boolean =>
    story.acts.some(
      (act) => act.act === "call" && act.method === "PATCH" && act.by === operator && act.at <= at && at <= act.until,
    );
  const isOpen = ({ applying, outcomes }: R): boolean =>
    applying.at <= at && !outcomes.some((one) => earliest(one) < at);
  const rank = (run: R): number => (sends(run) ? 4 : 0) + (isOpen(run) ? 2 : 0) + (run.patches.length === 0 ? 1 : 0);
  return [...could].sort((one, other) => rank(other) - rank(one))[0];
}

const targetOf = ({ details }: EventFact): bigint => resumeOf(offsetOf(details["new_offset"])) ?? 0n;
