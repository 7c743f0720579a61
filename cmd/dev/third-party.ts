/** The notices required by the packages bundled into `dist/`. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
  readonly homepage?: string;
  readonly repository?: string | { readonly url: string };
}

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/**
 * The notice that goes with the bundled code: each package with its licence, as it came.
 *
 * @param inputs paths of bundled files, relative to `root`
 * @throws Error for a package that names no licence, or comes without its text
 */
export async function thirdPartyNotice(inputs: readonly string[], root: string): Promise<string> {
  const folders = [...new Set(inputs.flatMap((input) => packageFolder(input) ?? []))].sort();
  const sections = await Promise.all(
    folders.map((folder) =>
      section(
        join(root, folder),
        folders.map((one) => join(root, one)),
      ),
    ),
  );
  return (
    "The commands in this folder contain code of the packages below, each under its own " +
    `licence.\n\n${sections.join("\n")}`
  );
}

/** `node_modules/a/node_modules/@b/c/index.js`: `node_modules/a/node_modules/@b/c`. */
function packageFolder(input: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0];
}

async function section(folder: string, others: readonly string[]): Promise<string> {
  const manifest = await manifestOf(folder);
  const { name, version, license, author, homepage } = manifest;
  if (license === undefined) throw new Error(`${name} ${version} names no licence: it can't be shipped`);
  const by = typeof author === "string" ? author : author?.name;
  const heading = [`${name} ${version}`, license, ...(by === undefined ? [] : [by]), ...(homepage ? [homepage] : [])];
  const texts = [...(await licencesIn(folder))];
  // Packages that are developed in one repository have one licence, which not each of them comes with.
  for (const other of others) {
    if (texts.length > 0) break;
    const sibling = await manifestOf(other);
    const isOfSameHouse = repositoryOf(manifest) !== undefined && repositoryOf(sibling) === repositoryOf(manifest);
    if (isOfSameHouse && sibling.license === license) for (const text of await licencesIn(other)) texts.push(text);
  }
  if (texts.length === 0)
    throw new Error(`${name} ${version} comes without the text of its licence: it can't be shipped`);
  return `${"=".repeat(80)}\n${heading.join("\n")}\n\n${texts.map((text) => `${text.trim()}\n\n`).join("")}`;
}

/**
 * Some packages have the text of their licence nowhere else: the sections of the README that are about it, as far as
 * they grant anything.
 */
async function licencesInReadme(folder: string): Promise<readonly string[]> {
  const readme = (await readdir(folder)).find((file) => /^readme/i.test(file));
  if (readme === undefined) return [];
  const sections = (await readFile(join(folder, readme), "utf8")).split(/^(?=#{1,3} )/m);
  return sections.filter(
    (section) =>
      /^#+ .*licen[cs]/i.test(section) && /permission is hereby granted|redistribution and use/i.test(section),
  );
}

async function licencesIn(folder: string): Promise<readonly string[]> {
  const files = (await readdir(folder)).filter((file) => LICENCE_FILE.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  return texts.length > 0 ? texts : licencesInReadme(folder);
}

async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;
}

function repositoryOf({ repository }: Manifest): string | undefined {
  return typeof repository === "string" ? repository : repository?.url.replace(/^git\+/, "").replace(/\.git$/, "");
}
