import { type Alias, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, parseAllDocuments } from "yaml";
import type { Problem } from "../errors.ts";
import { showCount } from "../values/amounts.ts";
import { anyOf } from "../values/regexp.ts";
import { shown } from "./printable.ts";
import type { Place, YamlEntry, YamlNode } from "./tree.ts";

/** Deeper than any document of cdcctl. */
const MAX_DEPTH = 30;

/** The lexer's tokens for a document, and for a plain or a block scalar. */
const DOCUMENT_FOLLOWS = "\u0002";
const SCALAR_FOLLOWS = "\u001f";

/** Far above any real document, and far below the limit of the parser's stack. */
const MAX_INDICATORS = 100;

/**
 * Maximum number of scalars and indicators: more than any document has within the limits of its schema. The parser
 * takes a kilobyte for each, and quadratic time for some of them.
 */
const MAX_VALUES = 150_000;

/**
 * Checks the nesting, and the number of values, before the parser runs, which would take ten seconds for a million
 * brackets, and exhaust the stack with `? ? ? …`. Counts open brackets, and the levels of indentation together with the
 * indicators (`-`, `?`, `:`, anchors, tags) in one line, or one place between brackets.
 */
function tooDeep(text: string, file: string): Problem | undefined {
  const indents: number[] = [];
  let brackets = 0;
  let indicators = 0;
  let line = 1;
  let indent: number | undefined = 0;
  let isScalar = false;
  let values = 0;
  for (const token of new Lexer().lex(text)) {
    const isContent = isScalar || (token !== DOCUMENT_FOLLOWS && !/^[\s\ufeff]*$/.test(token));
    if (isContent && indent !== undefined && brackets === 0) {
      while ((indents.at(-1) ?? -1) >= indent) indents.pop();
      indents.push(indent);
      indicators = 0;
    }
    if (isContent || token.includes("\n")) indent = undefined;
    else if (indent !== undefined) indent += token.length;
    if (!isScalar) {
      if (/^[[{]$/.test(token)) brackets += 1;
      if (/^[\]}]$/.test(token)) brackets = Math.max(0, brackets - 1);
      if (brackets > 0 && /^[[{\]},]$/.test(token)) indicators = 0;
      if (/^[-?:]$|^[&!]/.test(token)) indicators += 1;
    }
    // Every value, even an empty one, has one of these.
    if (isScalar || token === DOCUMENT_FOLLOWS || /^[[\]{},:?*&!%#'"-]/.test(token)) values += 1;
    isScalar = token === SCALAR_FOLLOWS;
    line += token.split("\n").length - 1;
    if (token.endsWith("\n")) indent = 0;
    if (brackets > MAX_DEPTH || indents.length + indicators > MAX_INDICATORS)
      return { ...TOO_DEEP, file, line, column: 1 };
    if (values > MAX_VALUES) return { ...TOO_MANY, file, line, column: 1 };
  }
  return undefined;
}

const TOO_DEEP = {
  message: `nested more than ${MAX_DEPTH} levels deep`,
  remedy: "Start again from a template: no document of cdcctl is that deep.",
};

const TOO_MANY = {
  message: `more than ${showCount(MAX_VALUES)} keys, values and punctuation marks before this line`,
  remedy: "Check that it is the right file. Split a long plan file into several.",
};

/**
 * Maximum number of values that all aliases of a document may expand to, which stops a "bomb" of ten aliases of ten
 * aliases of …
 */
const MAX_ALIASED = 1_000;

/**
 * Reads YAML 1.2: every document that is not empty. A syntax error gives problems and no documents; a duplicate key, a
 * tag and an invalid alias are problems in addition to the documents.
 *
 * @param file named in every place
 */
export function readYaml(
  text: string,
  file: string,
): { readonly documents: readonly YamlNode[]; readonly problems: readonly Problem[] } {
  const deep = tooDeep(text, file);
  if (deep !== undefined) return { documents: [], problems: [deep] };

  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, {
    intAsBigInt: true,
    strict: true,
    stringKeys: true,
    // Compares every key with every other, which takes minutes for a large map; `convert` finds duplicates too.
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: "silent",
    lineCounter: lines,
  });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };

  // Errors after the first one of a document are mostly its consequence.
  const broken = parsed.flatMap(({ errors }) => errors.slice(0, 1));
  if (broken.length > 0) {
    const written = text.split(/\r\n|\r|\n/);
    const problems = broken.map(({ code, message, pos }) => {
      const place = placeAt(pos[0]);
      return syntaxProblem(code, message, place, written[place.line - 1] ?? "");
    });
    return { documents: [], problems: tabs(text, file) ?? problems };
  }

  const documents: YamlNode[] = [];
  const problems: Problem[] = [];
  for (const document of parsed) {
    for (const { code, pos } of document.warnings) problems.push(warningProblem(code, placeAt(pos[0])));
    const { yaml } = document.directives;
    if (yaml.explicit === true && yaml.version !== "1.2")
      problems.push({
        message: `the document asks for YAML ${yaml.version}, in which the same text means other values`,
        remedy: "Remove the %YAML line: cdcctl reads YAML 1.2.",
        file,
        line: 1,
        column: 1,
      });
    if (document.contents === null || (isScalar(document.contents) && document.contents.source === "")) continue;
    documents.push(convert(document.contents, placeAt, problems));
  }
  return { documents, problems };
}

