import { createHash } from "node:crypto";
import { type Content, element, type Html } from "./html-elements.ts";
import { trunc } from "./layout.ts";
import { type Outcome, verdictOf } from "./report/model.ts";
import { toneOf } from "./report/terminal.ts";

/** Content of the meta element by which cdcctl recognises its own pages. */
export const GENERATOR = "cdcctl report";

export interface Page {
  readonly title: string;
  /** The outcome, directly below the title. */
  readonly outcome: Outcome | undefined;
  /** One line below that. */
  readonly subtitle: string;
  readonly content: readonly Content[];
  readonly version: string;
}

/**
 * Renders a self-contained page without scripts or requests. Its policy allows only its own style, by hash, so that
 * even injected markup could not load or run anything.
 */
export function renderPage({ title, outcome, subtitle, content, version }: Page): string {
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
      element("title", {}, outcome === undefined ? title : `${title}: ${verdictOf(outcome)}`),
      { html: `<style>${STYLE}</style>` },
    ),
    element(
      "body",
      {},
      element(
        "header",
        {},
        element("h1", {}, title),
        ...verdict(outcome),
        ...(subtitle === "" ? [] : [element("p", { class: "subtitle" }, subtitle)]),
      ),
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

/** The outcome of a page or section, shown first below its title. */
export function verdict(outcome: Outcome | undefined): readonly Html[] {
  if (outcome === undefined) return [];
  const said = trunc(verdictOf(outcome), 300);
  return [element("p", { class: "verdict" }, element("span", { class: `state ${toneOf(outcome.mark)}` }, said))];
}

/** A section of a page with a heading. @param id unique within the page */
export function section(id: string, heading: string, ...content: readonly Content[]): Html {
  return element("section", { "aria-labelledby": id }, element("h2", { id }, heading), ...content);
}

/** Rows as lists, each cell after the name of its column. @param of what selects the tables */
function rowsBelow(of: string): string {
  const table = of === "" ? "table" : of.trim();
  return `${of}thead{clip-path:inset(50%);height:1px;overflow:hidden;position:absolute;white-space:nowrap;width:1px}
${table},${of}caption,${of}tbody,${of}tr,${of}th,${of}td{display:block}
${of}tr{border-top:1px solid var(--line);padding:.4rem 0}
${of}th,${of}td{border:0;min-width:0;padding:.05rem 0}
${of}.end{text-align:left;white-space:normal}
${of}td:empty{display:none}
${of}td::before{color:var(--quiet);content:attr(data-head) ": "}`;
}

/** The style of every page. Shapes repeat the meaning of colours: hatched, dotted, outlined. */
const STYLE = `
:root{--paper:#fff;--ink:#1b1f24;--quiet:#57606a;--line:#d0d7de;--card:#f6f8fa;\
--good:#1a7f37;--online:#0969da;--bad:#cf222e;--caution:#8a5a00;--accent:#0550ae}
@media screen and (prefers-color-scheme:dark){\
:root{--paper:#0d1117;--ink:#e6edf3;--quiet:#9da7b3;--line:#30363d;--card:#161b22;\
--good:#3fb950;--online:#58a6ff;--bad:#ff7b72;--caution:#d29922;--accent:#79c0ff}}
*{box-sizing:border-box}
html{background:var(--paper);color:var(--ink);\
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif;-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:64rem;padding:1rem}
h1,h2,h3,p,li,dd,dt,td,th,caption,figcaption,pre,code{overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0 .25rem}
.subtitle,footer p{color:var(--quiet);margin:0 0 1rem}
.verdict{margin:.5rem 0}
header .verdict{font-size:1.15rem}
footer{border-top:1px solid var(--line);font-size:.875rem;margin-top:2rem;padding-top:.75rem}
h2{border-bottom:1px solid var(--line);font-size:1.2rem;margin:2rem 0 .75rem;padding-bottom:.25rem}
h3{font-size:1rem;margin:1.25rem 0 .5rem}
figure{background:var(--card);border:1px solid var(--line);border-radius:8px;margin:0 0 1rem;padding:.75rem}
figure svg{display:block;height:auto;width:100%}
figcaption{font-size:.9rem}
figcaption p{margin:.25rem 0}
ul,ol{margin:.5rem 0;padding-left:1.4rem}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;margin:.5rem 0 0;padding:0}
.legend svg{display:inline-block;height:12px;margin-right:.4rem;vertical-align:-1px;width:24px}
dl{display:grid;gap:.35rem;margin:.5rem 0}
dl div{display:grid;gap:0 1rem;grid-template-columns:12rem 1fr}
dt{color:var(--quiet)}
dd{margin:0}
table{border-collapse:collapse;margin:.5rem 0 1rem;width:100%}
caption{color:var(--quiet);font-size:.9rem;padding-bottom:.35rem;text-align:left}
th,td{border-top:1px solid var(--line);padding:.35rem .75rem .35rem 0;text-align:left;vertical-align:top}
td{min-width:5rem}
.wide td{min-width:6rem}
.wide tbody th{min-width:13rem}
thead th{white-space:nowrap;border-top:0;color:var(--quiet);font-weight:600}
tbody th{font-weight:600}
.end{font-variant-numeric:tabular-nums;text-align:right;white-space:nowrap}
.changed>*{background:var(--card);font-weight:600}
code,.number{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;\
font-size:.92em;font-variant-numeric:tabular-nums}
.short{white-space:nowrap}
.sign{display:inline-block;min-width:1.4em}
.remedies{white-space:pre-wrap}
.state{border:1px solid currentColor;border-radius:1rem;display:inline-block;font-weight:600;padding:.05rem .7rem}
.good{color:var(--good)}.bad{color:var(--bad)}.caution{color:var(--caution)}.quiet{color:var(--quiet)}
svg text{fill:var(--ink);font:600 14px system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif}
svg .label{fill:var(--quiet);font-weight:400}
svg .archived{fill:var(--good)}
svg .online{fill:var(--online)}
svg .dots{fill:var(--paper)}
svg .gap{stroke:var(--bad);stroke-width:1.5}
svg .gap-paper{fill:var(--paper)}
svg .gap-line{fill:var(--bad)}
svg .guide{stroke:var(--quiet);stroke-dasharray:2 3;stroke-width:1}
svg .target{stroke:var(--accent);stroke-dasharray:none;stroke-width:2}
svg .open{stroke:var(--caution);stroke-width:2.5}
svg .journaled{stroke:var(--caution);stroke-dasharray:1 5;stroke-linecap:round;stroke-width:3}
svg .start{fill:var(--caution)}
@media screen and (max-width:40rem){
dl div{grid-template-columns:1fr}
${rowsBelow("")}
}
@media print,screen and (max-width:64rem){
${rowsBelow(".wide ")}
}
@media print{
html{font-size:10pt}
body{max-width:none;padding:0}
h1,h2,h3,p,li,dd,dt,td,th,caption,figcaption,pre,code{overflow-wrap:break-word}
figure,tr,dl div,li{break-inside:avoid}
h1,h2,h3,caption,thead{break-after:avoid}
thead{display:table-header-group}
table{font-size:.9em}
th,td{padding-right:.4rem}
.changed>*{background:none}
}
`;
