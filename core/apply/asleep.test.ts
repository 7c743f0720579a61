import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ConnectorSettings } from "../facts/connector/settings.ts";
import { recordedChanges } from "../facts/ops/ops-event.ts";
import { runFromOps } from "../run/from-ops.ts";
import type { JournalEntry } from "../run/journal.ts";
import { runState } from "../run/state.ts";
import { HOUR, MINUTE } from "../values/duration.ts";
import { linesOf } from "../values/remedy.ts";
import { type Attempts, attemptsOf, planAgain, planNow } from "./testing/attempts.ts";
import { lived } from "./testing/begun.ts";
import { evidenceText } from "./testing/evidence-text.ts";
import { moveTo, snapshotAgain } from "./testing/intents.ts";
import { CAPTURED } from "./testing/memory-facts.ts";
import { type MemoryWorld, memoryWorld } from "./testing/memory-world.ts";
import { LEGACY_TOPICS, type Migration, migrationWorld, phaseOf } from "./testing/migration-world.ts";
import { CONNECTOR, OPS_TOPIC, PREVIOUS_SCN, SIGNALS_TOPIC } from "./testing/story.ts";

const asleep = suite("an operator whose process sleeps");

const BACK = PREVIOUS_SCN - 25_000n;

/** The run in flight, on a machine that knows the ops topic only; undefined if none is in flight. */
function elsewhere(world: MemoryWorld, resume: boolean): Attempts | undefined {
  const over = runFromOps(world.events, CONNECTOR, {
    settings: { prefix: "orders", opsTopic: OPS_TOPIC, signalsTopic: SIGNALS_TOPIC } as ConnectorSettings,
    connectUrl: "http://w:8083",
    context: undefined,
    clusterId: "k",
    operator: "ben",
    cdcctl: "test",
  });
  if (over === undefined) return undefined;
  const run = attemptsOf(planAgain(moveTo(BACK, { resume }), world), world, over.started.run);
  const entries = run.entries as JournalEntry[];
  for (const event of over.events) entries.push({ seq: BigInt(entries.length), at: world.clock.now(), ...event });
  return run;
}

/** The world as a process sees it that sleeps after its so-and-so-many-th call has been answered. */
function sleepingAfter(call: number, world: MemoryWorld, meanwhile: () => Promise<void>): MemoryWorld {
  let calls = 0;
  const drowsy = <P extends object>(port: P): P =>
    new Proxy(port, {
      get(target, name: keyof P & string) {
        const member = target[name];
        if (typeof member !== "function" || name === "time") return member;
        return async (...args: unknown[]) => {
          const answer = await member.apply(target, args);
          if (++calls !== call) return answer;
          await meanwhile();
          await world.clock.sleep(HOUR);
          return answer;
        };
      },
    });
  const ports = { connect: drowsy(world.connect), kafka: drowsy(world.kafka) };
  return new Proxy(world, {
    get: (target, name) => (name in ports ? ports[name as keyof typeof ports] : Reflect.get(target, name)),
  });
}

interface Story {
  readonly world: MemoryWorld;
  readonly home: Attempts;
  readonly report: Awaited<ReturnType<typeof lived>>;
  /** PATCHes and connector state when the other machine was done; undefined if it had nothing to do. */
  readonly left: { readonly patches: number; readonly state: string; readonly sent: bigint } | undefined;
}

/** Applies with one sleep after each call in turn, during which another machine settles the run. */
async function* everySleep(settle: "abandon" | "recover", resume: boolean): AsyncGenerator<Story> {
  for (let call = 1; ; call++) {
    const world = memoryWorld();
    let left: Story["left"];
    let slept = false;
    const meanwhile = async () => {
      slept = true;
      const away = elsewhere(world, resume);
      if (away === undefined) return;
      const sent = runState(home.entries)?.attempts ?? 0n;
      await lived(away[settle]());
      left = { patches: world.patches.length, state: world.state, sent };
    };
    const home = attemptsOf(planNow(moveTo(BACK, { resume }), world), sleepingAfter(call, world, meanwhile));
    const report = await lived(home.apply());
    if (!slept) return;
    yield { world, home, report, left };
  }
}

