import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { MigrationIntent } from "../document/intent.ts";
import { runState } from "../run/state.ts";
import { lineOf } from "../values/remedy.ts";
import type { Attempts } from "./testing/attempts.ts";
import { lived } from "./testing/begun.ts";
import { actAfter, contradiction, everyFate } from "./testing/migration-story.ts";
import {
  cutoverOn,
  LEGACY,
  LEGACY_SCN,
  type Migration,
  migrationWorld,
  NEW_CLASS,
  phaseOf,
} from "./testing/migration-world.ts";
import { CONNECTOR } from "./testing/story.ts";

const hands = suite("a cutover and other users");

type LegacyState = Parameters<typeof migrationWorld>[0];

async function begun(state: LegacyState = "RUNNING", more: Partial<MigrationIntent> = {}) {
  const m = migrationWorld(state);
  return { m, run: await m.run(phaseOf("cutover", more)) };
}

const legacy = ({ world }: Migration) => {
  const connector = world.connectors.all.get(LEGACY);
  if (connector === undefined) throw new Error("the legacy connector is gone");
  return connector;
};

/** A connector of the new one's name, made by somebody else. */
function createdByAnotherUser({ world }: Migration, state: "RUNNING" | "STOPPED"): void {
  world.connectors.all.set(CONNECTOR, {
    config: { name: CONNECTOR, "connector.class": NEW_CLASS, "cdc.topic.prefix": "theirs" },
    state,
  });
}

const deletions = ({ world }: Migration) => world.changes.filter((change) => change.startsWith("DELETE"));

hands(
  "a connector that another user created meanwhile is never deleted; if it runs, the legacy one stays stopped",
  async () => {
    for (const state of ["RUNNING", "STOPPED"] as const)
      for (const version of ["3.9.2", "3.6.2"]) {
        const m = migrationWorld();
        m.world.version = version;
        const run = await m.run(cutoverOn(version));
        actAfter("create-connector started", { m, run }, () => createdByAnotherUser(m, state));
        const report = await lived(run.apply());
        assert.equal([report.outcome, report.code], ["failed", "APL814"]);
        assert.ok(report.message.includes("already exists"), report.message);
        assert.equal(deletions(m), []);
        assert.equal([m.next(), m.legacy()], [state, state === "RUNNING" ? "STOPPED" : "RUNNING"]);
        assert.is(report.remedies.length > 0, state === "RUNNING");
        assert.not.ok(m.bothRan());
      }
  },
);

hands("a connector that exists after an unanswered attempt is another user's unless it is as requested", async () => {
  const { m, run } = await begun();
  const well = m.world.fate;
  let lost = false;
  m.world.fate = () => {
    if (lost || !isLast(run, "call-sent", "POST connector orders-cdc")) return well();
    lost = true;
    createdByAnotherUser(m, "STOPPED");
    return "lost";
  };
  const report = await lived(run.apply());
  assert.is(report.outcome, "unfinished");
  assert.ok(report.message.includes("it may belong to another user"), report.message);
  assert.equal(deletions(m), []);
  await run.abandon();
  assert.equal([deletions(m), m.legacy(), m.next()], [[], "STOPPED", "STOPPED"]);
});

hands("an attempt that was never sent leaves no doubt: the answer to the next attempt is definite", async () => {
  const { m, run } = await begun();
  const { create } = m.world.connect;
  let tries = 0;
  Object.assign(m.world.connect, {
    create: (...args: Parameters<typeof create>) => {
      tries++;
      if (tries > 1) return create(...args);
      createdByAnotherUser(m, "STOPPED");
      return { answer: "rejected", status: 0, message: "connect ECONNREFUSED" };
    },
  });
  const report = await lived(run.apply());
  assert.equal([report.outcome, report.code, m.next(), m.legacy()], ["failed", "APL814", "STOPPED", "RUNNING"]);
  assert.equal(deletions(m), []);
});

hands("a legacy connector that an operator starts again does not run beside the new one", async () => {
  for (const entry of [
    "stop-connector done",
    "recheck started",
    "takeover-pinned",
    "recheck done",
    "create-connector started",
    "applied POST connector orders-cdc",
    "create-connector done",
    "start-new started",
  ]) {
    const { m, run } = await begun();
    actAfter(entry, { m, run }, () => {
      legacy(m).state = "RUNNING";
    });
    const report = await lived(run.apply());
    assert.ok(["failed", "refused"].includes(report.outcome), `${entry}: ${report.outcome}`);
    assert.is(report.code, "APL804", entry);
    assert.ok(
      /RUNNING, task 0 RUNNING: another user or process started it/.test(report.message),
      `${entry}: ${report.message}`,
    );
    assert.equal([m.next(), m.legacy(), m.bothRan()], ["gone", "RUNNING", false], entry);
    assert.is(contradiction(m, run), undefined, entry);
  }
});

