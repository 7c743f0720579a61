/** Four eyes: what counts as an approval, with OpenSSH's own ssh-keygen. */
import { execFile, spawnSync } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { digestOf } from "../../../core/values/digest.ts";
import { canonicalJson, type Json, type JsonObject, parseJson, printJson } from "../../../core/values/json.ts";
import { until } from "../../../providers/connect/contract.ts";
import { type Sandbox, startSandbox } from "../../../providers/sandbox/sandbox.ts";
import { contexts, planFile } from "../../../providers/sandbox/scenario.ts";
import type { Statement } from "../../../schemas/generated/shared.ts";
import { opsEventsOf } from "../changed-world.ts";
import { runHere } from "../run-command.ts";

const approvals = suite("approvals");

const HAS_SSH_KEYGEN = spawnSync("ssh-keygen", ["-?"]).error === undefined;
if (!HAS_SSH_KEYGEN) process.stdout.write("NOT RUN  approvals: ssh-keygen (OpenSSH's client) is not in PATH\n");

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
  const { own, file, run, approved, apply, refused } = scene;
  await refused(/the context sandbox needs 1 approval, and none counts .*approve .*plan\.json --context sandbox/);
  await approved("ana");
  const applied = await apply();
  assert.is(applied.exit, 0, applied.output);
  assert.match(applied.stderr, "approved as sandbox asks: ana@x");
  assert.is(String(own.stored()?.["resume_scn"]), "2010000");
  for (const { details } of await opsEventsOf(own)) {
    assert.is(details.approved_by, "ana@x");
    assert.match(details.approvals ?? "", /^sha256:/);
  }
  // The journal holds what was signed: show verifies it again, offline.
  const id = /run (\S+)/.exec(applied.stdout)?.[1] ?? "";
  const shown = async (...words: readonly string[]) => (await run("show", id, ...words)).output.replace(/\s+/g, " ");
  assert.match(await shown(), /by eve@x \(self-asserted\).*approved by ana@x: verified by \S+signers, key SHA256:/);
  assert.match((await run("show", id, "--format", "json")).stdout, /"approvals": \[\s+\{\s+"of": "approver"/);
  assert.match(await shown("--format", "html"), /Approved by<.*?ana@x: verified/);
  const history = (await run("history")).output.replace(/\s+/g, " ");
  assert.match(history, /ana@x/);
  assert.match(history, "Operators are self-asserted");
  await writeFile(file("others"), await signersOf(["ben@x", "ben"]));
  assert.match(await shown("--signers", file("others")), /approved by ana@x: NOT VERIFIED by/);
  await rm(file("signers"));
  assert.match(await shown(), /approved by ana@x: not verified here/);
});

inScene("an approval edited in the journal is shown as not verified", {}, async ({ file, run, approved, apply }) => {
  await approved("ana");
  const id = /run (\S+)/.exec((await apply()).stdout)?.[1] ?? "";
  const [journal = ""] = (await readdir(file("state"), { recursive: true })).filter((name) => name.includes(id));
  const path = join(file("state"), journal);
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replaceAll('"by":"ana@x"', '"by":"ben@x"'));
  const { output } = await run("show", id);
  assert.not.match(output, /: verified by/);
});

for (const where of ["a context", "a URL of it in the plan file", "its URL, typed"])
  inScene(`nothing in a plan file switches approvals off: with ${where} they are asked for`, {}, async (scene) => {
    const { own, file, run } = scene;
    const yaml = await readFile(file("replay.yaml"), "utf8");
    const target = where.endsWith("plan file") ? `connectUrl: ${own.connect.url}/` : "";
    await writeFile(
      file("other.yaml"),
      where === "a context" ? yaml : yaml.replace("  context: sandbox\n", target === "" ? "" : `  ${target}\n`),
    );
    const typed = where.endsWith("typed") ? ["--connect-url", own.connect.url] : [];
    const { exit, output } = await run("apply", file("other.yaml"), "--yes", ...typed);
    assert.is(exit, 1, output);
    assert.match(output, /APL825/);
    assert.is(String(own.stored()?.["resume_scn"]), "2044511");
  });