const recorded = ({ world }: Story) => recordedChanges(world.events, CONNECTOR).map(({ outcome }) => outcome);
const ended = ({ home }: Story) => runState(home.entries)?.ended?.outcome;
const scn = ({ world }: Story) => BigInt(String(world.stored?.["resume_scn"]));

asleep("while another machine abandons its run sends no PATCH and starts nothing, and says who did it", async () => {
  let settled = 0;
  for (const resume of [true, false])
    for await (const story of everySleep("abandon", resume)) {
      const { left, report, world, home } = story;
      if (left === undefined) continue;
      settled++;
      assert.is(world.patches.length, left.patches, report.message);
      assert.match(report.message, /has recorded this run as failed, from another machine at/);
      assert.is(world.state, left.state, report.message);
      assert.equal(recorded(story), ["failed"]);
      assert.is(ended(story), left.sent === 0n ? "failed" : undefined, report.message);
      assert.is(scn(story) === BACK, left.sent > 0n);
      // Its operator decides what becomes of a change that was sent.
      if (left.sent > 0n) assert.is((await lived(home.recover())).outcome, "succeeded");
    }
  assert.ok(settled > 8, `${settled} sleeps`);
});

asleep(
  "while another machine finishes its run records no failure, and its journal says what the topic says",
  async () => {
    const outcomes = new Set<string>();
    for (const resume of [true, false])
      for await (const story of everySleep("recover", resume)) {
        const { left, report, world, home } = story;
        if (left === undefined) continue;
        assert.equal(recorded(story), ["applied"], report.message);
        assert.not.ok(
          world.events.some(({ details }) => details.outcome === "failed"),
          report.message,
        );
        assert.is(world.patches.length, left.patches, report.message);
        outcomes.add(`${resume} ${report.outcome}`);
        const here = runState(home.entries)?.steps;
        assert.equal([here?.get("patch-offset"), here?.get("record-outcome")], ["done", "done"], report.message);
        if (report.outcome === "succeeded") continue;
        assert.match(
          report.message,
          /recorded this run as applied, .*orders-cdc is STOPPED, and was not started from here/,
        );
        assert.is((await lived(home.recover())).outcome, "succeeded");
        assert.is(world.state, "RUNNING");
      }
    assert.equal([...outcomes].sort(), ["false succeeded", "true unfinished"]);
  },
);

asleep(
  "while the journal is written looks again before the request leaves, and says that it did not leave",
  async () => {
    const world = memoryWorld();
    const { fate } = world;
    const { read } = world.kafka;
    let due = false;
    const home = attemptsOf(planNow(moveTo(BACK, { resume: false }), world), world);
    world.fate = () => {
      const last = home.entries.at(-1);
      if (last?.type === "step-started" && last.step === "patch-offset" && !due) {
        due = true;
        void world.clock.sleep(HOUR);
      }
      return fate();
    };
    world.kafka.read = async (...args) => {
      if (due) {
        world.kafka.read = read;
        world.fate = fate;
        await lived((elsewhere(world, false) as Attempts).abandon());
      }
      return read(...args);
    };
    const report = await lived(home.apply());
    assert.equal([report.outcome, world.patches.length], ["failed", 0], report.message);
    assert.ok(home.entries.some((entry) => entry.type === "call-withheld" && entry.call === "PATCH"));
    assert.equal([runState(home.entries)?.attempts, report.moved], [0n, false]);
  },
);