function convert(contents: unknown, placeAt: (offset: number) => Place, problems: Problem[]): YamlNode {
  const anchors = new Map<string, unknown>();
  const open = new Set<unknown>();
  let aliased = 0;
  let refused = false;

  const refuse = (message: string, remedy: string, place: Place): YamlNode => {
    if (!refused) problems.push({ message, remedy, ...place });
    refused = true;
    return { form: "scalar", place, value: null, source: "", quoted: false };
  };

  const visit = (node: unknown, depth: number, near: Place, inAlias: boolean): YamlNode => {
    const place = startOf(node, placeAt) ?? near;
    if (depth > MAX_DEPTH) return refuse(TOO_DEEP.message, TOO_DEEP.remedy, place);
    if (inAlias && ++aliased > MAX_ALIASED)
      return refuse(
        `its aliases (*name) stand for more than ${showCount(MAX_ALIASED)} values`,
        "Write the values out instead of referring to anchors.",
        place,
      );
    if (isAlias(node)) return visitAlias(node, depth, place);
    if (!inAlias && (isMap(node) || isSeq(node) || isScalar(node)) && node.anchor !== undefined)
      anchors.set(node.anchor, node);
    open.add(node);
    const converted = visitValue(node, depth, place, inAlias);
    open.delete(node);
    return converted;
  };

  const visitAlias = (alias: Alias, depth: number, place: Place): YamlNode => {
    const meant = anchors.get(alias.source);
    if (meant === undefined)
      return refuse(
        "an alias (what begins with *) refers to an anchor that is not there",
        `Write the value, or put quotes around the text.`,
        place,
      );
    if (open.has(meant))
      return refuse(
        "an alias (what begins with *) refers to the value that it stands in",
        "Write the value out.",
        place,
      );
    return visit(meant, depth, place, true);
  };

  const visitValue = (node: unknown, depth: number, place: Place, inAlias: boolean): YamlNode => {
    if (isMap(node)) {
      const seen = new Map<string, Place>();
      const entries = node.items.map(({ key, value }): YamlEntry => {
        const keyPlace = startOf(key, placeAt) ?? place;
        const name = isScalar(key) ? String(key.value ?? "") : "";
        const first = seen.get(name);
        if (first !== undefined && !inAlias)
          problems.push({
            message: `the key ${shown(name)} is given twice, first in line ${first.line}`,
            remedy: "Keep one of the two.",
            ...keyPlace,
          });
        if (first === undefined) seen.set(name, keyPlace);
        return { key: name, place: keyPlace, value: visit(value, depth + 1, keyPlace, inAlias) };
      });
      return { form: "map", place, entries };
    }
    if (isSeq(node))
      return { form: "list", place, items: node.items.map((item) => visit(item, depth + 1, place, inAlias)) };
    if (!isScalar(node)) return { form: "scalar", place, value: null, source: "", quoted: false };
    const { value, type } = node;
    const scalar =
      typeof value === "string" || typeof value === "boolean" || typeof value === "bigint" || typeof value === "number"
        ? value
        : null;
    return {
      form: "scalar",
      place,
      value: scalar,
      source: node.source ?? String(scalar ?? ""),
      quoted: type !== "PLAIN",
    };
  };

  return visit(contents, 1, placeAt(0), false);
}

