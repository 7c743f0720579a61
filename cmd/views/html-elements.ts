import { escapeHtml } from "../../core/values/escape.ts";

/** Safe HTML: made only by `element`, so that all text is escaped. */
export interface Html {
  readonly html: string;
}

export type Content = string | Html | readonly Content[];

type Attributes = { readonly [name: string]: string | number | undefined };

/** Elements that begin a new line in the source, where a line end has no meaning. */
const ON_A_LINE = new Set(
  (
    "head meta title body header main footer section h1 h2 h3 p table tr dl div ul ol li " +
    "figure figcaption svg rect line circle text"
  ).split(" "),
);

const VOID = new Set(["meta", "br", "hr"]);

/**
 * Makes an element. Text in content and attributes is escaped here and only here, and stays on one line. Names of
 * elements and attributes come from the code.
 */
export function element(name: string, attributes: Attributes, ...content: readonly Content[]): Html {
  const shown = Object.entries(attributes)
    .map(([key, value]) => (value === undefined ? "" : ` ${key}="${escapeHtml(`${value}`)}"`))
    .join("");
  const start = `${ON_A_LINE.has(name) ? "\n" : ""}<${name}${shown}>`;
  return { html: VOID.has(name) ? start : `${start}${rendered(content)}</${name}>` };
}

function rendered(content: Content): string {
  if (typeof content === "string") return escapeHtml(content);
  return "html" in content ? content.html : content.map(rendered).join("");
}

/** The title of a column. `end` right-aligns figures. */
type Head = string | { readonly title: string; readonly end?: boolean };

/**
 * A table with a head; the first cell of each row is the row's heading.
 *
 * @param caption read out before the table
 * @param classes CSS classes of its rows
 * @param wide whether it fits neither a sheet nor a small window: its cells are shown one below the other there
 */
export function table(
  caption: string,
  head: readonly Head[],
  rows: readonly (readonly Content[])[],
  classes: readonly (string | undefined)[] = [],
  wide = false,
): Html {
  const columns = head.map((one) => (typeof one === "string" ? { title: one } : one));
  const classOf = (at: number) => (columns[at]?.end ? "end" : undefined);
  const titles = columns.map(({ title }, at) => element("th", { scope: "col", class: classOf(at) }, title));
  const cellOf = (cell: Content, at: number) =>
    at === 0
      ? element("th", { scope: "row", class: classOf(at) }, cell)
      : element("td", { "data-head": columns[at]?.title ?? "", class: classOf(at) }, cell);
  const body = rows.map((cells, at) => element("tr", { class: classes[at] }, cells.map(cellOf)));
  return element(
    "table",
    { class: wide ? "wide" : undefined },
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, titles)),
    element("tbody", {}, body),
  );
}

export function facts(rows: readonly (readonly [string, Content])[]): Html {
  const shown = rows.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)));
  return element("dl", {}, shown);
}

export function list(name: "ul" | "ol", items: readonly Content[]): readonly Html[] {
  const shown = items.map((item) => element("li", {}, item));
  return shown.length === 0 ? [] : [element(name, {}, shown)];
}