asleep("before it starts the connector leaves it to a run that came after its own", async () => {
  for (const done of [true, false]) {
    const world = memoryWorld();
    const plan = planNow(moveTo(BACK, { resume: true }), world);
    let other: Attempts | undefined;
    const home: Attempts = attemptsOf(plan, world, undefined, {});
    const { append } = world.kafka;
    world.kafka.append = async (...record) => {
      const at = await append(...record);
      if (runState(home.entries)?.steps.get("record-outcome") === "started" && other === undefined) {
        other = attemptsOf(planNow(moveTo(BACK - 1000n, { resume: false }), world), world, "2026-11-21T09-15-40Z-beef");
        const { patchOffsets } = world.connect;
        if (!done)
          world.connect.patchOffsets = async (...patch) => {
            world.connect.patchOffsets = patchOffsets;
            other?.interrupt();
            return patchOffsets(...patch);
          };
        await lived(other.apply());
      }
      return at;
    };
    const report = await lived(home.apply());
    assert.is(report.outcome, "succeeded");
    assert.match(
      report.message,
      /09-15-40Z-beef by \S+ \(self-asserted\), recorded at .* came after it, so orders-cdc is left to that run/,
    );
    assert.is(world.state, "STOPPED", `${done}`);
  }
});

const MEANWHILE: Readonly<Record<string, (world: MemoryWorld) => Promise<unknown>>> = {
  "somebody starts the connector": async (world) => {
    world.state = "RUNNING";
  },
  "another run does the same": async (world) => {
    const other = attemptsOf(planNow(snapshotAgain({}), world), world, "2026-11-21T09-15-40Z-beef");
    assert.is((await lived(other.apply())).outcome, "succeeded");
  },
};
for (const [what, happens] of Object.entries(MEANWHILE))
  asleep(`before it writes its signal looks again: ${what} meanwhile, and no signal follows`, async () => {
    let slept = 0;
    for (let call = 1; call < 200; call++) {
      const world = memoryWorld();
      world.purged = true;
      let due = false;
      let theirs = 0;
      const meanwhile = async () => {
        due = world.signals.length === 0 && runState(home.entries)?.steps.get("write-signal") === "started";
        if (due) await happens(world);
        theirs = world.signals.length;
      };
      const home = attemptsOf(planNow(snapshotAgain({}), world), sleepingAfter(call, world, meanwhile));
      const report = await lived(home.apply());
      if (!due) continue;
      slept++;
      assert.equal([report.outcome, world.signals.length], ["failed", theirs], `call ${call}: ${report.message}`);
    }
    assert.ok(slept > 1, `${slept} sleeps`);
  });

/** A phase of a migration that is about to begin. */
interface Phase {
  readonly m: Migration;
  readonly home: Attempts;
}

async function beginCutover(): Promise<Phase> {
  const m = migrationWorld();
  return { m, home: await m.run(phaseOf("cutover")) };
}

async function afterCutover(): Promise<Migration> {
  const { m, home } = await beginCutover();
  assert.is((await lived(home.apply())).outcome, "succeeded");
  await m.world.settle();
  return m;
}

async function beginRollback(): Promise<Phase> {
  const m = await afterCutover();
  return { m, home: await m.run(phaseOf("rollback", { deleteTopics: true })) };
}

async function beginRetirement(): Promise<Phase> {
  const m = await afterCutover();
  const tables = CAPTURED.map((name) => `ORCLPDB1.SALES.${name}`);
  for (const table of ["CUSTOMERS", "LINES", "LINES__OLD"]) m.world.makeTopic(`orders.ORCLPDB1.SALES.${table}`);
  const { text, digest } = await evidenceText(tables, { "ORCLPDB1.SALES.ORDERS": LEGACY_TOPICS[0] ?? "" });
  m.verified = { ...m.verified, tables, evidence: { ...m.verified.evidence, digest } };
  assert.is((await lived((await m.run(phaseOf("verify"))).apply())).outcome, "succeeded");
  m.evidence = text;
  return { m, home: await m.run(phaseOf("retire")) };
}

/** The process sleeps after its so-and-so-many-th answered call, or while it writes this journal entry. */
type Moment = number | { readonly writing: string };

/**
 * Lets an hour pass at a moment of a run, with what others do meanwhile; a minute where the call of that moment is
 * lost, which is sent again afterwards. @returns whether the moment came
 */
