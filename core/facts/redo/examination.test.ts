import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { LogProbe, RedoCatalogue } from "../../../schemas/generated/facts.ts";
import { archived, catalogue, LOCAL, logs, online, question, RESETLOGS, thread } from "../testing/build-catalogue.ts";
import { examineRedo, logsBetween, logsToProbe, type RedoQuestion } from "./redo.ts";

const redo = suite("completeness of the redo from an SCN to now");

const OTHER = { id: 2n, name: "LOG_ARCHIVE_DEST_2", status: "VALID", type: "LOCAL" };

function without(...sequences: readonly bigint[]) {
  return logs(10n, 14n).filter(({ sequence }) => !sequences.includes(sequence));
}

function closed(file: string): LogProbe {
  return { file, opened: false, code: "ORA-00308", message: "cannot open archived log" };
}

interface Case {
  readonly name: string;
  readonly catalogue?: Partial<RedoCatalogue>;
  readonly question?: Partial<RedoQuestion>;
  readonly probes?: readonly LogProbe[];
  /** `code reason thread/sequences`; none: complete. */
  readonly faults?: readonly string[];
  readonly firstAvailable?: bigint | undefined;
  readonly end?: bigint;
}

const cases: readonly Case[] = [
  { name: "archived logs and the current one reach from the SCN to now" },
  { name: "an SCN above the last archived log is in the current one", question: { from: 152n } },
  { name: "an SCN on the first SCN of the first log is covered", question: { from: 100n } },
  {
    name: "a missing sequence is CDC-2001, and what follows it is available",
    catalogue: { archived: without(12n) },
    faults: ["CDC-2001 sequence missing 1/12-12"],
    firstAvailable: 130n,
  },
  {
    name: "consecutive missing sequences are one fault",
    catalogue: { archived: without(12n, 13n) },
    faults: ["CDC-2001 sequence missing 1/12-13"],
    firstAvailable: 140n,
  },
  {
    name: "a gap that ends before the SCN does not matter",
    catalogue: { archived: without(11n) },
    question: { from: 125n },
  },
  {
    name: "a gap at the beginning: the first log begins above the SCN",
    question: { from: 95n },
    faults: ["CDC-2001 begins too late 1/?-9"],
    firstAvailable: 100n,
  },
  {
    name: "a gap at the end: the last log ends before now",
    catalogue: { online: [] },
    faults: ["CDC-2001 ends too early 1/15-?"],
    firstAvailable: undefined,
  },
  {
    name: "a gap between the last archived log and the current one",
    catalogue: { archived: without(14n) },
    faults: ["CDC-2001 sequence missing 1/14-14"],
    firstAvailable: 150n,
  },
  {
    name: "an empty catalogue has no log at all",
    catalogue: { archived: [], online: [] },
    faults: ["CDC-2001 no log at all 1/?-?"],
    firstAvailable: undefined,
  },
  {
    name: "an empty archive with a current log begins too late",
    catalogue: { archived: [] },
    faults: ["CDC-2001 begins too late 1/?-14"],
    firstAvailable: 150n,
  },
  {
    name: "no thread at all",
    catalogue: { threads: [], archived: [], online: [] },
    faults: ["CDC-2001 no log at all ?/?-?"],
    firstAvailable: undefined,
  },
  {
    name: "logs marked deleted are CDC-2002, a run of them one fault",
    catalogue: { archived: logs(10n, 14n).map((log) => (log.sequence < 13n ? { ...log, deleted: true } : log)) },
    faults: ["CDC-2002 deleted in the catalogue 1/11-12"],
    firstAvailable: 130n,
  },
  {
    name: "an archived log that is marked unavailable but can be opened is not a gap",
    catalogue: { archived: [...without(13n), archived(13n, { status: "U" })] },
  },
  {
    name: "an archived log that is marked unavailable and cannot be opened is a gap",
    catalogue: { archived: [...without(13n), archived(13n, { status: "U" })] },
    probes: [closed("/arch/1_13_7.arc")],
    faults: ["CDC-2002 cannot be opened 1/13-13"],
    firstAvailable: 140n,
  },
  ...["D", "X"].map(
    (status): Case => ({
      name: `a log of status ${status} cannot be read`,
      catalogue: { archived: [...without(13n), archived(13n, { status })] },
      faults: ["CDC-2002 deleted in the catalogue 1/13-13"],
      firstAvailable: 140n,
    }),
  ),
  {
    name: "a row without a name cannot be added",
    catalogue: { archived: [...without(13n), archived(13n, { name: undefined })] },
    faults: ["CDC-2002 without a name 1/13-13"],
    firstAvailable: 140n,
  },
  {
    name: "a removed file is not detected by the catalogue, but by the probe",
    probes: [closed("/arch/1_12_7.arc"), closed("/arch/1_13_7.arc")],
    faults: ["CDC-2002 cannot be opened 1/12-13"],
    firstAvailable: 140n,
  },
  {
    name: "a file that cannot be opened but is not needed does not matter",
    probes: [closed("/arch/1_10_7.arc")],
  },
  {
    name: "an online log that cannot be opened",
    probes: [closed("/redo/1_15.log")],
    faults: ["CDC-2002 online log unreadable 1/15-15"],
    firstAvailable: undefined,
  },
  {
    name: "an online log without a readable member",
    catalogue: { online: [online(15n, { member: undefined })] },
    faults: ["CDC-2002 online log unreadable 1/15-15"],
    firstAvailable: undefined,
  },
  {
    name: "a switch in progress: a log no longer current and not archived yet is still online",
    catalogue: { archived: without(14n), online: [online(14n, { nextScn: 150n, status: "ACTIVE" }), online(15n)] },
  },
  {
    name:
      "an online log past the archived ones completes the tail, though V$LOG calls it archived: its copy is " +
      "elsewhere",
    catalogue: {
      destinations: [LOCAL, OTHER],
      archived: [...without(14n), archived(14n, { destination: 2n })],
      online: [online(14n, { nextScn: 150n, status: "ACTIVE", archived: true }), online(15n)],
    },
  },
  {
    name: "several logs in that state, without any archived log",
    catalogue: {
      archived: [],
      online: [
        online(11n, { nextScn: 120n, status: "INACTIVE", archived: true }),
        online(12n, { nextScn: 130n, status: "INACTIVE", archived: true }),
        online(13n, { nextScn: 140n, status: "INACTIVE", archived: true }),
        online(14n, { nextScn: 150n, status: "INACTIVE", archived: true }),
        online(15n),
      ],
    },
  },
  {
    name: "a log in that state that cannot be opened is a gap",
    catalogue: {
      archived: without(14n),
      online: [online(14n, { nextScn: 150n, status: "ACTIVE", archived: true }), online(15n)],
    },
    probes: [closed(online(14n).member ?? "")],
    faults: ["CDC-2002 online log unreadable 1/14-14"],
    firstAvailable: 150n,
  },
  {
    name: "an online log that was archived does not replace a copy missing before the last archived one",
    catalogue: {
      archived: without(13n),
      online: [online(13n, { nextScn: 140n, status: "INACTIVE", archived: true }), online(15n)],
    },
    faults: ["CDC-2001 sequence missing 1/13-13"],
    firstAvailable: 140n,
  },
  {
    name: "a purged log is missing although it is still online: the task reads archived logs from their copies",
    catalogue: {
      archived: [...without(14n), archived(14n, { deleted: true })],
      online: [online(14n, { nextScn: 150n, status: "INACTIVE", archived: true }), online(15n)],
    },
    faults: ["CDC-2002 deleted in the catalogue 1/14-14"],
    firstAvailable: 150n,
  },
  {
    name: "an archived copy that fails to open is a gap although the log is still online: the task adds the copy",
    catalogue: { online: [online(14n, { nextScn: 150n, status: "INACTIVE", archived: true }), online(15n)] },
    probes: [closed("/arch/1_14_7.arc")],
    faults: ["CDC-2002 cannot be opened 1/14-14"],
    firstAvailable: 150n,
  },
  {
    name: "groups that were never used, and those being cleared, hold nothing",
    catalogue: {
      archived: without(14n),
      online: [
        online(0n, { firstScn: 0n, status: "UNUSED" }),
        online(14n, { nextScn: 150n, status: "CLEARING" }),
        online(15n),
      ],
    },
    faults: ["CDC-2001 sequence missing 1/14-14"],
    firstAvailable: 150n,
  },
  {
    name: "of two rows of one sequence the readable one counts, whatever their order",
    catalogue: {
      archived: [
        ...without(12n, 13n),
        archived(12n, { deleted: true }),
        archived(12n, { name: "/again/12" }),
        archived(13n, { name: "/again/13" }),
        archived(13n, { status: "X" }),
      ],
    },
  },
  {
    name: "of two readable rows the first counts, and is the one that has to open",
    catalogue: { archived: [...logs(10n, 14n), archived(12n, { name: "/again/12" })] },
    probes: [closed("/arch/1_12_7.arc"), { file: "/again/12", opened: true }],
    faults: ["CDC-2002 cannot be opened 1/12-12"],
    firstAvailable: 130n,
  },
  {
    name: "rows of another destination close no gap",
    catalogue: { destinations: [LOCAL, OTHER], archived: [...without(12n), archived(12n, { destination: 2n })] },
    faults: ["CDC-2001 sequence missing 1/12-12"],
    firstAvailable: 130n,
  },
  {
    name: "standby copies close no gap",
    catalogue: { archived: [...without(12n), archived(12n, { standby: true })] },
    faults: ["CDC-2001 sequence missing 1/12-12"],
    firstAvailable: 130n,
  },
  {
    name: "logs of another incarnation close no gap",
    catalogue: { archived: [...without(12n), archived(12n, { resetlogsScn: 1n })] },
    faults: ["CDC-2001 sequence missing 1/12-12"],
    firstAvailable: 130n,
  },
  {
    name: "RESETLOGS in the range: nothing before it can be mined",
    catalogue: { archived: [...logs(5n, 9n, { resetlogsScn: 1n }), ...logs(10n, 14n, { resetlogsScn: 100n })] },
    question: { from: 60n, resetlogsScn: 100n },
    faults: ["CDC-2001 begins too late ?/?-?"],
    firstAvailable: 100n,
  },
  {
    name: "the destination is the lowest that is valid and local",
    catalogue: {
      destinations: [OTHER, { ...LOCAL, id: 0n, type: "PHYSICAL" }, { ...LOCAL, status: "ERROR" }],
      archived: logs(10n, 14n, { destination: 2n }),
    },
  },
  {
    name: "a destination is found by its name in any case",
    catalogue: { destinations: [LOCAL, OTHER], archived: logs(10n, 14n, { destination: 2n }) },
    question: { destination: "log_archive_dest_2" },
  },
  {
    name: "a destination of that name does not exist",
    question: { destination: "LOG_ARCHIVE_DEST_9" },
    faults: ["CDC-2001 no archive destination ?/?-?"],
    firstAvailable: undefined,
  },
  {
    name: "no destination is valid and local",
    catalogue: { destinations: [{ ...LOCAL, status: "ERROR" }] },
    faults: ["CDC-2001 no archive destination ?/?-?"],
    firstAvailable: undefined,
  },
  {
    name: "every thread requires its redo",
    catalogue: {
      threads: [thread(1n), thread(2n)],
      archived: [...logs(10n, 14n), ...logs(10n, 12n, { thread: 2n })],
      online: [online(15n), online(14n, { thread: 2n })],
    },
    faults: ["CDC-2001 sequence missing 2/13-13"],
    firstAvailable: 140n,
  },
  {
    name: "gaps of two threads: the available redo is after both",
    catalogue: {
      threads: [thread(1n), thread(2n)],
      archived: [...without(13n), ...logs(10n, 14n, { thread: 2n }).filter(({ sequence }) => sequence !== 11n)],
      online: [online(15n), online(15n, { thread: 2n })],
    },
    faults: ["CDC-2001 sequence missing 1/13-13", "CDC-2001 begins too late 2/?-11"],
    firstAvailable: 140n,
  },
  {
    name: "a thread enabled after the SCN requires no earlier redo",
    catalogue: {
      threads: [thread(1n), thread(2n, { enableScn: 130n })],
      archived: [...logs(10n, 14n), ...logs(13n, 14n, { thread: 2n })],
      online: [online(15n), online(15n, { thread: 2n })],
    },
  },
  {
    name: "a thread enabled after the SCN requires all redo from then on",
    catalogue: {
      threads: [thread(1n), thread(2n, { enableScn: 130n })],
      archived: [...logs(10n, 14n), ...logs(14n, 14n, { thread: 2n })],
      online: [online(15n), online(15n, { thread: 2n })],
    },
    faults: ["CDC-2001 begins too late 2/?-13"],
    firstAvailable: 140n,
  },
  {
    name: "a thread disabled since requires what it wrote until then",
    catalogue: {
      threads: [thread(1n), thread(2n, { enabled: "DISABLED", disableScn: 130n })],
      archived: [...logs(10n, 14n), ...logs(11n, 12n, { thread: 2n })],
    },
  },
  {
    name: "a thread disabled since, with its last log gone: available is what follows its disabling",
    catalogue: {
      threads: [thread(1n), thread(2n, { enabled: "DISABLED", disableScn: 127n })],
      archived: [...logs(10n, 14n), ...logs(11n, 11n, { thread: 2n })],
    },
    faults: ["CDC-2001 ends too early 2/12-?"],
    firstAvailable: 127n,
  },
  {
    name: "a thread that was never enabled, or was disabled before the SCN, requires nothing",
    catalogue: {
      threads: [
        thread(1n),
        thread(2n, { enabled: "DISABLED", enableScn: 0n }),
        thread(3n, { enabled: "DISABLED", disableScn: 112n }),
      ],
    },
  },
  {
    name: "a thread that was enabled again also requires what it wrote before it was disabled",
    catalogue: {
      threads: [thread(1n), thread(2n, { enableScn: 140n, disableScn: 120n })],
      archived: [...logs(10n, 14n), ...logs(14n, 14n, { thread: 2n })],
      online: [online(15n), online(15n, { thread: 2n })],
    },
    faults: ["CDC-2001 no log at all 2/?-?"],
    firstAvailable: 120n,
  },
  {
    name: "a thread that V$THREAD no longer lists requires what the catalogue lists",
    catalogue: { archived: [...logs(10n, 14n), archived(12n, { thread: 2n, deleted: true })] },
    faults: ["CDC-2002 deleted in the catalogue 2/12-12"],
    firstAvailable: 130n,
  },
  {
    name: "overlapping sequences are complete",
    catalogue: { archived: [...without(12n), archived(12n, { firstScn: 115n, nextScn: 138n })] },
  },
  {
    name: "a sequence that ends before the SCN, between two that don't, is not missing",
    catalogue: {
      archived: [
        ...without(11n, 12n),
        archived(11n, { nextScn: 130n }),
        archived(12n, { firstScn: 114n, nextScn: 118n }),
      ],
    },
    question: { from: 120n },
  },
  {
    name: "archive_only ends at the last archived log",
    question: { captureMode: "archive_only" },
    end: 149n,
  },
  {
    name: "archive_only ends where the slowest thread does",
    catalogue: {
      threads: [thread(1n), thread(2n)],
      archived: [...logs(10n, 14n), ...logs(10n, 12n, { thread: 2n })],
    },
    question: { captureMode: "archive_only" },
    end: 129n,
  },
  {
    name: "archive_only has nothing to mine from above the last archived log",
    question: { captureMode: "archive_only", from: 152n },
    faults: ["CDC-2001 no log at all 1/?-?"],
    firstAvailable: undefined,
    end: 152n,
  },
  {
    name: "archive_only ends at the applied SCN of a standby, whatever has arrived",
    question: { captureMode: "archive_only", currentScn: 133n },
    end: 133n,
  },
  {
    name: "archive_only does not hide that the newest logs were purged",
    catalogue: { archived: [...without(13n, 14n), ...logs(13n, 14n, { deleted: true })] },
    question: { captureMode: "archive_only" },
    faults: ["CDC-2002 deleted in the catalogue 1/13-14"],
    firstAvailable: undefined,
    end: 129n,
  },
  {
    name: "archive_only does not count an online log as a gap",
    catalogue: {
      archived: without(13n),
      online: [online(13n, { nextScn: 140n, status: "INACTIVE" }), online(15n)],
    },
    question: { captureMode: "archive_only" },
    faults: ["CDC-2001 sequence missing 1/13-13"],
    firstAvailable: 140n,
    end: 149n,
  },
  {
    name: "archive_only: a thread disabled since does not limit the end",
    catalogue: {
      threads: [thread(1n), thread(2n, { enabled: "DISABLED", disableScn: 120n })],
      archived: [...logs(10n, 14n), ...logs(11n, 12n, { thread: 2n })],
    },
    question: { captureMode: "archive_only" },
    end: 149n,
  },
];

