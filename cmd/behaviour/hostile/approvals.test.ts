/** Four eyes: what counts as an approval, with OpenSSH's own ssh-keygen. */
import { execFile, spawnSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { digestOf } from "../../../core/values/digest.ts";
import { canonicalJson, type JsonObject, parseJson, printJson } from "../../../core/values/json.ts";
import { type Sandbox, startSandbox } from "../../../providers/sandbox/sandbox.ts";
import { contexts, planFile } from "../../../providers/sandbox/scenario.ts";
import { opsEventsOf } from "../changed-world.ts";
import { runHere } from "../run-command.ts";

const approvals = suite("approvals");

const HAS_SSH_KEYGEN = spawnSync("ssh-keygen", ["-?"]).error === undefined;
if (!HAS_SSH_KEYGEN) console.log("NOT RUN: approvals need ssh-keygen (OpenSSH's client), which is not in PATH");

type Policy = { readonly required?: number; readonly distinct?: boolean; readonly operatorSigns?: boolean };

interface Scene {
  readonly own: Sandbox;
  readonly file: (name: string) => string;
  readonly run: (...words: readonly string[]) => ReturnType<typeof runHere>;
  /** Signs the plan, as the person of that name and with her key. @returns the file's path */
  approved(by: string, ...more: readonly string[]): Promise<string>;
  apply(...more: readonly string[]): ReturnType<typeof runHere>;
  /** Refused before anything is changed, with these words. */
  refused(words: RegExp, ...more: readonly string[]): Promise<void>;
}

const PEOPLE = ["ana", "ben", "eve"];
const KEYS = mkdtemp(join(tmpdir(), "cdcctl-keys-")).then(async (folder) => {
  for (const name of [...PEOPLE, "ana2", "stranger"])
    await promisify(execFile)("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", join(folder, name)]);
  return folder;
});
const key = async (name: string) => join(await KEYS, name);
const publicKey = async (name: string) =>
  (await readFile(await key(`${name}.pub`), "utf8")).split(" ").slice(0, 2).join(" ");

async function signersOf(...lines: readonly (readonly [principal: string, key: string])[]): Promise<string> {
  const all = await Promise.all(lines.map(async ([principal, of]) => `${principal} ${await publicKey(of)}\n`));
  return all.join("");
}

function inScene(name: string, policy: Policy, act: (scene: Scene) => Promise<void>): void {
  if (!HAS_SSH_KEYGEN) return;
  approvals(name, async () => {
    const folder = await mkdtemp(join(tmpdir(), "cdcctl-approvals-"));
    const own = await startSandbox({ state: "STOPPED" });
    const file = (one: string) => join(folder, one);
    try {
      const asked = Object.entries({ required: 1, signers: "signers", ...policy });
      const section = `    approvals:\n${asked.map(([member, value]) => `      ${member}: ${value}\n`).join("")}`;
      await writeFile(file("contexts.yaml"), `${contexts(own)}${section}`, { mode: 0o600 });
      await writeFile(file("replay.yaml"), planFile("orders-replay", "replay", "scn: 2010000"));
      await writeFile(
        file("signers"),
        await signersOf(...PEOPLE.map((one) => [`${one}@x`, one] as const), ["ana@x", "ana2"]),
      );
      await mkdir(file("approvals"));
      const env = {
        HOME: folder,
        PATH: process.env["PATH"] ?? "",
        CDCCTL_STATE: file("state"),
        CDCCTL_CONTEXTS: file("contexts.yaml"),
        CDCCTL_OPERATOR: "eve@x",
      };
      const run = (...words: readonly string[]) => runHere([...words], { env });
      const planned = await run("plan", file("replay.yaml"), "--out", file("plan.json"));
      assert.is(planned.exit, 0, planned.output);
      const apply = (...more: readonly string[]) =>
        run("apply", file("plan.json"), "--yes", "--settle", "100ms", "--approvals", file("approvals"), ...more);
      await act({
        ...{ own, file, run, apply },
        async approved(by, ...more) {
          const out = file(`approvals/${by}.approval.json`);
          const words = ["approve", file("plan.json"), "--key", await key(by), "--as", `${by.replace(/\d/, "")}@x`];
          const signed = await run(...words, "--out", out, ...more);
          assert.is(signed.exit, 0, signed.output);
          return out;
        },
        async refused(words, ...more) {
          const { exit, output } = await apply(...more);
          assert.is(exit, 1, output);
          assert.match(output.replace(/\s+/g, " "), words);
          assert.match(output, /APL825/);
          assert.is(String(own.stored()?.["resume_scn"]), "2044511");
          assert.equal(await opsEventsOf(own), []);
        },
      });
    } finally {
      await own.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
}

inScene("a change is applied once it is approved, and what approved it is recorded", {}, async (scene) => {
  const { own, run, approved, apply, refused } = scene;
  await refused(/the context sandbox needs 1 approval, and none counts .*cdcctl approve .*plan\.json --context sandbox/);
  await approved("ana");
  const applied = await apply();
  assert.is(applied.exit, 0, applied.output);
  assert.match(applied.stderr, "approved as sandbox asks: ana@x");
  assert.is(String(own.stored()?.["resume_scn"]), "2010000");
  for (const { details } of await opsEventsOf(own)) {
    assert.is(details.approved_by, "ana@x");
    assert.match(details.approvals ?? "", /^sha256:/);
  }
});

approvals.run();