function sleepAt(
  moment: Moment,
  { m: { world }, home }: Phase,
  meanwhile: () => Promise<void>,
  lost = false,
): () => boolean {
  let calls = 0;
  let done = false;
  const sleep = async () => {
    done = true;
    await meanwhile();
    await world.clock.sleep(lost ? MINUTE : HOUR);
  };
  for (const port of [world.connect, world.kafka] as unknown as Record<string, unknown>[])
    for (const [name, member] of Object.entries(port)) {
      if (typeof member !== "function" || name === "time" || name === "records") continue;
      port[name] = async (...args: unknown[]) => {
        const last = home.entries.at(-1);
        if (lost && !done && last?.type === "call-sent" && typeof moment === "object" && last.call === moment.writing) {
          await sleep();
          return { answer: "unanswered", why: "the connection was cut" };
        }
        const answer = await member(...args);
        if (!done && ++calls === moment) await sleep();
        return answer;
      };
    }
  const record = home.entries as JournalEntry[];
  const { push } = record;
  if (typeof moment === "object" && !lost)
    record.push = (...entries) => {
      const size = push.apply(record, entries);
      const [entry] = entries;
      // The clock shows it at once; the others have acted when the run looks again.
      if (!done && entry?.type === "call-sent" && entry.call === moment.writing) {
        done = true;
        void world.clock.sleep(HOUR);
        acting = meanwhile();
      }
      return size;
    };
  let acting: Promise<void> | undefined;
  const { read } = world.kafka;
  world.kafka.read = async (...args) => {
    const theirs = acting;
    acting = undefined;
    await theirs;
    return read(...args);
  };
  return () => done;
}

/** What a request would change. */
const systems = ({ m }: Phase) => [m.legacy(), m.next(), m.world.changes.length, m.world.stored === null];

/** Every moment of a phase. */
async function momentsOf(begin: () => Promise<Phase>): Promise<readonly Moment[]> {
  const phase = await begin();
  let calls = 0;
  for (const port of [phase.m.world.connect, phase.m.world.kafka] as unknown as Record<string, unknown>[])
    for (const [name, member] of Object.entries(port))
      if (typeof member === "function" && name !== "time" && name !== "records")
        port[name] = (...args: unknown[]) => {
          calls++;
          return member(...args);
        };
  assert.is((await lived(phase.home.apply())).outcome, "succeeded");
  const sent = phase.home.entries.flatMap((entry) => (entry.type === "call-sent" ? [{ writing: entry.call }] : []));
  return [...Array.from({ length: calls }, (_, at) => at + 1), ...sent];
}

/** A process with a copy of the journal settles the run. */
function withCopyOf({ m, home }: Phase): Attempts {
  const [first] = home.entries;
  if (first?.type !== "run-started" || first.plan?.intent.kind !== "Migration") throw new Error("it has not begun");
  const away = attemptsOf(first.plan, m.world, first.run, m.hands(first.plan.intent));
  (away.entries as JournalEntry[]).push(...home.entries);
  return away;
}

asleep(
  "during a rollback while it is abandoned with a copy of its journal sends nothing more, and says so",
  async () => {
    let settled = 0;
    for (const moment of await momentsOf(beginRollback)) {
      const phase = await beginRollback();
      const { m, home } = phase;
      let left: ReturnType<typeof systems> | undefined;
      let outcome: string | undefined;
      sleepAt(moment, phase, async () => {
        const { length } = m.world.events;
        // Once its own outcome is recorded, nothing that is added shows who settles the run.
        if (m.world.events.at(-1)?.details.outcome === "applied") return;
        await lived(withCopyOf(phase).abandon());
        if (m.world.events.length === length) return;
        outcome = m.world.events.at(-1)?.details.outcome;
        left = systems(phase);
      });
      const report = await lived(home.apply());
      if (left === undefined) continue;
      settled++;
      const label = `${JSON.stringify(moment)} ${report.message}`;
      assert.equal(systems(phase), left, label);
      assert.match(
        report.message,
        `ana (self-asserted) has recorded this run as ${outcome}, from another machine at`,
        label,
      );
      assert.is(m.world.events.at(-1)?.details.outcome, outcome, label);
      assert.is(report.outcome === "failed", outcome === "failed" && !left[3] && m.world.changes.length === 1, label);
    }
    assert.ok(settled > 5, `${settled} sleeps`);
  },
);

