import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ConnectorSettings } from "../facts/connector/settings.ts";
import { recordedChanges } from "../facts/ops/ops-event.ts";
import { runFromOps } from "../run/from-ops.ts";
import type { JournalEntry } from "../run/journal.ts";
import { runState } from "../run/state.ts";
import { type Attempts, attemptsOf, planAgain, planNow } from "./testing/attempts.ts";
import { lived } from "./testing/begun.ts";
import { moveTo, snapshotAgain } from "./testing/intents.ts";
import { type MemoryWorld, memoryWorld } from "./testing/memory-world.ts";
import { CONNECTOR, OPS_TOPIC, PREVIOUS_SCN, SIGNALS_TOPIC } from "./testing/story.ts";

const asleep = suite("an operator whose process sleeps");

const BACK = PREVIOUS_SCN - 25_000n;
const HOUR = 3_600_000;

/** The run in flight, on a machine that knows the ops topic only; undefined if none is in flight. */
function elsewhere(world: MemoryWorld, resume: boolean): Attempts | undefined {
  const over = runFromOps(world.events, CONNECTOR, {
    settings: { opsTopic: OPS_TOPIC, signalsTopic: SIGNALS_TOPIC } as ConnectorSettings,
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
    assert.match(report.message, /09-15-40Z-beef, recorded at .* came after it, so orders-cdc is left to that run/);
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

asleep.run();
