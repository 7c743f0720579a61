import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { evidenceText } from "../../core/apply/testing/evidence-text.ts";
import { CONNECTOR } from "../../core/apply/testing/story.ts";
import { UsageError } from "../../core/errors.ts";
import { evidencePath, refuseStranger, replaceEvidence } from "./evidence-file.ts";

const place = suite("the evidence file of a plan", { dir: "" });
place.before.each(async (context) => {
  context.dir = await realpath(await mkdtemp(join(tmpdir(), "cdcctl-evidence-")));
});
place.after.each(({ dir }) => rm(dir, { recursive: true }));

async function refusal(path: string, connector = CONNECTOR): Promise<string | undefined> {
  try {
    await refuseStranger(path, connector);
    return undefined;
  } catch (error) {
    assert.instance(error, UsageError);
    return (error as UsageError).message;
  }
}

place("a new file, and earlier evidence of the connector, are accepted", async ({ dir }) => {
  const path = join(dir, "evidence.json");
  assert.is(await refusal(path), undefined);
  await writeFile(path, (await evidenceText(["SALES.ORDERS"], {})).text);
  assert.is(await refusal(path), undefined);
});

place("a missing folder, or a path that is not a folder, is reported before anything is compared", async ({ dir }) => {
  assert.match((await refusal(join(dir, "none", "evidence.json"))) ?? "", "no such folder");
  await writeFile(join(dir, "file"), "");
  assert.match((await refusal(join(dir, "file", "evidence.json"))) ?? "", "is not a folder");
});

place("no other file is replaced, so that a slip in the plan file loses nothing", async ({ dir }) => {
  const path = join(dir, "precious");
  const { text } = await evidenceText(["SALES.ORDERS"], {});
  for (const other of ["", "a note\n", '{"name":"orders-legacy","config":{}}', text.replace('"pass"', '"fail"')]) {
    await writeFile(path, other);
    assert.match((await refusal(path)) ?? "", "it already exists and is not valid evidence");
  }
  await writeFile(path, text);
  assert.match((await refusal(path, "billing-cdc")) ?? "", `evidence of ${CONNECTOR}`);
  await mkdir(join(dir, "folder"));
  assert.match((await refusal(join(dir, "folder"))) ?? "", "it is a folder");
});

place("it is in the plan file's folder or below it, whatever a link says", async ({ dir }) => {
  const plans = join(dir, "plans");
  await mkdir(join(plans, "below"), { recursive: true });
  await writeFile(join(dir, "elsewhere.json"), "");
  await symlink("../elsewhere.json", join(plans, "link.json"));
  await symlink("..", join(plans, "up"));
  await symlink("below", join(plans, "down"));
  const plan = join(plans, "p.yaml");
  for (const path of ["x.json", "below/x.json", "down/x.json", "none/x.json"])
    assert.equal(await evidencePath(path, plan), {
      named: join(plans, path),
      real: join(plans, path.replace("down", "below")),
    });
  for (const path of ["link.json", "up/x.json", "../x.json", join(dir, "x.json")]) {
    const refused = await evidencePath(path, plan).catch((error: unknown) => error);
    assert.instance(refused, UsageError);
    assert.match(String(refused), "leads out of the plan file's folder", path);
  }
});

place(
  "it may be in a folder that does not exist yet, also behind a link to the plan file's folder",
  async ({ dir }) => {
    await mkdir(join(dir, "plans"));
    await symlink("plans", join(dir, "linked"));
    const path = join("none", "deeper", "x.json");
    assert.is((await evidencePath(path, join(dir, "linked", "p.yaml"))).real, join(dir, "plans", path));
    const refused = await evidencePath(join("..", "none", "x.json"), join(dir, "linked", "p.yaml")).catch(String);
    assert.match(String(refused), "leads out of the plan file's folder");
  },
);

place("it goes to no folder that a link has taken the place of since it was checked", async ({ dir }) => {
  const { text } = await evidenceText(["SALES.ORDERS"], {});
  const [below, outside] = [join(dir, "plans", "below"), join(dir, "outside")];
  for (const folder of [below, outside]) await mkdir(folder, { recursive: true });
  await symlink("below", join(dir, "plans", "link"));
  const { real } = await evidencePath(join("link", "x.json"), join(dir, "plans", "p.yaml"));
  await rm(join(dir, "plans", "link"));
  await symlink(outside, join(dir, "plans", "link"));
  await replaceEvidence(real, CONNECTOR, text);
  assert.equal([await readdir(below), await readdir(outside)], [["x.json"], []], "the link is followed once only");
  await rm(below, { recursive: true });
  await symlink(outside, below);
  const refused = await replaceEvidence(real, CONNECTOR, text).catch((error: unknown) => error);
  assert.instance(refused, UsageError);
  assert.match(String(refused), "a folder on its path is now a link");
  assert.equal(await readdir(outside), []);
});

place.run();