for (const { name, probes, faults = [], ...one } of cases)
  redo(name, () => {
    const asked = question(one.question);
    const seen = examineRedo(catalogue(one.catalogue), asked, probes);
    const shown = seen.faults.map(
      ({ code, reason, thread: of, fromSequence: from, toSequence: to }) =>
        `${code} ${reason} ${of ?? "?"}/${from ?? "?"}-${to ?? "?"}`,
    );
    assert.equal(shown, faults);
    assert.is(seen.complete, faults.length === 0);
    assert.is(seen.firstAvailable, faults.length === 0 ? asked.from : one.firstAvailable);
    assert.is(seen.end, one.end ?? 155n);
    assert.is(seen.probed, probes !== undefined);
  });

redo("a fault names the affected SCNs, times and files", () => {
  const times = { firstTime: "2026-11-20T18:30:00Z", nextTime: "2026-11-20T18:31:00Z" };
  const rows = [...without(11n, 12n), ...logs(11n, 12n, { deleted: true, ...times })];
  assert.equal(examineRedo(catalogue({ archived: rows }), question(), undefined).faults, [
    {
      code: "CDC-2002",
      reason: "deleted in the catalogue",
      thread: 1n,
      fromSequence: 11n,
      toSequence: 12n,
      firstScn: 110n,
      nextScn: 130n,
      ...times,
      files: ["/arch/1_11_7.arc", "/arch/1_12_7.arc"],
      message: "thread 1 sequences 11 to 12 purged: marked deleted in the catalogue: /arch/1_11_7.arc and 1 more",
    },
  ]);
});