/** What makes an approval that was good one that does not count, and what is said of it. */
const FAULTS: readonly (readonly [
  title: string,
  words: RegExp,
  spoil: (scene: Scene, path: string) => Promise<void>,
])[] = [
  [
    "signed with a key that is nobody's",
    /it is not signed by a key that the signers file has for ana@x/,
    async ({ file, run }, path) => {
      await rm(path);
      const words = ["--key", await key("stranger"), "--as", "ana@x", "--out", path];
      assert.is((await run("approve", file("plan.json"), ...words)).exit, 0);
    },
  ],
  [
    "signed with somebody else's key",
    /it is not signed by a key that the signers file has for ana@x/,
    async ({ file, run }, path) => {
      const words = ["--key", await key("ben"), "--as", "ana@x", "--out", path];
      assert.is((await run("approve", file("plan.json"), ...words)).exit, 0);
    },
  ],
  [
    "signed for another namespace",
    /namespace does not match/,
    (_, path) => rewritten(path, (approval) => resigned(approval, "ana", "git")),
  ],
  [
    "of another decision",
    /ana@x approves another decision, sha256:0{64}/,
    (_, path) => restated(path, { decision: NOTHING }),
  ],
  [
    "of another place",
    /ana@x approves this decision in another place, sha256:0{64}/,
    (_, path) => restated(path, { approval: NOTHING }),
  ],
  [
    "for another context",
    /ana@x approves it for staging, and not for sandbox/,
    (_, path) => restated(path, { contexts: ["staging"] }),
  ],
  [
    "that has expired",
    /ana@x's approval expired 2026-01-02T00:00:00Z/,
    (_, path) => restated(path, { at: "2026-01-01T00:00:00Z", expires: "2026-01-02T00:00:00Z" }),
  ],
  [
    "dated in the future, beyond what clocks differ",
    /it is dated 2999-01-01T00:00:00Z, .* in the future of this machine's clock/,
    (_, path) => restated(path, { at: "2999-01-01T00:00:00Z", expires: "2999-01-02T00:00:00Z" }),
  ],
  [
    "with an edited statement",
    /incorrect signature/,
    (_, path) =>
      rewritten(path, async (approval) => ({
        ...approval,
        statement: { ...(approval["statement"] as JsonObject), expires: "2999-01-01T00:00:00Z" },
      })),
  ],
  [
    "with the signature of another file",
    /incorrect signature/,
    (_, path) => rewritten(path, async (approval) => ({ ...approval, signature: await signatureOf("another", "ana") })),
  ],
  [
    "of a signer who was removed",
    /it is not signed by a key that the signers file has for ana@x/,
    async ({ file }) => writeFile(file("signers"), await signersOf(["ben@x", "ben"])),
  ],
  [
    "of a signer whose key is no longer valid",
    /key has expired/,
    async ({ file }) => writeFile(file("signers"), `ana@x valid-before="20200101" ${await publicKey("ana")}\n`),
  ],
  [
    "of a signer who may sign for other uses only",
    /it is not signed by a key|not allowed|namespace/,
    async ({ file }) => writeFile(file("signers"), `ana@x namespaces="git" ${await publicKey("ana")}\n`),
  ],
  ["that is cut off", /it is not JSON/, async (_, path) => writeFile(path, (await readFile(path)).subarray(0, 200))],
  ["that is empty", /it is not JSON/, (_, path) => writeFile(path, "")],
  ["that is too large", /larger than/, (_, path) => writeFile(path, " ".repeat(70_000))],
  [
    "that is a folder",
    /the file cannot be read/,
    async (_, path) => {
      await rm(path);
      await mkdir(path);
    },
  ],
  [
    "that is a link to nothing",
    /the file cannot be read/,
    async (_, path) => {
      await rm(path);
      await symlink("/nowhere", path);
    },
  ],
  [
    "that is a device",
    /the file cannot be read/,
    async (_, path) => {
      await rm(path);
      await symlink("/dev/zero", path);
    },
  ],
  [
    "with a member that no approval has",
    /it is not an approval/,
    (_, path) => rewritten(path, async (approval) => ({ ...approval, approved: true })),
  ],
  [
    "by a principal that reads as an option",
    /it is not an approval/,
    (_, path) => restated(path, { by: "-oProxyCommand=touch /tmp/x" }),
  ],
  ["by a principal of several lines", /it is not an approval/, (_, path) => restated(path, { by: "ana@x\nben@x" })],
  [
    "with a signature that is none",
    /it is not an approval/,
    (_, path) => rewritten(path, async (approval) => ({ ...approval, signature: "-----BEGIN PGP-----" })),
  ],
  [
    "with a signature of nonsense",
    /incomplete message|invalid format|parse signature/,
    (_, path) =>
      rewritten(path, async (approval) => ({
        ...approval,
        signature: "-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n",
      })),
  ],
];