hands("nor is a new connector created that would run at once, before Kafka Connect 3.7", async () => {
  for (const entry of ["takeover-pinned", "recheck done", "create-connector started"]) {
    const m = migrationWorld();
    m.world.version = "3.6.2";
    const run = await m.run(cutoverOn("3.6.2"));
    actAfter(entry, { m, run }, () => {
      legacy(m).state = "RUNNING";
    });
    const report = await lived(run.apply());
    assert.equal([report.code, m.bothRan(), m.world.changes], ["APL804", false, []], entry);
    assert.equal([m.next(), m.legacy()], ["gone", "RUNNING"], entry);
  }
});

hands(
  "a legacy connector that ran between two attempts has advanced: nothing starts from its earlier position",
  async () => {
    for (const killed of ["killed before", "killed after"] as const) {
      const { m, run } = await begun();
      const well = m.world.fate;
      m.world.fate = () => (isLast(run, "call-applied", "POST connector orders-cdc") ? killed : well());
      assert.is(await run.apply(), "killed");
      m.world.fate = well;
      legacy(m).state = "RUNNING";
      await m.world.settle();
      legacy(m).state = "STOPPED";
      const report = await lived(run.recover());
      assert.equal([report.outcome, report.code], ["failed", "APL804"]);
      assert.ok(report.message.includes("no longer those it stopped with"), report.message);
      assert.equal([m.next(), m.legacy()], ["gone", "RUNNING"]);
    }
  },
);

hands(
  "before anything is created, a recovery checks again and starts from the legacy connector's current position",
  async () => {
    const { m, run } = await begun();
    const well = m.world.fate;
    m.world.fate = () => {
      const last = run.entries.at(-1);
      return last?.type === "step-done" && last.step === "recheck" ? "killed before" : well();
    };
    await run.apply();
    m.world.fate = well;
    const pinned = runState(run.entries)?.takeover?.startScn ?? 0n;
    legacy(m).state = "RUNNING";
    await m.world.settle();
    legacy(m).state = "STOPPED";
    assert.is((await lived(run.recover())).outcome, "succeeded");
    assert.ok((runState(run.entries)?.takeover?.startScn ?? 0n) > pinned);
    assert.is(contradiction(m, run), undefined);
  },
);

/** What speaks against the takeover once the legacy connector is stopped. */
const REFUSED: Readonly<Record<string, (m: Migration) => void>> = {
  "its offsets are gone": ({ world }) => void world.connectors.offsets.delete(LEGACY),
  "the database was opened with RESETLOGS": ({ world }) => {
    world.resetlogsScn = LEGACY_SCN + 50_000n;
  },
  "redo from where it stopped is gone": ({ world }) => {
    world.purged = true;
  },
  "topics of the new prefix exist": ({ world }) => world.makeTopic("orders.cdc.txjournal"),
  "another connector uses the new prefix": ({ world }) => {
    world.connectors.all.set("third", {
      config: { "connector.class": NEW_CLASS, "cdc.topic.prefix": "orders" },
      state: "STOPPED",
    });
  },
  "another user has taken the new name": (m) => createdByAnotherUser(m, "STOPPED"),
  "a worker rejects the configuration": ({ world }) => {
    world.problems = [{ setting: "cdc.lob.mode", errors: ["no such mode"] }];
  },
  "its configuration was changed": (m) => {
    legacy(m).config = { ...legacy(m).config, "table.inclusion.regex": ".*" };
  },
  "the operator's file was changed": ({ kept }) => {
    kept["cdc.poll.interval.ms"] = "77";
  },
};

for (const [what, happens] of Object.entries(REFUSED))
  hands(`a check that fails after the stop resumes a legacy connector that ran, and no other: ${what}`, async () => {
    for (const state of ["RUNNING", "FAILED", "PAUSED", "STOPPED"] as const) {
      const { m, run } = await begun(state);
      actAfter("stop-connector done", { m, run }, () => happens(m));
      const report = await lived(run.apply());
      assert.is(report.outcome, "refused", `${state} ${report.message}`);
      assert.equal(m.world.changes, []);
      const ran = state === "RUNNING" || state === "FAILED";
      assert.is(m.legacy(), ran ? "RUNNING" : "STOPPED", state);
      assert.is.not(m.next(), "RUNNING");
      const suggestsResume = report.remedies.some((remedy) => lineOf(remedy).includes(`connectors resume ${LEGACY}`));
      assert.is(suggestsResume, state === "PAUSED", state);
    }
  });

