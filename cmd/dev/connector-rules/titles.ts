/** A string of a source file, or a template: where no backslash, quote or line break of its own kind ends it. */
const STRING = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;
const HOLE = /\$\{[^}]*\}/;

/** Whether a file of tests has this title, or a transcript that is played again this command. */
export function hasTest(file: string, text: string, name: string): boolean {
  return file.endsWith(".transcript.txt") ? text.split("\n").includes(`$ ${name}`) : hasTitle(text, name);
}

/** Whether this is the whole of a title: of one string, also one that is written in parts or that holds values. */
export function hasTitle(source: string, title: string): boolean {
  // A quote in a regular expression before it would have the strings paired wrongly.
  const around = source.split(JSON.stringify(title));
  if (around.some((before, at) => /\(\s*$/.test(before) && /^\s*[,)]/.test(around[at + 1] ?? ""))) return true;
  return stringsOf(source).some(({ text, parts }) =>
    parts.length === 1 ? text === title : parts.some((part) => part.trim() !== "") && patternOf(parts).test(title),
  );
}

interface SourceString {
  readonly text: string;
  /** What stands between its values. */
  readonly parts: readonly string[];
}

function stringsOf(source: string): readonly SourceString[] {
  const strings: SourceString[] = [];
  let end = 0;
  for (const { 0: whole, 1: double, 2: single, 3: template, index } of source.matchAll(STRING)) {
    const text = unescaped(double ?? single ?? template ?? "");
    const before = strings.at(-1);
    const goesOn = before !== undefined && /^\s*\+\s*$/.test(source.slice(end, index));
    const joined = goesOn ? before.text + text : text;
    if (goesOn) strings.pop();
    strings.push({ text: joined, parts: template === undefined && !goesOn ? [joined] : joined.split(HOLE) });
    end = index + whole.length;
  }
  return strings;
}

const unescaped = (text: string): string => text.replace(/\\(.)/g, "$1");

const patternOf = (parts: readonly string[]): RegExp =>
  new RegExp(`^${parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join(".+")}$`);