redo("a file that cannot be opened is named with the database's message", () => {
  const { faults } = examineRedo(catalogue(), question(), [closed("/arch/1_12_7.arc")]);
  assert.is(faults[0]?.message, "thread 1 sequence 12 can't be opened (ORA-00308): /arch/1_12_7.arc");
});

redo("every file that the task would add is probed once, in order, and no other", () => {
  const rows = [
    ...logs(10n, 14n),
    archived(12n, { destination: 2n, name: "/restored/12" }),
    archived(13n, { standby: true, name: "/standby/13" }),
    archived(14n, { status: "D", name: "/purged/14" }),
  ];
  assert.equal(logsToProbe(catalogue({ archived: rows }), question({ from: 120n })), [
    "/arch/1_12_7.arc",
    "/arch/1_13_7.arc",
    "/arch/1_14_7.arc",
    "/redo/1_15.log",
  ]);
  assert.equal(logsToProbe(catalogue(), question({ from: 145n, captureMode: "archive_only" })), ["/arch/1_14_7.arc"]);
  const twice = [archived(10n), archived(11n, { name: archived(10n).name })];
  assert.equal(logsToProbe(catalogue({ archived: twice, online: [] }), question({ from: 100n })).length, 1);
});

redo("readable copies of faulty logs are reported, others are not", () => {
  const elsewhere = (sequence: bigint, change = {}) =>
    archived(sequence, { destination: 2n, name: `/restored/${sequence}`, ...change });
  const rows = [
    ...without(11n, 13n),
    elsewhere(11n),
    elsewhere(12n),
    elsewhere(13n, { deleted: true }),
    elsewhere(13n, { standby: true }),
    elsewhere(13n, { resetlogsScn: 1n }),
    elsewhere(13n, { destination: 3n }),
  ];
  assert.equal(examineRedo(catalogue({ archived: rows }), question(), undefined).restoredElsewhere, [
    { thread: 1n, sequence: 11n, destination: 2n, name: "/restored/11" },
    { thread: 1n, sequence: 13n, destination: 3n, name: "/restored/13" },
  ]);
});