hands("a configuration that changes between the check and the POST is not sent", async () => {
  const { m, run } = await begun();
  actAfter("recheck done", { m, run }, () => {
    m.kept["cdc.poll.interval.ms"] = "77";
  });
  const report = await lived(run.apply());
  assert.equal([report.outcome, report.code, m.world.changes], ["failed", "APL803", []]);
  assert.equal([m.legacy(), m.next()], ["RUNNING", "gone"]);
});

hands("a connector whose configuration is not the one that was sent is deleted again", async () => {
  for (const version of ["3.9.2", "3.6.2"]) {
    const m = migrationWorld();
    m.world.version = version;
    const run = await m.run(cutoverOn(version));
    const { connector } = m.world.connect;
    Object.assign(m.world.connect, {
      connector: async (name: string) => {
        const seen = await connector(name);
        return seen === undefined || name !== CONNECTOR
          ? seen
          : { ...seen, config: { ...seen.config, "cdc.lob.mode": "read" } };
      },
    });
    const report = await lived(run.apply());
    assert.equal([report.outcome, report.code], ["failed", "APL814"]);
    assert.ok(report.message.endsWith("not the requested one: cdc.lob.mode"), report.message);
    assert.equal([m.next(), m.legacy(), m.bothRan(), m.wrongs], ["gone", "RUNNING", false, []]);
    assert.equal(m.world.connectors.offsets.get(CONNECTOR) ?? [], []);
  }
});

const leftover = ({ world }: Migration, scn: bigint) =>
  world.connectors.offsets.set(CONNECTOR, [
    { partition: { server: "orders" }, offset: { v: 1n, resume_scn: scn, journal_generation: 3n } },
  ]);

hands(
  "offsets of an earlier connector of the name are found before the new connector runs, and it is removed again",
  async () => {
    for (const version of ["3.9.2", "3.6.2"]) {
      const m = migrationWorld();
      m.world.version = version;
      leftover(m, LEGACY_SCN + 90_000n);
      const run = await m.run(cutoverOn(version));
      const report = await lived(run.apply());
      assert.equal([report.outcome, report.code], ["failed", "MIG107"], version);
      assert.equal([m.next(), m.legacy(), m.wrongs], ["gone", "RUNNING", []]);
    }
  },
);

hands(
  "an earlier offset that was seen before another user started the new connector is not taken for its own",
  async () => {
    const m = migrationWorld();
    leftover(m, LEGACY_SCN + 90_000n);
    const { offsets, all } = m.world.connectors;
    const read = offsets.get.bind(offsets);
    let started = false;
    offsets.get = (name) => {
      const created = all.get(CONNECTOR);
      if (name === CONNECTOR && created?.state === "STOPPED" && !started) {
        started = true;
        created.state = "RUNNING";
      }
      return read(name);
    };
    const run = await m.run(phaseOf("cutover"));
    const report = await lived(run.apply());
    assert.ok(started);
    assert.equal([report.outcome, report.code], ["failed", "MIG107"], report.message);
    assert.equal([m.next(), m.legacy(), m.bothRan(), m.wrongs], ["RUNNING", "STOPPED", false, []]);
  },
);

hands("an offset found and removed before Kafka Connect 3.7 is recorded before and after, in order", async () => {
  const m = migrationWorld();
  m.world.version = "3.6.2";
  leftover(m, LEGACY_SCN + 90_000n);
  const run = await m.run(cutoverOn("3.6.2"));
  await lived(run.apply());
  const events = m.world.events.map(({ details }) => details);
  assert.equal(
    events.map(({ outcome, new_resume_scn, run: of }) => [outcome, new_resume_scn, of]),
    [
      ["applying", "none", run.entries[0]?.type === "run-started" ? run.entries[0].run : ""],
      ["applied", "none", run.entries[0]?.type === "run-started" ? run.entries[0].run : ""],
    ],
  );
  assert.ok(Number(events[0]?.previous_resume_scn) >= LEGACY_SCN + 90_000n, events[0]?.previous_resume_scn);
});