/** The phases, and where the connectors are at the end. */
const PHASES = {
  cutover: { begin: beginCutover, ends: ["STOPPED", "RUNNING"] },
  rollback: { begin: beginRollback, ends: ["RUNNING", "gone"] },
  retirement: { begin: beginRetirement, ends: ["gone", "RUNNING"] },
} as const;

/** Every call of a phase, and some of the moments between them. */
const someMoments = async (begin: () => Promise<Phase>) =>
  (await momentsOf(begin)).filter((moment) => typeof moment === "object" || moment % 8 === 0 || moment < 8);

for (const [name, { begin, ends }] of Object.entries(PHASES))
  for (const lost of [false, true])
    asleep(
      `during a ${name} that a process with a copy of its journal finishes ends soon${lost ? ", its call lost" : ""}`,
      async () => {
        const outcomes = new Set<string>();
        for (const moment of await someMoments(begin)) {
          if (lost && typeof moment === "number") continue;
          const phase = await begin();
          const { m, home } = phase;
          let finished: number | undefined;
          sleepAt(
            moment,
            phase,
            async () => {
              if (home.entries.length === 0) return;
              const { outcome } = await lived(withCopyOf(phase).recover());
              if (outcome === "succeeded") finished = m.world.clock.elapsed();
            },
            lost,
          );
          const report = await lived(home.apply());
          if (finished === undefined) continue;
          outcomes.add(report.outcome);
          const label = `${JSON.stringify(moment)} ${report.message}`;
          const asleepFor = typeof moment === "number" ? HOUR : lost ? MINUTE : 0;
          assert.ok(m.world.clock.elapsed() - finished - asleepFor < MINUTE / 2, label);
          assert.not.match(report.message, /not found|never answered|no definite answer/, label);
          await home.settle();
          assert.equal([m.legacy(), m.next(), m.bothRan()], [...ends, false], label);
        }
        assert.ok(outcomes.has("succeeded"), [...outcomes].join(", "));
      },
    );

asleep("at a cutover's POST that others have rolled back is offered to abandon, which settles it", async () => {
  const phase = await beginCutover();
  const { m, home } = phase;
  const { create } = m.world.connect;
  sleepAt(
    { writing: `POST connector ${CONNECTOR}` },
    phase,
    async () => {
      // The request arrives, and only its answer is lost.
      const [first] = home.entries;
      const intent = first?.type === "run-started" ? first.plan?.intent : undefined;
      if (intent?.kind !== "Migration") throw new Error("no cutover");
      const config = { ...(await m.hands(intent).newConfiguration?.(intent)) };
      await create(CONNECTOR, config, "STOPPED");
      assert.is((await lived((await m.run(phaseOf("rollback"))).apply())).outcome, "succeeded");
    },
    true,
  );
  const woken = await lived(home.apply());
  for (const report of [woken, await lived(home.recover())]) {
    assert.is(report.outcome, "unfinished");
    assert.match(
      report.message,
      /orders-legacy is RUNNING.*whether POST connector orders-cdc has taken effect is unknown/,
    );
    assert.match(
      linesOf(report.remedies),
      /no worker can still hold POST connector orders-cdc: +cdcctl recover \S+ --abandon/,
    );
  }
  assert.is((await lived(home.abandon())).outcome, "abandoned");
  assert.equal([m.legacy(), m.next(), m.bothRan()], ["RUNNING", "gone", false]);
});

