/** What the packages that are bundled into `dist/` want to be named with. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
  readonly homepage?: string;
}

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/**
 * The notice that goes with the bundled code: each package with its licence, as it came.
 *
 * @param inputs paths of bundled files, relative to `root`
 * @throws Error for a package that names no licence
 */
export async function thirdPartyNotice(inputs: readonly string[], root: string): Promise<string> {
  const folders = [...new Set(inputs.flatMap((input) => packageFolder(input) ?? []))].sort();
  const sections = await Promise.all(folders.map((folder) => section(join(root, folder))));
  return `The commands in this folder contain code of the packages below, each under its own licence.\n\n${sections.join("\n")}`;
}

/** `node_modules/a/node_modules/@b/c/index.js`: `node_modules/a/node_modules/@b/c`. */
function packageFolder(input: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0];
}

async function section(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;
  const { name, version, license, author, homepage } = manifest;
  if (license === undefined) throw new Error(`${name} ${version} names no licence: it can't be shipped`);
  const by = typeof author === "string" ? author : author?.name;
  const heading = [`${name} ${version}`, license, ...(by === undefined ? [] : [by]), ...(homepage ? [homepage] : [])];
  const files = (await readdir(folder)).filter((file) => LICENCE_FILE.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  return `${"=".repeat(80)}\n${heading.join("\n")}\n\n${texts.map((text) => `${text.trim()}\n\n`).join("")}`;
}
