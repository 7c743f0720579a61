/** Every promise of docs/contexts-and-trust.md is held to a case: a test that fails where the promise is broken. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { hasTest } from "./connector-rules/titles.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGE = readFileSync(join(ROOT, "docs/contexts-and-trust.md"), "utf8");

/** A paragraph, an item of a list, or what a row of a table says. */
interface Piece {
  readonly text: string;
  /** The files of a row's last column, "Held by". */
  readonly heldBy?: readonly string[];
}

/** Every piece of a page that may promise something: all but headings, code, and the first cells of tables. */
function piecesOf(page: string): readonly Piece[] {
  const prose = page.replaceAll(/^```[\s\S]*?^```$/gm, "").replaceAll(/^#+ .*$|^\|.*\n\|[ |-]+$/gm, "");
  return prose.split(/\n\s*\n|\n(?=\||- |\d\. )/).flatMap((piece): readonly Piece[] => {
    const text = piece
      .replaceAll(/\s+/g, " ")
      .replace(/^(?:-|\d\.) /, "")
      .trim();
    if (text === "") return [];
    if (!text.startsWith("|")) return [{ text }];
    const cells = text.split("|").map((cell) => cell.trim());
    const [first = "", ...others] = cells.slice(1, -1);
    if (others.length < 3)
      return [{ text: (/^(?:`[^`]*`,? ?)+$/.test(first) ? others : [first, ...others]).join(" | ") }];
    const held = [...(others.at(-1) ?? "").matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);
    return [{ text: others.slice(0, -1).join(" "), heldBy: held }];
  });
}

interface Promises {
  readonly says: readonly string[];
  readonly by: readonly (readonly [file: string, title: string])[];
}

/**
 * The paragraphs of `trust-promises.txt`: sentences of the page, and behind two blanks the file and the title of each
 * case that holds them. Sentences without a case stand below "Remarks" only.
 */
function promisesIn(text: string): readonly Promises[] {
  return text.split(/\n\s*\n/).map((paragraph) => {
    const lines = paragraph.split("\n").filter((line) => line !== "" && !line.startsWith("# "));
    return {
      says: lines.filter((line) => !line.startsWith("  ")),
      by: lines.flatMap((line) => {
        const [, file, title] = /^ {2}(\S+): (.+)$/.exec(line) ?? [];
        return file === undefined || title === undefined ? [] : [[file, title] as const];
      }),
    };
  });
}

const [held = "", remarks = ""] = readFileSync(join(ROOT, "cmd/dev/trust-promises.txt"), "utf8").split(
  /^# Remarks.*$/m,
);
const TRUST_PROMISES = promisesIn(held);
const REMARKS = promisesIn(remarks).flatMap(({ says }) => says);
const PIECES = piecesOf(PAGE);
/** Every sentence that is known: one that promises something, or a remark. */
const KNOWN = [...TRUST_PROMISES.flatMap(({ says }) => says), ...REMARKS];
const trust = suite("the promises of the page on trust");

trust("stand in the page as they are held", () => {
  const gone = KNOWN.filter((sentence) => !PIECES.some(({ text }) => text.includes(sentence)));
  assert.equal(gone, []);
});

trust("are each held to a case that exists", () => {
  const missing = TRUST_PROMISES.flatMap(({ says, by }) => {
    if (by.length === 0) return says.map((sentence) => `${sentence}: no case`);
    return by.flatMap(([file, title]) => {
      if (!existsSync(join(ROOT, file))) return [`${file} does not exist`];
      return hasTest(file, readFileSync(join(ROOT, file), "utf8"), title) ? [] : [`${file} has no test "${title}"`];
    });
  });
  assert.equal(missing, []);
});

trust("are all that the page says, but for remarks", () => {
  assert.equal(
    PIECES.flatMap(({ text }) => unheld(text)),
    [],
  );
});

trust("name in the table the files that hold them", () => {
  const wrong = PIECES.flatMap(({ text, heldBy }) => {
    if (heldBy === undefined) return [];
    const held = TRUST_PROMISES.filter(({ says }) => says.some((sentence) => text.includes(sentence)));
    const files = held.flatMap(({ by }) => by.map(([file]) => file));
    const [named, holding] = [[...heldBy].sort(), [...new Set(files)].sort()].map((all) => all.join(", "));
    return named === holding ? [] : [`${text.slice(0, 60)}…: ${holding}, and not ${named}`];
  });
  assert.equal(wrong, []);
});

/** What is left of a piece without the promises that are held and the remarks: the longest first. */
function unheld(text: string): readonly string[] {
  const left = KNOWN.toSorted((a, b) => b.length - a.length).reduce((rest, known) => rest.replace(known, ""), text);
  return /^\s*$/.test(left) ? [] : [left.trim()];
}

trust("a sentence without a case is found, in prose, in a list and in a row", () => {
  for (const page of [
    "No file of this machine is read.",
    "- `--yes` asks nobody.",
    "| Moon | It decides nothing. | Its phase. | `core/moon.test.ts` |",
  ])
    assert.is(piecesOf(page).flatMap(({ text }) => unheld(text)).length, 1, page);
});

trust.run();
