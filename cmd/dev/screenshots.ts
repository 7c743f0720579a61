/** `npm run screenshots -- [FOLDER]`: pages in the looks that a reader has; the README shows two of them. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { startBrowser } from "../../providers/real/browser.ts";
import { PAGES } from "../views/testing/example-pages.ts";

const IMAGES = fileURLToPath(new URL("../../docs/images/", import.meta.url));

interface Shot {
  readonly page: string;
  readonly width: number;
  readonly height: number;
  readonly scheme: "light" | "dark";
  readonly media?: "print";
}

/** Those of the README; the others, only where a folder is named. */
const README: { readonly [name: string]: Shot } = {
  "plan-light": { page: "refused", width: 900, height: 760, scheme: "light" },
  "position-dark": { page: "position", width: 900, height: 620, scheme: "dark" },
};
const OTHERS: { readonly [name: string]: Shot } = {
  "position-narrow": { page: "position", width: 400, height: 1400, scheme: "light" },
  "run-print": { page: "run", width: 718, height: 1050, scheme: "light", media: "print" },
};

const [asked] = process.argv.slice(2);
const folder = asked === undefined ? IMAGES : resolve(asked);
const work = await mkdtemp(join(tmpdir(), "cdcctl-screenshots-"));
const browser = await startBrowser();
try {
  await mkdir(folder, { recursive: true });
  for (const [name, shot] of Object.entries(asked === undefined ? README : { ...README, ...OTHERS })) {
    const { width, height, scheme, media = "" } = shot;
    const file = join(work, `${name}.html`);
    await writeFile(file, PAGES[shot.page] ?? "");
    const { page } = browser;
    const screen = { width, height, deviceScaleFactor: 1, mobile: false };
    await page.call("Emulation.setDeviceMetricsOverride", screen);
    const features = [{ name: "prefers-color-scheme", value: scheme }];
    await page.call("Emulation.setEmulatedMedia", { media, features });
    await page.open(pathToFileURL(file).href);
    const { data } = (await page.call("Page.captureScreenshot", { optimizeForSpeed: false })) as { data: string };
    await writeFile(join(folder, `${name}.png`), Buffer.from(data, "base64"));
    process.stdout.write(`${join(folder, `${name}.png`)}\n`);
  }
} finally {
  await browser.close();
  await rm(work, { recursive: true, force: true });
}