redo("the redo to mine is counted by thread, without unreadable logs", () => {
  const rows = logs(10n, 14n).map((log) => (log.sequence === 12n ? { ...log, deleted: true } : log));
  assert.equal(examineRedo(catalogue({ archived: rows }), question(), undefined).used, [
    {
      thread: 1n,
      archivedLogs: 3n,
      firstSequence: 11n,
      lastSequence: 14n,
      onlineSequences: [15n],
      bytes: 3000n,
      firstTime: undefined,
    },
  ]);
});

redo("the earliest SCN is that of the whole catalogue, within this incarnation", () => {
  assert.is(examineRedo(catalogue(), question(), undefined).earliest, 100n);
  const early = examineRedo(catalogue(), question({ from: 0n }), undefined);
  assert.is(early.earliest, 100n);
  assert.is(early.beforeResetlogs, true);
  assert.is(examineRedo(catalogue({ archived: without(13n) }), question({ from: 145n }), undefined).earliest, 140n);
});

redo("an empty log between overlapping ones does not lower the available SCN", () => {
  const rows = [
    archived(1n, { firstScn: 0n, nextScn: 1n, resetlogsScn: 3n }),
    archived(2n, { firstScn: 4n, nextScn: 4n, resetlogsScn: 3n }),
    archived(3n, { firstScn: 3n, nextScn: 20n, resetlogsScn: 3n }),
  ];
  const seen = examineRedo(
    catalogue({ threads: [], archived: rows, online: [] }),
    question({ from: 0n, currentScn: 19n, resetlogsScn: 3n }),
    undefined,
  );
  assert.is(seen.earliest, 4n);
  assert.is(seen.firstAvailable, 4n);
});

redo("an SCN above 2^53 is distinguished from its neighbour", () => {
  const base = 2n ** 53n;
  const rows = [archived(1n, { firstScn: base + 1n, nextScn: base + 9n })];
  const tail = [online(2n, { firstScn: base + 9n })];
  const at = (from: bigint) =>
    examineRedo(catalogue({ archived: rows, online: tail }), question({ from, currentScn: base + 20n }), undefined);
  assert.is(at(base + 1n).complete, true);
  assert.is(at(base).complete, false);
  assert.is(at(base).firstAvailable, base + 1n);
});

redo("logs between two SCNs are counted once per sequence", () => {
  const rows = [...logs(10n, 14n), archived(12n, { name: "/again/12" }), archived(13n, { destination: 2n })];
  const between = logsBetween(catalogue({ archived: rows }), LOCAL, RESETLOGS, 115n, 130n);
  assert.equal(
    between.map(({ sequence }) => sequence),
    [11n, 12n],
  );
});

redo.run();
