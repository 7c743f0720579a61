import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { instantOf } from "../../values/instant.ts";
import {
  type AttributeSeen,
  LAG_ATTRIBUTES,
  type MetricValue,
  readTaskMetrics,
  serverOfBean,
  TASK_ATTRIBUTES,
  type TaskMetrics,
} from "./task-metrics.ts";

const metrics = suite("attributes of the task's MBean");

const BEAN = "sh.oso.cdc:type=task,server=orders";
const AT = instantOf(1_700_000_000_000);

const ROW: Readonly<Record<string, MetricValue>> = {
  xid: "5.31.8190",
  username: "HR",
  clientId: "app-7",
  ageMillis: 60_000n,
  firstScn: 9_007_199_254_740_993n,
  events: 1000n,
  heapBytes: 1_073_741_824n,
  spilledBytes: 5_000_000_000n,
  journaled: true,
};

const row = (change: Readonly<Record<string, MetricValue | undefined>> = {}): MetricValue =>
  new Map(
    Object.entries({ ...ROW, ...change }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

function metricsOf(change: Readonly<Record<string, AttributeSeen | MetricValue>> = {}): TaskMetrics {
  const all = new Map<string, AttributeSeen>([
    ["LargestTransactions", { read: true, value: [row()] }],
    ...LAG_ATTRIBUTES.map((name, at) => [name, { read: true, value: BigInt(at) }] as const),
  ]);
  for (const [name, value] of Object.entries(change)) all.set(name, isSeen(value) ? value : { read: true, value });
  return readTaskMetrics(all, BEAN, AT);
}

function isSeen(value: AttributeSeen | MetricValue): value is AttributeSeen {
  return typeof value === "object" && value !== null && "read" in value;
}

metrics("a transaction is read with its SCN to the last digit, and with the place and time of the observation", () => {
  assert.equal(metricsOf().largestTransactions, {
    known: true,
    source: `${BEAN} LargestTransactions`,
    at: AT,
    value: [
      {
        xid: "5.31.8190",
        user: "HR",
        clientId: "app-7",
        ageMillis: 60_000n,
        firstScn: 9_007_199_254_740_993n,
        events: 1000n,
        heapBytes: 1_073_741_824n,
        spilledBytes: 5_000_000_000n,
        journaled: true,
      },
    ],
  });
});

metrics("a transaction without user or client identifier has none", () => {
  const { largestTransactions } = metricsOf({ LargestTransactions: [row({ username: null, clientId: "" })] });
  assert.ok(largestTransactions.known);
  assert.is(largestTransactions.value[0]?.user, undefined);
  assert.is(largestTransactions.value[0]?.clientId, undefined);
});

metrics("a task that holds no transaction is distinguished from one that could not be read", () => {
  const none = metricsOf({ LargestTransactions: [] }).largestTransactions;
  assert.ok(none.known && none.value.length === 0);
  const unasked = metricsOf({ LargestTransactions: { read: false, why: "the MBean has no such attribute" } });
  assert.not(unasked.largestTransactions.known);
  assert.match(unasked.largestTransactions.known ? "" : unasked.largestTransactions.why, "no such attribute");
});

const UNFIT: readonly (readonly [string, MetricValue, RegExp])[] = [
  ["a number", 7n, /is a whole number, not a list/],
  ["a row instead of a list", row(), /is a row of values, not a list/],
  ["a list of texts", ["x"], /row 1 is a string/],
  ["a row without its SCN", [row(), row({ firstScn: undefined })], /row 2 .*firstScn is missing/],
  ["an SCN that is a double", [row({ firstScn: 9007199254740992 })], /firstScn is a fraction/],
  ["a negative SCN", [row({ firstScn: -1n })], /firstScn is negative/],
  ["an SCN above the maximum", [row({ firstScn: 2n ** 63n })], /firstScn is above/],
  ["a row without a transaction id", [row({ xid: "" })], /xid is empty/],
  ["a flag that is a text", [row({ journaled: "true" })], /journaled is a string/],
];
for (const [what, value, why] of UNFIT)
  metrics(`${what} makes the transactions unknown, and leaves the rest known`, () => {
    const { largestTransactions, lag } = metricsOf({ LargestTransactions: value });
    assert.not(largestTransactions.known);
    assert.match(largestTransactions.known ? "" : largestTransactions.why, why);
    assert.ok(LAG_ATTRIBUTES.every((name) => lag[name].known));
  });

metrics("each lag attribute is known separately", () => {
  for (const name of LAG_ATTRIBUTES) {
    const { lag } = metricsOf({ [name]: 1.5 });
    const unknown = LAG_ATTRIBUTES.filter((one) => !lag[one].known);
    assert.equal(unknown, [name]);
  }
});

metrics("a negative value of a lag attribute is kept as reported", () => {
  const { OldestOpenScn } = metricsOf({ OldestOpenScn: -1n }).lag;
  assert.ok(OldestOpenScn.known && OldestOpenScn.value === -1n);
});

metrics("every attribute is known or has a reason, whatever the attributes contain", async () => {
  const anyValue = fc.letrec<{ value: MetricValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constant(null),
      fc.boolean(),
      fc.string(),
      fc.bigInt(),
      fc.double(),
      fc.array(tie("value"), { maxLength: 3 }),
      fc
        .array(fc.tuple(fc.constantFrom(...Object.keys(ROW)), tie("value")), { maxLength: 9 })
        .map((entries) => new Map(entries)),
    ),
  })).value;
  const seen = fc.oneof(
    anyValue.map((value) => ({ read: true, value }) as const),
    fc.string().map((why) => ({ read: false, why }) as const),
  );
  await fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...TASK_ATTRIBUTES), seen)), (attributes) => {
      const { largestTransactions, lag } = readTaskMetrics(new Map(attributes), BEAN, AT);
      for (const name of LAG_ATTRIBUTES) {
        const one = lag[name];
        assert.ok(one.known ? typeof one.value === "bigint" : one.source === `${BEAN} ${name}`);
      }
      if (!largestTransactions.known) return;
      for (const one of largestTransactions.value) assert.ok(one.xid !== "" && one.firstScn >= 0n);
    }),
  );
});

metrics("an age of -1 is unknown, and the transaction is still listed", () => {
  const seen = metricsOf({ LargestTransactions: [row({ ageMillis: -1n })] }).largestTransactions;
  assert.is(seen.known && seen.value.length, 1);
  assert.is(seen.known && seen.value[0]?.ageMillis, undefined);
  const older = metricsOf({ LargestTransactions: [row({ ageMillis: -2n })] }).largestTransactions;
  assert.match(older.known ? "" : older.why, "ageMillis is negative");
});

metrics(
  "a prefix is quoted in the MBean's name unless it has only letters, digits, dots, underscores and dashes",
  () => {
    assert.is(serverOfBean("orders_2.eu-west"), "orders_2.eu-west");
    assert.is(serverOfBean("orders eu"), '"orders eu"');
    assert.is(serverOfBean('a"b*\\\n'), '"a\\"b\\*\\\\\\n"');
  },
);

metrics("those that an older connector lacks are unknown, each with the reason", () => {
  const why = "the MBean has no attribute IdlePolls";
  const { lag } = metricsOf({ IdlePolls: { read: false, why } });
  assert.is(lag.IdlePolls.known ? "" : lag.IdlePolls.why, why);
  assert.ok(lag.Steps.known);
});

metrics.run();