hands("a removal is recorded correctly, with any fault at any one call or journal entry", async () => {
  const seen = new Set<string>();
  for (const fates of everyFate(34)) {
    const m = migrationWorld();
    m.world.version = "3.6.2";
    leftover(m, LEGACY_SCN + 90_000n);
    const run = await m.run(cutoverOn("3.6.2"));
    m.world.fates = [...fates];
    await run.apply();
    await run.settle();
    const story = `${fates.length} ${fates.at(-1)}`;
    assert.is(contradiction(m, run), undefined, story);
    await m.world.settle();
    assert.is(contradiction(m, run), undefined, `${story}, later`);
    seen.add(m.world.events.map(({ details }) => details.outcome).join(" "));
  }
  assert.ok(seen.has("applying applied") && seen.has("applying failed"), [...seen].join(", "));
});

hands("an accepted earlier offset is used, and the first offset after it is waited for", async () => {
  for (const scn of [LEGACY_SCN - 50_000n, LEGACY_SCN + 20_000n]) {
    const m = migrationWorld();
    leftover(m, scn);
    const run = await m.run(phaseOf("cutover", { accept: ["MIG107"] }));
    const report = await lived(run.apply());
    assert.is(report.outcome, "succeeded", report.message);
    const note = run.entries.find((entry) => entry.type === "step-done" && entry.step === "start-new");
    assert.ok(note?.type === "step-done" && !note.note.endsWith(String(scn)), String(scn));
  }
});

hands("a new connector whose task fails leaves the run open, and it continues once the task is fixed", async () => {
  const { m, run } = await begun();
  m.world.taskFails = true;
  const report = await lived(run.apply());
  assert.is(report.outcome, "unfinished");
  assert.ok(report.message.includes("CDC-2002"), report.message);
  assert.equal([m.legacy(), m.next()], ["STOPPED", "RUNNING"]);
  m.world.taskFails = false;
  assert.is((await lived(run.recover())).outcome, "succeeded");
  assert.is(contradiction(m, run), undefined);
});

hands("a cutover whose new connector never started is abandoned and rolled back, and nothing is recorded", async () => {
  const { m, run } = await begun();
  m.world.taskFails = true;
  await run.apply();
  assert.is((await lived(run.abandon())).outcome, "abandoned");
  const back = await m.run(phaseOf("rollback"));
  const report = await lived(back.apply());
  assert.is(report.outcome, "succeeded", report.message);
  assert.equal([m.legacy(), m.next(), m.world.topics.includes("orders.cdc.ops")], ["RUNNING", "gone", false]);
});

hands("when the legacy connector is started after the new one, both are named and neither is touched", async () => {
  const { m, run } = await begun();
  m.world.taskFails = true;
  await run.apply();
  const connector = m.world.connectors.all.get(CONNECTOR);
  if (connector !== undefined) connector.state = "STOPPED";
  legacy(m).state = "RUNNING";
  const report = await lived(run.recover());
  assert.is(report.outcome, "unfinished");
  assert.ok(
    report.message.includes("orders-legacy is RUNNING, task 0 RUNNING: another user or process started it"),
    report.message,
  );
  assert.equal([m.legacy(), m.next(), deletions(m)], ["RUNNING", "STOPPED", []]);
});

hands("the stop waits until the last of many partitions no longer moves", async () => {
  const { m, run } = await begun("STOPPED");
  legacy(m).state = "RUNNING";
  const { stop } = m.world.connect;
  Object.assign(m.world.connect, {
    stop: async (name: string) => {
      const answer = await stop(name);
      const entries = m.world.connectors.offsets.get(name) ?? [];
      // A task that was left behind commits twice more, for one table only; the second time less than a window after
      // the first.
      for (const [millis, scn] of [
        [900, "2050001"],
        [2000, "2050002"],
      ] as const)
        m.world.after(millis, () =>
          m.world.connectors.offsets.set(
            name,
            entries.map((entry, at) => (at === 0 ? entry : { ...entry, offset: { ...entry.offset, scn } })),
          ),
        );
      return answer;
    },
  });
  await run.apply();
  const stored = runState(run.entries)?.takeover?.offsets;
  assert.is(stored?.at(1)?.offset?.["scn"], "2050002");
});

/** Whether the journal ends with this entry about this call. */
function isLast({ entries }: Attempts, type: "call-sent" | "call-applied", call: string): boolean {
  const last = entries.at(-1);
  return last?.type === type && last.call === call;
}

hands.run();
