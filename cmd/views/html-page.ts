import { createHash } from "node:crypto";
import { type Content, element, type Html } from "./html-elements.ts";
import { STYLE } from "./html-style.ts";

/** What a page of cdcctl's own is known by. */
export const GENERATOR = "cdcctl report";

export interface Page {
  readonly title: string;
  /** One line below the title. */
  readonly subtitle: string;
  readonly content: readonly Content[];
  /** Of the cdcctl that wrote it. */
  readonly version: string;
}

/**
 * A page that needs nothing but itself: no script, no request. Its policy allows the one style that it brings, by its
 * hash, and nothing else, so that even markup that got into it could load and run nothing.
 */
export function renderPage({ title, subtitle, content, version }: Page): string {
  const hash = createHash("sha256").update(STYLE, "utf8").digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const page = element(
    "html",
    { lang: "en" },
    element(
      "head",
      {},
      element("meta", { charset: "utf-8" }),
      element("meta", { "http-equiv": "Content-Security-Policy", content: policy }),
      element("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
      element("meta", { name: "generator", content: `${GENERATOR} ${version}` }),
      element("meta", { name: "referrer", content: "no-referrer" }),
      element("meta", { name: "color-scheme", content: "light dark" }),
      element("title", {}, title),
      { html: `<style>${STYLE}</style>` },
    ),
    element(
      "body",
      {},
      element("header", {}, element("h1", {}, title), element("p", {}, subtitle)),
      element("main", {}, ...content),
      element(
        "footer",
        {},
        element("p", {}, `Written by cdcctl ${version}. It holds no passwords; it shows names, addresses and SCNs.`),
      ),
    ),
  );
  return `<!doctype html>\n${page.html}\n`;
}

/** A part of a page under a heading of its own. @param id unique within the page */
export function section(id: string, heading: string, ...content: readonly Content[]): Html {
  return element("section", { "aria-labelledby": id }, element("h2", { id }, heading), ...content);
}
