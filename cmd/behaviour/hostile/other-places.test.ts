/** What is approved is a decision and its place: a plan that is pointed elsewhere since is not the reviewed one. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { digestOf } from "../../../core/values/digest.ts";
import { type Json, type JsonObject, parseJson, printJson } from "../../../core/values/json.ts";
import { CONNECTOR, type Sandbox, startSandbox } from "../../../providers/sandbox/sandbox.ts";
import { contexts, planFile } from "../../../providers/sandbox/scenario.ts";
import { opsEventsOf } from "../changed-world.ts";
import { runHere } from "../run-command.ts";

const places = suite("the place of a plan");

interface Scene {
  readonly own: Sandbox;
  /** Another URL that shows the same, cluster and connector included, as a proxy of somebody does. */
  readonly other: string;
  readonly folder: string;
  readonly run: (...words: readonly string[]) => ReturnType<typeof runHere>;
  /** Saves the plan of the own cluster, and returns what its report says. */
  planned(): Promise<{
    readonly file: string;
    readonly text: string;
    readonly approval: string;
    readonly decision: string;
  }>;
}

function inScene(name: string, act: (scene: Scene) => Promise<void>): void {
  places(name, async () => {
    const folder = await mkdtemp(join(tmpdir(), "cdcctl-places-"));
    const own = await startSandbox({ state: "STOPPED" });
    const other = own.connect.url.replace("127.0.0.1", "localhost");
    try {
      const file = (name: string) => join(folder, name);
      const twin = `  twin:
    connect:
      url: ${other}
`;
      await writeFile(file("contexts.yaml"), `${contexts(own)}${twin}`, { mode: 0o600 });
      await writeFile(file("replay.yaml"), planFile("orders-replay", "replay", "scn: 2010000"));
      const env = { HOME: folder, CDCCTL_STATE: file("state"), CDCCTL_CONTEXTS: file("contexts.yaml") };
      const run = (...words: readonly string[]) => runHere([...words], { env });
      await act({
        ...{ own, other, folder, run },
        async planned() {
          const { exit, output, stdout } = await run("plan", file("replay.yaml"), "--out", file("plan.json"));
          assert.is(exit, 0, output);
          const text = await readFile(file("plan.json"), "utf8");
          const { approval, decision } = parseJson(text) as JsonObject;
          assert.match(stdout, `approval ${approval}`);
          assert.match(stdout, `plan.json --expect ${approval}`);
          return { file: file("plan.json"), text, approval: String(approval), decision: String(decision) };
        },
      });
    } finally {
      await own.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/** Another target, and every digest that somebody can compute who edits the file. */
function resealed(text: string, target: JsonObject): string {
  const { digest: _digest, ...body } = parseJson(text) as Record<string, Json>;
  const [plan] = body["plans"] as Record<string, Record<string, Json>>[];
  const intent = plan?.["intent"] as Record<string, Json>;
  intent["target"] = { ...target, connector: (intent["target"] as JsonObject)["connector"] ?? null };
  return `${printJson({ ...body, digest: digestOf(body) })}\n`;
}

const stored = ({ stored: of }: Sandbox) => String(of()?.["resume_scn"]);

inScene("applied as reviewed, the approval is accepted", async ({ own, run, planned }) => {
  const { file, approval } = await planned();
  const applied = await run("apply", file, "--expect", approval, "--settle", "100ms");
  assert.is(applied.exit, 0, applied.output);
  assert.is(stored(own), "2010000");
});

inScene("the plan file itself has the same approval as its saved plan", async ({ folder, own, run, planned }) => {
  const { approval } = await planned();
  const json = await run("plan", join(folder, "replay.yaml"), "--format", "json");
  assert.is((parseJson(json.stdout) as JsonObject)["approval"], approval);
  const applied = await run("apply", join(folder, "replay.yaml"), "--expect", approval, "--settle", "100ms");
  assert.is(applied.exit, 0, applied.output);
  assert.is(stored(own), "2010000");
});

inScene("the decision alone is refused: it is the same everywhere", async ({ folder, own, run, planned }) => {
  const { file, decision } = await planned();
  for (const path of [file, join(folder, "replay.yaml")]) {
    const refused = await run("apply", path, "--expect", decision);
    assert.is(refused.exit, 1, refused.output);
    assert.match(refused.output.replace(/\s+/g, " "), /is the decision alone, which does not say where.*APL810/);
  }
  assert.is(stored(own), "2044511");
});

inScene(
  "a resealed plan with another connectUrl or context is refused",
  async ({ own, other, run, planned, folder }) => {
    const { text, approval, decision } = await planned();
    const file = join(folder, "edited.json");
    for (const target of [{ connectUrl: other }, { context: "twin" }]) {
      await writeFile(file, resealed(text, target));
      const before = own.connect.requests.length;
      const expected = await run("apply", file, "--expect", approval);
      assert.is(expected.exit, 1, expected.output);
      assert.match(expected.output, /APL810/);
      assert.is(own.connect.requests.length, before, "nobody is asked there");
      // The file's own approval is compared if --expect is not given.
      const unexpected = await run("apply", file, "--yes");
      assert.is(unexpected.exit, 1, unexpected.output);
      assert.match(unexpected.output.replace(/\s+/g, " "), /changed since planning: the place.*APL803/);
    }
    // Its decision is the same there: only the place differs.
    const twin = join(folder, "twin.yaml");
    await writeFile(twin, (await readFile(join(folder, "replay.yaml"), "utf8")).replace("sandbox", "twin"));
    const there = parseJson((await run("plan", twin, "--format", "json")).stdout) as JsonObject;
    assert.is(there["decision"], decision);
    assert.is.not(there["approval"], approval);
    assert.is(stored(own), "2044511");
  },
);

inScene("a context that names other workers since is another place", async ({ own, other, run, planned, folder }) => {
  const { file, approval } = await planned();
  const path = join(folder, "contexts.yaml");
  await writeFile(path, (await readFile(path, "utf8")).replace(own.connect.url, other));
  for (const [words, code] of [
    [["--expect", approval], /APL810/],
    [["--yes"], /APL803/],
  ] as const) {
    const refused = await run("apply", file, ...words);
    assert.is(refused.exit, 1, refused.output);
    assert.match(refused.output, code);
  }
  assert.is(stored(own), "2044511");
});

inScene("the order of a context's URLs does not matter", async ({ own, other, planned, folder }) => {
  const path = join(folder, "contexts.yaml");
  const text = await readFile(path, "utf8");
  const urls = (...of: readonly string[]) => text.replace(`url: ${own.connect.url}`, `urls: [${of.join(", ")}]`);
  await writeFile(path, urls(own.connect.url, other));
  const { approval } = await planned();
  await writeFile(path, urls(other, own.connect.url));
  assert.is((await planned()).approval, approval);
});

inScene("a runner that has facts alone, and no contexts, gets the same approval", async (scene) => {
  const { own, other, folder, run } = scene;
  const path = join(folder, "contexts.yaml");
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace(`url: ${own.connect.url}`, `urls: [${other}, ${own.connect.url}]`));
  const { approval } = await scene.planned();
  const [plan, facts] = [join(folder, "replay.yaml"), join(folder, "facts.json")];
  assert.is((await run("observe", plan, "--out", facts)).exit, 0);
  const env = { HOME: join(folder, "nobody") };
  const offline = await runHere(["plan", plan, "--facts", facts, "--format", "json"], { env });
  assert.is((parseJson(offline.stdout) as JsonObject)["approval"], approval);
});

inScene("applied once: the same change through another URL is the same change", async (scene) => {
  const { text, file, approval } = await scene.planned();
  assert.is((await scene.run("apply", file, "--expect", approval, "--settle", "100ms")).exit, 0);
  const again = join(scene.folder, "again.json");
  await writeFile(again, resealed(text, { context: "twin" }));
  const { exit, output } = await scene.run("apply", again, "--yes");
  assert.is(exit, 0, output);
  assert.match(output.replace(/\s+/g, " "), /nothing to do/);
});

for (const through of ["another context", "another URL"])
  inScene(`recover --from-ops through ${through} of the same cluster settles the same change`, async (scene) => {
    const { own, other, folder, run } = scene;
    const { file, approval, decision } = await scene.planned();
    own.connect.fail(({ method }) => (method === "PATCH" ? "disconnect-before" : undefined));
    const env = { HOME: folder, CDCCTL_STATE: join(folder, "state"), CDCCTL_CONTEXTS: join(folder, "contexts.yaml") };
    const patience = { connect: { callMillis: 500, retryMillis: 300 }, patch: 100 };
    const words = ["apply", file, "--expect", approval, "--settle", "100ms"];
    const cut = await runHere(words, { env, patience });
    assert.is(cut.exit, 3, cut.output);
    own.connect.fail(undefined);
    // Another machine, which has no journal of it.
    await rm(join(folder, "state"), { recursive: true });
    const workers = through === "another URL" ? ["--connect-url", other] : ["--context", "twin"];
    const fromOps = ["recover", "--from-ops", ...workers, "--connector", CONNECTOR, "--yes", "--settle", "100ms"];
    const recovered = await run(...fromOps);
    assert.is(recovered.exit, 0, recovered.output);
    assert.is(stored(own), "2010000");
    const events = (await opsEventsOf(own)).map(({ details }) => details);
    assert.is(new Set(events.map((event) => event.run)).size, 1, "one run");
    assert.equal([...new Set(events.map((event) => event.decision))], [decision], "one change");
    assert.equal([events[0]?.outcome, events.at(-1)?.outcome], ["applying", "applied"]);
    // It is the same change in its own place too: there is nothing left to do.
    const again = await run("apply", file, "--expect", approval);
    assert.is(again.exit, 0, again.output);
    assert.match(again.output.replace(/\s+/g, " "), /nothing to do/);
    assert.is((await opsEventsOf(own)).length, events.length);
  });

places.run();