for (const [title, words, spoil] of FAULTS)
  inScene(`an approval ${title} does not count`, {}, async (scene) => {
    await spoil(scene, await scene.approved("ana"));
    await scene.refused(words);
  });

const NOTHING = `sha256:${"0".repeat(64)}`;

async function rewritten(path: string, change: (approval: JsonObject) => Promise<JsonObject>): Promise<void> {
  await writeFile(path, `${printJson(await change(parseJson(await readFile(path, "utf8")) as JsonObject))}\n`);
}

/** Says something else, and is signed again by the same person. */
function restated(path: string, other: JsonObject): Promise<void> {
  return rewritten(path, (approval) =>
    resigned({ ...approval, statement: { ...(approval["statement"] as JsonObject), ...other } }, "ana"),
  );
}

async function resigned(approval: JsonObject, by: string, namespace?: string): Promise<JsonObject> {
  return { ...approval, signature: await signatureOf(canonicalJson(approval["statement"]), by, namespace) };
}

async function signatureOf(text: string, by: string, namespace = "cdcctl-approval"): Promise<string> {
  const words = ["-Y", "sign", "-q", "-n", namespace, "-f", await key(by)];
  return spawnSync("ssh-keygen", words, { input: text, encoding: "utf8" }).stdout;
}

inScene(
  "two approvals are by two people: the same person twice, under two keys, is one",
  { required: 2 },
  async (of) => {
    await of.approved("ana");
    await of.approved("ana2");
    await of.refused(/needs 2 approvals, and 1 counts: ana@x .*ana@x counts already, with another key/);
    await of.approved("ben");
    const applied = await of.apply();
    assert.is(applied.exit, 0, applied.output);
    assert.is((await opsEventsOf(of.own))[0]?.details.approved_by, "ana@x,ben@x");
  },
);

inScene("one key under two names is one person", { required: 2 }, async ({ file, run, approved, refused }) => {
  await writeFile(file("signers"), await signersOf(["ana@x,ben@x", "ana"]));
  await approved("ana");
  const words = ["--key", await key("ana"), "--as", "ben@x", "--out", file("approvals/b.approval.json")];
  assert.is((await run("approve", file("plan.json"), ...words)).exit, 0);
  await refused(/its key counts already, for ana@x/);
});

inScene("with distinct: false, a person's second key counts", { required: 2, distinct: false }, async (scene) => {
  await scene.approved("ana");
  await scene.approved("ana2");
  const applied = await scene.apply();
  assert.is(applied.exit, 0, applied.output);
});

inScene("whoever applies signs as well, and is none of those who approve", { operatorSigns: true }, async (scene) => {
  const { own, approved, apply, refused } = scene;
  await approved("eve");
  await refused(/the context sandbox needs the signature of whoever applies/);
  // Her own approval does not make four eyes.
  await refused(/none counts .*eve@x is who applies/, "--key", await key("eve"));
  await approved("ana");
  const applied = await apply("--key", await key("eve"));
  assert.is(applied.exit, 0, applied.output);
  assert.is((await opsEventsOf(own))[0]?.details.approved_by, "eve@x,ana@x");
  assert.not.match(applied.output, /APL825/);
});

inScene(
  "a name in the environment signs nothing: the operator's key has to be hers",
  { operatorSigns: true },
  async (of) => {
    await of.approved("ana");
    await of.refused(/needs the signature of whoever applies .*not signed by a key/, "--key", await key("stranger"));
  },
);