asleep(
  "while a copy of its journal finishes its rollback may be abandoned, and leaves the record as it is",
  async () => {
    const phase = await beginRollback();
    const { m, home } = phase;
    sleepAt({ writing: `PUT stop ${CONNECTOR}` }, phase, async () => void (await withCopyOf(phase).recover()), true);
    assert.match(
      (await lived(home.apply())).message,
      /ana \(self-asserted\) has recorded this run as applied, from another machine/,
    );
    assert.is((await lived(home.abandon())).outcome, "abandoned");
    assert.is(m.world.events.at(-1)?.details.outcome, "applied");
  },
);

asleep("at a stop whose connector is deleted meanwhile does not ask for it again and again", async () => {
  const phase = await beginRollback();
  const { m, home } = phase;
  sleepAt({ writing: `PUT stop ${CONNECTOR}` }, phase, async () => void m.world.connectors.all.delete(CONNECTOR), true);
  const { stop } = m.world.connect;
  let asked = 0;
  m.world.connect.stop = (name) => {
    asked++;
    return stop(name);
  };
  const report = await lived(home.apply());
  assert.is(report.outcome, "unfinished");
  assert.match(
    report.message,
    /orders-cdc not found \(404\); and whether PUT stop orders-cdc has taken effect is unknown/,
  );
  assert.is(asked, 2);
  assert.match(linesOf(report.remedies), /--abandon/);
});

/** Another run, whose rollback has stopped the new connector, has announced its removal, and goes no further yet. */
async function rollBackHalfway({ world, run }: Migration): Promise<void> {
  const other = await run(phaseOf("rollback"));
  const { fate } = world;
  world.fate = () => {
    if (other.entries.at(-1)?.type === "step-done" && runState(other.entries)?.steps.get("record-applying") === "done")
      other.interrupt();
    return fate();
  };
  assert.is((await lived(other.apply())).outcome, "unfinished");
  world.fate = fate;
}

asleep("during a retirement while another run begins to roll the cutover back deletes nothing more", async () => {
  let settled = 0;
  for (const moment of await momentsOf(beginRetirement)) {
    const phase = await beginRetirement();
    let left: ReturnType<typeof systems> | undefined;
    sleepAt(moment, phase, async () => {
      if (phase.m.legacy() === "gone") return;
      await rollBackHalfway(phase.m);
      left = systems(phase);
    });
    const report = await lived(phase.home.apply());
    if (left === undefined) continue;
    settled++;
    const label = `${JSON.stringify(moment)} ${report.message}`;
    assert.equal(systems(phase), left, label);
    assert.match(
      report.message,
      /run \S+ by ana \(self-asserted\), .*, which removes the stored offset, came after this run began/,
      label,
    );
  }
  assert.ok(settled > 2, `${settled} sleeps`);
});

for (const [what, begin] of Object.entries({
  cutover: beginCutover,
  rollback: beginRollback,
  retirement: beginRetirement,
}))
  asleep(`during a ${what} that is abandoned in its own journal meanwhile sends and writes nothing more`, async () => {
    let settled = 0;
    for (const moment of await momentsOf(begin)) {
      const phase = await begin();
      const { home } = phase;
      let left: ReturnType<typeof systems> | undefined;
      let entries = 0;
      sleepAt(moment, phase, async () => {
        if (runState(home.entries) === undefined) return;
        await lived(home.abandon());
        left = systems(phase);
        entries = home.entries.length;
      });
      const report = await lived(home.apply());
      if (left === undefined) continue;
      settled++;
      const label = `${JSON.stringify(moment)} ${report.message}`;
      // A connector that runs stores its offset by itself.
      assert.equal([...systems(phase).slice(0, 3), home.entries.length], [...left.slice(0, 3), entries], label);
      assert.is(runState(home.entries)?.ended?.outcome, "abandoned", label);
      assert.is(report.outcome, "unfinished", label);
    }
    assert.ok(settled > 8, `${settled} sleeps`);
  });

asleep.run();
