import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";

const numbers = suite("numbers in the expected output of every command");

const FOLDERS = ["testdata/", "../testdata/"].map((path) => fileURLToPath(new URL(path, import.meta.url)));

/** What each view and each transcript prints, by name. JSON and the commands themselves are for machines. */
const agreed = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:txt|md|html)$/.test(name))
    .map((name) => ({ name, text: readFileSync(`${folder}${name}`, "utf8") })),
);

const UNGROUPED =
  /(?<![\d.:=`-])\d{4,} (?:SCNs?|records?|rows?|bytes|archived logs?|tables?|transactions?|changes|keys|switches|ms)\b/;
const BINARY = /\d ?[KMGT]iB\b/;

numbers("counts are grouped, and sizes have decimal units", () => {
  assert.ok(agreed.length > 250, `${agreed.length} files`);
  for (const { name, text } of agreed)
    for (const line of text.split("\n")) {
      assert.not.match(line, BINARY, name);
      assert.not.match(line.replaceAll(/CDC-\d{4}/g, ""), UNGROUPED, name);
    }
});

numbers("an SCN is never grouped, so that it can be copied", () => {
  for (const { name, text } of agreed) assert.not.match(text, /\bSCN (?:<[^>]*>|`)?\d{1,3}(?:,\d{3})+/, name);
});

/** A figure, or a word that stands where there is none. */
const FIGURE = /^(?:[\d.,]+(?: (?:bytes?|[kMGTP]B|%|ms|s|min|h|d))?)$/;

/** Tables of a page, each as columns: whether the head ends below the others, and the cells. */
function columnsOf(
  page: string,
): readonly { readonly title: string; readonly end: boolean; readonly cells: string[] }[] {
  return [...page.matchAll(/<table>.*?<\/table>/gs)].flatMap(([table]) => {
    const heads = [...table.matchAll(/<th scope="col"([^>]*)>(.*?)<\/th>/g)].map(([, attributes = "", title = ""]) => ({
      title,
      end: attributes.includes('class="end"'),
      cells: [] as string[],
    }));
    for (const [, row = ""] of table.matchAll(/<tr[^>]*>(<th scope="row".*?)<\/tr>/gs))
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].forEach(([, cell = ""], at) => {
        heads[at]?.cells.push(cell.replaceAll(/<[^>]*>/g, "").trim());
      });
    return heads;
  });
}

numbers("figures in the tables of a page are aligned at their end, and nothing else is", () => {
  const columns = agreed
    .filter(({ name }) => name.endsWith(".html"))
    .flatMap(({ name, text }) => columnsOf(text).map((column) => ({ name, ...column })));
  assert.ok(columns.some(({ end }) => end));
  for (const { name, title, end, cells } of columns) {
    const figures = cells.filter((cell) => FIGURE.test(cell));
    const words = cells.filter((cell) => !FIGURE.test(cell) && cell.length > 40);
    if (figures.length > 0 && figures.length === cells.filter((cell) => cell !== "").length)
      assert.ok(end, `${name}: ${title}`);
    if (words.length > 0) assert.not.ok(end, `${name}: ${title}`);
  }
});

numbers.run();