inScene(
  "what is asked again may have expired meanwhile: nothing is begun then",
  {},
  async ({ file, own, approved }) => {
    await approved("ana", "--expires", "3s");
    const asked = async (): Promise<string> => {
      await new Promise((done) => setTimeout(done, 3100));
      return "yes";
    };
    const env = {
      HOME: file("."),
      PATH: process.env["PATH"] ?? "",
      CDCCTL_STATE: file("state"),
      CDCCTL_CONTEXTS: file("contexts.yaml"),
    };
    const words = ["apply", file("plan.json"), "--approvals", file("approvals")];
    const late = await runHere(words, { env, typed: asked });
    assert.is(late.exit, 1, late.output);
    assert.match(late.output.replace(/\s+/g, " "), /ana@x's approval expired .*before the change was begun/);
    assert.is(String(own.stored()?.["resume_scn"]), "2044511");
  },
);

inScene("recover, rollback and connectors stop ask for no approvals", {}, async (scene) => {
  const { own, file, run, approved } = scene;
  await approved("ana");
  own.connect.fail(({ method }) => (method === "PATCH" ? "disconnect-before" : undefined));
  const env = {
    ...{ HOME: file("."), PATH: process.env["PATH"] ?? "" },
    ...{ CDCCTL_STATE: file("state"), CDCCTL_CONTEXTS: file("contexts.yaml") },
  };
  const patience = { connect: { callMillis: 500, retryMillis: 300 }, patch: 100 };
  const words = ["apply", file("plan.json"), "--yes", "--settle", "100ms", "--approvals", file("approvals")];
  assert.is((await runHere(words, { env, patience })).exit, 3);
  own.connect.fail(undefined);
  await rm(file("approvals"), { recursive: true });
  for (const command of [
    ["recover", "--yes", "--settle", "100ms"],
    ["rollback", "--yes", "--settle", "100ms"],
    ["connectors", "resume", "orders-cdc", "--context", "sandbox"],
    ["connectors", "stop", "orders-cdc", "--context", "sandbox"],
  ]) {
    // There is something to stop.
    const shown = ["connectors", "show", "orders-cdc", "--context", "sandbox"];
    if (command[1] === "stop") await until("it runs", async () => /RUNNING, task/.test((await run(...shown)).stdout));
    const { exit, output } = await run(...command);
    assert.is(exit, 0, output);
    if (command[1] === "stop") assert.match(output, "orders-cdc is STOPPED, its stored offset is unchanged", output);
  }
  assert.is(String(own.stored()?.["resume_scn"]), "2044511");
});

inScene("a rollback that is saved is a plan like any other: it needs approvals", {}, async (scene) => {
  await scene.approved("ana");
  assert.is((await scene.apply()).exit, 0);
  const back = scene.file("back.json");
  assert.is((await scene.run("rollback", "--out", back)).exit, 0);
  const { exit, output } = await scene.run("apply", back, "--yes", "--approvals", scene.file("approvals"));
  assert.is(exit, 1, output);
  assert.match(output.replace(/\s+/g, " "), /ana@x approves another decision.*APL825/);
});

inScene(
  "a context that is not used asks for nothing, whatever its references are",
  {},
  async ({ file, approved, apply }) => {
    const text = await readFile(file("contexts.yaml"), "utf8");
    const other = `  other:
    connect: { url: http://127.0.0.1:1 }
    approvals: { required: 5, signers: '\${env:NOWHERE}' }
`;
    await writeFile(file("contexts.yaml"), `${text}${other}`, { mode: 0o600 });
    await approved("ana");
    const applied = await apply();
    assert.is(applied.exit, 0, applied.output);
    assert.not.match(applied.output, "NOWHERE");
  },
);

inScene("an admin command with the context is refused, and with a URL in its place it says so", {}, async (scene) => {
  const { own, run } = scene;
  const set = ["admin", "offsets", "set", "--name", "orders-cdc", "--scn", "2010000", "--reason", "replay"];
  const refused = await run(...set, "--context", "sandbox");
  assert.is(refused.exit, 1, refused.output);
  assert.match(refused.output, /APL826/);
  assert.is(String(own.stored()?.["resume_scn"]), "2044511");
  const bypassed = await run(...set, "--connect-url", own.connect.url);
  assert.is(bypassed.exit, 0, bypassed.output);
  assert.match(bypassed.stderr, /note: the context sandbox asks for 1 approval.*with --connect-url in its place/);
});

inScene("a file of signers that others can write is refused", {}, async ({ file, approved, apply }) => {
  await approved("ana");
  await chmod(file("signers"), 0o666);
  const { exit, output } = await apply();
  assert.is(exit, 1, output);
  assert.match(output, /STA702/);
});

inScene("approve reads saved plans only, and an edited one is refused", {}, async ({ file, run }) => {
  const words = ["--key", await key("ana"), "--out", file("x.approval.json")];
  const yaml = await run("approve", file("replay.yaml"), ...words);
  assert.is(yaml.exit, 64, yaml.output);
  assert.match(yaml.output, "approved is a saved plan");
  const text = await readFile(file("plan.json"), "utf8");
  await writeFile(file("edited.json"), text.replaceAll("2010000", "2010001"));
  assert.match((await run("approve", file("edited.json"), ...words)).output, /APL802/);
  const { digest: _digest, ...body } = parseJson(text) as Record<string, Json>;
  const other = { ...body, approval: NOTHING };
  await writeFile(file("edited.json"), `${printJson({ ...other, digest: digestOf(other) })}\n`);
  assert.match((await run("approve", file("edited.json"), ...words)).output, /APL802/);
});

inScene("without ssh-keygen, approving and applying say what to install", {}, async ({ file, approved }) => {
  await approved("ana");
  const env = {
    HOME: file("."),
    PATH: file("nothing"),
    CDCCTL_STATE: file("state"),
    CDCCTL_CONTEXTS: file("contexts.yaml"),
  };
  for (const words of [
    ["approve", file("plan.json"), "--key", await key("ana"), "--as", "ana@x", "--out", file("x.approval.json")],
    ["apply", file("plan.json"), "--yes", "--approvals", file("approvals")],
  ]) {
    const { exit, output } = await runHere(words, { env });
    assert.is(exit, 1, output);
    assert.match(output.replace(/\s+/g, " "), /ssh-keygen is not in PATH.*Install OpenSSH's client.*APL827/);
  }
});

inScene("an ssh-keygen that never ends is ended", {}, async ({ file }) => {
  const { checkSignature, sign } = await import("../../../providers/approvals/ssh-keygen.ts");
  await writeFile(file("ssh-keygen"), "#!/bin/sh\nexec sleep 60\n", { mode: 0o755 });
  const env = { PATH: `${file(".")}:${process.env["PATH"] ?? ""}` };
  const statement = {
    ...{ decision: NOTHING, approval: NOTHING, plan: NOTHING },
    ...{ contexts: [], by: "ana@x", at: "2026-01-01T00:00:00Z", expires: "2026-01-02T00:00:00Z" },
  } as unknown as Statement;
  const limits = { sign: 300, check: 300 };
  for (const call of [
    sign(statement, await key("ana"), env, () => undefined, limits),
    checkSignature({ statement, signature: "" }, "", env, undefined, limits),
  ]) {
    const ended = await call.then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.match(String(ended), /ssh-keygen was ended: no answer within 0\.3 s/);
  }
});

inScene("ssh-keygen is given no secret, in its environment or its arguments", {}, async ({ file }) => {
  await writeFile(file("ssh-keygen"), `#!/bin/sh\n(env; echo "$@") > '${file("given")}'\nexit 1\n`, { mode: 0o755 });
  const env = {
    HOME: file("."),
    PATH: `${file(".")}:${process.env["PATH"] ?? ""}`,
    CDCCTL_CONTEXTS: file("contexts.yaml"),
    CONNECT_PASSWORD: "canary-connect",
    CDCCTL_JMX_PASSWORD: "canary-jmx",
  };
  const words = ["approve", file("plan.json"), "--key", await key("ana"), "--as", "ana@x"];
  const { exit, output } = await runHere(words, { env });
  assert.is(exit, 1, output);
  const given = await readFile(file("given"), "utf8");
  assert.match(given, "cdcctl-approval");
  assert.not.match(given, "canary");
  assert.not.match(output, "canary");
});

inScene("a key with a passphrase, without a terminal, is named with what to do", {}, async ({ file, run }) => {
  const words = ["-q", "-t", "ed25519", "-N", "canary-passphrase", "-f", file("locked")];
  assert.is(spawnSync("ssh-keygen", words).status, 0);
  const { exit, output } = await run("approve", file("plan.json"), "--key", file("locked"), "--as", "ana@x");
  assert.is(exit, 1, output);
  assert.match(output.replace(/\s+/g, " "), /can't sign with .*locked: .*ssh-agent.*APL827/);
  assert.not.match(output, "canary");
});

inScene("file names of any kind are only names", {}, async ({ file, run, approved, apply }) => {
  const strange = file("-o;touch $(x) '\"\n.plan.json");
  await copyFile(file("plan.json"), strange);
  await copyFile(await key("ana"), file("-i key\n"));
  await chmod(file("-i key\n"), 0o600);
  const words = ["--key", file("-i key\n"), "--as", "ana@x", "--out", file("approvals/-s\n.approval.json")];
  const signed = await run("approve", strange, ...words);
  assert.is(signed.exit, 0, signed.output);
  await approved("stranger");
  const applied = await apply();
  assert.is(applied.exit, 0, applied.output);
});

approvals.run();
