/** What goes with the bundled code: every package in it with the text of its licence. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bundle, ROOT } from "./bundle.ts";
import { thirdPartyNotice } from "./third-party.ts";

const notice = suite("the third-party notice");

async function inFolder(act: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-licences-"));
  try {
    await act(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

notice("has every bundled package, each with the text of its licence", () =>
  inFolder(async (folder) => {
    const inputs = await bundle(folder);
    const packages = [
      ...new Set(inputs.flatMap((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [])),
    ];
    assert.ok(packages.length > 10);
    const sections = (await thirdPartyNotice(inputs, ROOT)).split("=".repeat(80)).slice(1);
    for (const name of packages) {
      const own = sections.filter((section) => section.trimStart().startsWith(`${name} `));
      assert.ok(own.length > 0, `${name} is missing`);
      for (const section of own)
        assert.match(section, /permission|redistribution|warrant|licen[cs]e/i, `${name} has no licence text`);
      for (const section of own) assert.ok(section.length > 500, `${name}: ${section}`);
    }
  }),
);

notice("is refused for a package without the text of its licence, and for one without a licence", () =>
  inFolder(async (folder) => {
    const place = join(folder, "node_modules/some");
    await mkdir(place, { recursive: true });
    for (const [manifest, says] of [
      [{ name: "some", version: "1.0.0", license: "ISC" }, /some 1\.0\.0 comes without the text of its licence/],
      [{ name: "some", version: "1.0.0" }, /some 1\.0\.0 names no licence/],
    ] as const) {
      await writeFile(join(place, "package.json"), JSON.stringify(manifest));
      const error = await thirdPartyNotice(["node_modules/some/index.js"], folder).catch((thrown: unknown) => thrown);
      assert.match((error as Error).message, says);
    }
  }),
);

notice.run();