function startOf(node: unknown, placeAt: (offset: number) => Place): Place | undefined {
  const range = isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? node.range : undefined;
  return range === undefined || range === null ? undefined : placeAt(range[0]);
}

/** A tab in the indentation causes many kinds of syntax errors; the message must name the tab. */
function tabs(text: string, file: string): readonly Problem[] | undefined {
  const problems: Problem[] = [];
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const column = line.search(/^ *\t[ \t]*[^ \t#]/) === 0 ? line.indexOf("\t") + 1 : 0;
    if (column > 0)
      problems.push({
        message: "a tab is used for indentation, which YAML does not allow",
        remedy: "Indent with blanks, two a level.",
        file,
        line: index + 1,
        column,
      });
  }
  return problems.length === 0 ? undefined : problems;
}

/** Syntax errors of the YAML parser → their usual cause. */
const SYNTAX_REMEDIES: Readonly<Record<string, string>> = {
  BAD_ALIAS: "Put quotes around a text that begins with *.",
  BAD_DQ_ESCAPE: "Write \\\\ for a backslash, or put the text in single quotes.",
  BAD_INDENT: "Indent with blanks, two a level, so that keys of one level begin in the same column.",
  BAD_SCALAR_START: "Put quotes around a text that begins with this character.",
  BLOCK_AS_IMPLICIT_KEY: 'Put quotes around a text that holds ": ".',
  MISSING_CHAR: "Close the quotes, or add what is missing.",
  MULTILINE_IMPLICIT_KEY: "Check whether a colon is missing: every line is key: value.",
  RESOURCE_EXHAUSTION: "Start again from a template: no document of cdcctl is nested that deep.",
};

/** How the parser reports a line without a key of its own. */
const LOST_KEY = ["MULTILINE_IMPLICIT_KEY", "MISSING_CHAR"];
/** Why a line that was meant as a key is none. */
const USUAL_SLIPS = [
  { looks: /^-{4,}\s*$/, message: "a line of more than three dashes does not begin a document", remedy: "Write:  ---" },
  { looks: /^\s*[\w.]+:[^\s:]/, message: "a blank is missing after the colon", remedy: "Write:  key: value" },
];

/** The parts of the parser's messages that quote the text, which may be a password. */
const QUOTING = anyOf(
  [
    /(?:in YAML (?:stream|document)|extra characters|YAML token|tag): .*$/,
    /, so .* is invalid$/,
    /The .* tag has no suffix$/,
  ],
  "s",
);

/** @param line its text, which is not shown */
function syntaxProblem(code: string, message: string, place: Place, line: string): Problem {
  const usual = LOST_KEY.includes(code) ? USUAL_SLIPS.find(({ looks }) => looks.test(line)) : undefined;
  if (usual !== undefined)
    return { message: `the file is not valid YAML: ${usual.message}`, remedy: usual.remedy, ...place };
  const what = message.replace(QUOTING, (quoting) => /^[^:,]*(?=:)/.exec(quoting)?.[0] ?? "").replace(/\.$/, "");
  return {
    message: `the file is not valid YAML: ${shown(code === "RESOURCE_EXHAUSTION" ? "nested too deeply" : what, 200)}`,
    remedy: SYNTAX_REMEDIES[code] ?? "Fix the syntax of this line, or start again from a template.",
    ...place,
  };
}

function warningProblem(code: string, place: Place): Problem {
  return code === "TAG_RESOLVE_FAILED"
    ? {
        message: "a tag (what begins with !), where plain values are wanted",
        remedy: "Remove the tag, or put quotes around a text that begins with !.",
        ...place,
      }
    : {
        message: "a line that begins with %, which YAML takes for a directive",
        remedy: "Remove it, or indent it if it belongs to a text.",
        ...place,
      };
}
