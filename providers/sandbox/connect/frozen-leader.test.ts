import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type JsonObject, printJson } from "../../../core/values/json.ts";
import { until } from "../../connect/contract.ts";
import { callRest, type RestAnswer, type RestCall } from "../../real/rest.ts";
import { type SandboxConnect, type SandboxWorker, startConnect } from "./start-connect.ts";

/** The behaviour of two real workers of 3.9.2 and 4.3.1 when the leader received SIGSTOP and SIGCONT. */
const frozen = suite("sandbox Connect: a leader that freezes");

type Change = readonly [RestCall["method"], string, JsonObject?];
const offsetOf = (scn: bigint) => ({ partition: { server: "CDC" }, offset: { resume_scn: scn } });
const CONFIG = { "connector.class": "sh.oso.connect.oracle.OracleCdcSourceConnector", "cdc.topic.prefix": "NEW" };
const STOP: Change = ["PUT", "/connectors/orders/stop"];
const RESUME: Change = ["PUT", "/connectors/orders/resume"];
const PATCH: Change = ["PATCH", "/connectors/orders/offsets", { offsets: [offsetOf(5n)] }];
const CREATE: Change = ["POST", "/connectors", { name: "new", config: CONFIG }];
const DELETE: Change = ["DELETE", "/connectors/new"];

interface World {
  readonly sandbox: SandboxConnect;
  readonly leader: SandboxWorker;
  readonly through: (change: Change, millis?: number) => Promise<RestAnswer>;
  readonly target: () => string | undefined;
  readonly scn: () => unknown;
}

async function inWorld(
  options: { readonly version?: string; readonly exactlyOnce?: boolean; readonly stopped?: boolean },
  act: (world: World) => Promise<void>,
): Promise<void> {
  const { stopped = false, ...rest } = options;
  const sandbox = await startConnect({
    ...rest,
    workers: 2,
    commitInterval: 600_000,
    statusLag: 0,
    idleTimeout: 50,
    position: () => 1000n,
    connectors: [
      {
        name: "orders",
        config: { "cdc.topic.prefix": "CDC" },
        state: stopped ? "STOPPED" : "RUNNING",
        offsets: [offsetOf(1000n)],
      },
    ],
  });
  const [leader, follower] = sandbox.workers as readonly [SandboxWorker, SandboxWorker];
  try {
    await act({
      sandbox,
      leader,
      through: ([method, path, body], millis = 10_000) =>
        callRest(
          { method, url: follower.url + path, millis, ...(body === undefined ? {} : { body: printJson(body, 0) }) },
          {},
        ),
      target: () => sandbox.cluster.connectors.get("orders")?.target,
      scn: () => sandbox.stored("orders")[0]?.offset?.["resume_scn"],
    });
  } finally {
    await sandbox.close();
  }
}

const exists = ({ sandbox }: World): boolean => sandbox.cluster.connectors.has("new");
const rows: readonly {
  readonly change: Change;
  readonly stopped: boolean;
  readonly before?: Change;
  readonly undo: Change;
  readonly happened: (world: World) => boolean;
}[] = [
  { change: STOP, stopped: false, undo: RESUME, happened: ({ target }) => target() === "STOPPED" },
  {
    change: PATCH,
    stopped: true,
    undo: ["PATCH", "/connectors/orders/offsets", { offsets: [offsetOf(88n)] }],
    happened: ({ scn }) => scn() === 5n,
  },
  { change: CREATE, stopped: false, undo: DELETE, happened: exists },
  { change: DELETE, stopped: false, before: CREATE, undo: CREATE, happened: (world) => !exists(world) },
];

async function unanswered(call: Promise<unknown>): Promise<void> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.is((error as Error | undefined)?.name, "TimeoutError");
}

for (const version of ["3.9.2", "4.3.1"])
  for (const { change, stopped, before, undo, happened } of rows) {
    const [method, path] = change;
    frozen(
      `${version}: ${method} ${path} has no effect before another worker leads, and a second one at the thaw`,
      () =>
        inWorld({ version, stopped }, async (world) => {
          const { sandbox, leader, through } = world;
          if (before !== undefined) await through(before);
          leader.freeze();
          if (version === "3.9.2") await unanswered(through(change, 100));
          else {
            const { status, text } = await through(change);
            assert.is(status, 500);
            assert.match(text, "IO Error trying to forward REST request: Idle timeout expired: 50/50 ms");
          }
          assert.not(happened(world));
          sandbox.elect(1);
          assert.ok((await through(change)).status < 300);
          await until("its effect", async () => happened(world));
          assert.ok((await through(undo)).status < 300);
          await until("that it is undone", async () => !happened(world));
          leader.thaw();
          await until("the old call's effect", async () => happened(world));
        }),
    );
  }

frozen("a resume is answered by the follower, and its task starts once there is a leader again", () =>
  inWorld({ stopped: true }, async ({ sandbox, leader, through }) => {
    leader.freeze();
    assert.is((await through(RESUME)).status, 202);
    const connector = sandbox.cluster.connectors.get("orders");
    await new Promise((resolve) => setImmediate(resolve));
    assert.is(connector?.running, undefined);
    sandbox.elect(1);
    await until("its task", async () => connector?.running !== undefined);
  }),
);

for (const exactlyOnce of [false, true])
  frozen(
    `the frozen worker's task ${exactlyOnce ? "is fenced with" : "undoes a PATCH at the thaw without"} ` +
      "exactly-once support",
    () =>
      inWorld({ exactlyOnce }, async ({ sandbox, leader, through, scn }) => {
        leader.freeze();
        sandbox.elect(1);
        await through(STOP);
        assert.is((await through(PATCH)).status, 200);
        assert.is(scn(), 5n);
        leader.thaw();
        await new Promise((resolve) => setImmediate(resolve));
        assert.is(scn(), exactlyOnce ? 5n : 1000n);
      }),
  );

for (const exactlyOnce of [false, true])
  frozen(
    `a task that was replaced ${exactlyOnce ? "is fenced with" : "commits beside its successor without"} ` +
      "exactly-once support",
    () =>
      inWorld({ exactlyOnce }, async ({ sandbox, leader }) => {
        const generation = () => sandbox.stored("orders")[0]?.offset?.["journal_generation"];
        leader.freeze();
        sandbox.elect(1);
        // An offset is stored as soon as a task has started.
        await until("the successor's first commit", async () => generation() === 2n);
        leader.thaw();
        await new Promise((resolve) => setImmediate(resolve));
        assert.is(generation(), exactlyOnce ? 2n : 1n);
      }),
  );

frozen("a frozen worker does not answer its clients either", () =>
  inWorld({}, async ({ leader }) => {
    const status = { method: "GET", url: `${leader.url}/connectors/orders/status` } as const;
    leader.freeze();
    await unanswered(callRest({ ...status, millis: 50 }, {}));
    leader.thaw();
    assert.is((await callRest(status, {})).status, 200);
  }),
);

frozen("a worker that was killed loses the requests sent to it", () =>
  inWorld({}, async ({ sandbox, leader, through, target }) => {
    leader.freeze();
    await through(STOP, 50).catch(() => undefined);
    await leader.kill();
    sandbox.elect(1);
    await leader.start();
    await new Promise((resolve) => setImmediate(resolve));
    assert.is(target(), "RUNNING");
  }),
);

frozen.run();
