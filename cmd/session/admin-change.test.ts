/** What `admin offsets set` refuses, and what it changes, against a sandbox. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { healthyWorld } from "../../providers/sandbox/oracle/world.ts";
import {
  CONNECTOR,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
  storedOffset,
} from "../../providers/sandbox/sandbox.ts";
import { type Apart, runApart } from "./testing/run-apart.ts";

const setting = suite("admin offsets set");

type Set = (...words: readonly string[]) => Promise<Apart>;

function inSandbox(name: string, options: SandboxOptions, act: (sandbox: Sandbox, set: Set) => Promise<void>): void {
  setting(name, async () => {
    const folder = await mkdtemp(join(tmpdir(), "cdcctl-set-"));
    const sandbox = await startSandbox(options);
    try {
      const target = ["--connect-url", sandbox.connect.url, "--name", CONNECTOR];
      await act(sandbox, (...words) =>
        runApart(["admin", "offsets", "set", ...target, ...words], { CDCCTL_STATE: join(folder, "state") }),
      );
    } finally {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
}

const changes = ({ connect }: Sandbox) =>
  connect.requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
const REASON = ["--reason", "replay"];

inSandbox("a missing reason is a refusal: exit 1, and no system is asked", {}, async (sandbox, set) => {
  const seen = await set("--scn", "2010000");
  assert.is(seen.exit, 1, seen.stderr);
  assert.match(seen.stderr, /^refused: moving the offset requires a reason/);
  assert.match(seen.stderr, /--reason TEXT/);
  assert.match(seen.stderr, /OFF113/);
  assert.equal(sandbox.connect.requests, []);
});

inSandbox("an id to forget that is not in the ledger: exit 1, and nothing is moved", {}, async (sandbox, set) => {
  const seen = await set("--scn", "2010000", ...REASON, "--forget-released", "9.9.999");
  assert.is(seen.exit, 1, seen.stdout);
  assert.match(seen.stdout, /OFF109/);
  assert.match(seen.stdout, /not in the ledger: 9\.9\.999; it holds 3:4\.9\.771, 3:5\.2\.802/);
  assert.equal(changes(sandbox), []);
});

inSandbox(
  "an empty text is no id to forget, and not all of them: exit 64, and no system is asked",
  {},
  async (sandbox, set) => {
    for (const words of [["--forget-released", ""], ["--forget-released="], ["--forget-released", " "]]) {
      const seen = await set("--scn", "2010000", ...REASON, ...words);
      assert.is(seen.exit, 64, seen.stdout);
      assert.match(seen.stderr, /^cdcctl: --forget-released/);
    }
    assert.equal(sandbox.connect.requests, []);
  },
);

inSandbox("a connector with a setting that is null is changed like any other", {}, async (sandbox, set) => {
  const stored = sandbox.connect.cluster.connectors.get(CONNECTOR);
  if (stored === undefined) throw new Error("there is no connector");
  stored.config = { ...stored.config, ...JSON.parse('{ "errors.tolerance": null }') };
  const answer = await (await fetch(`${sandbox.connect.url}/connectors/${CONNECTOR}`)).text();
  assert.match(answer, '"errors.tolerance":null');
  const seen = await set("--scn", "2010000", ...REASON);
  assert.is(seen.exit, 0, seen.stdout + seen.stderr);
  assert.is(sandbox.stored()?.["resume_scn"], 2010000n);
});

inSandbox("an id without its container removes the one it identifies", {}, async (sandbox, set) => {
  const seen = await set("--scn", "2010000", ...REASON, "--forget-released", "4.9.771");
  assert.is(seen.exit, 0, seen.stdout + seen.stderr);
  assert.is(sandbox.stored()?.["released_xids"], "3:5.2.802");
});

const AT_TARGET = (() => {
  const { resume_rs_id: _rsId, resume_ssn: _ssn, ...kept } = storedOffset(healthyWorld());
  return { ...kept, resume_scn: 2010000n };
})();

for (const state of ["STOPPED", "PAUSED"] as const)
  inSandbox(
    `--resume starts a connector that is ${state} where the offset already has the requested value`,
    { offset: AT_TARGET, state },
    async (sandbox, set) => {
      const seen = await set("--scn", "2010000", ...REASON, "--resume");
      assert.is(seen.exit, 0, seen.stdout + seen.stderr);
      assert.equal(changes(sandbox), [`PUT /connectors/${CONNECTOR}/resume`]);
      const status = await fetch(`${sandbox.connect.url}/connectors/${CONNECTOR}/status`);
      assert.match(await status.text(), /"tasks":\[\{"id":0,"state":"RUNNING"/);
      assert.match(seen.stdout, /Start orders-cdc .* is at 2010000 as\s+requested/);
      assert.match(seen.stdout, /^ {2}start, at most/m);
      assert.match(seen.stdout, /the stored offset of orders-cdc is unchanged; the connector is running/);
      assert.not.match(seen.stdout, /rollback/);
      assert.not.match(seen.stdout, /signal/);
    },
  );

inSandbox("without --resume there is nothing to do", { offset: AT_TARGET, state: "STOPPED" }, async (sandbox, set) => {
  const without = await set("--scn", "2010000", ...REASON);
  assert.is(without.exit, 0, without.stdout + without.stderr);
  assert.match(without.stdout, /nothing to do/);
  assert.equal(changes(sandbox), []);
});

setting.run();
