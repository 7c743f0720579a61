import { stringify } from "yaml";
import type { LegacyName } from "../../schemas/generated/shared.ts";
import { UsageError } from "../errors.ts";
import { nearest } from "../values/nearest.ts";
import type { Scn } from "../values/scn.ts";
import type { IntentOf, Kind, Origin } from "./intent.ts";
import { migration } from "./migration.ts";
import { offsetChange } from "./offset-change.ts";
import { shown } from "./printable.ts";
import { resnapshot } from "./resnapshot.ts";
import type { Schema } from "./schema.ts";

export interface DocumentKind<K extends Kind> {
  readonly schema: Schema;
  /** A commented plan file to start from. */
  readonly template: string;
  /** The same for each legacy connector to leave. */
  readonly templatesFrom?: Readonly<Record<LegacyName, string>>;
  /** @param document the plain value of a document that its schema accepts */
  intent(document: unknown, origin: Origin): IntentOf<K>;
  /** The reverse: a document that gives this intent, except for what only `rollback` requests. Undefined is omitted. */
  document(intent: IntentOf<K>): unknown;
}

/** A new kind is a schema file (`npm run types` generates its type), a file beside this one and a row here. */
export const DOCUMENT_KINDS: { readonly [K in Kind]: DocumentKind<K> } = {
  OffsetChange: offsetChange,
  Resnapshot: resnapshot,
  Migration: migration,
};

export const KINDS = Object.keys(DOCUMENT_KINDS) as readonly Kind[];

/** Whether a text is exactly the name of a kind of plan file. */
export function isKind(text: unknown): text is Kind {
  return typeof text === "string" && Object.hasOwn(DOCUMENT_KINDS, text);
}

/** Finds a kind in any spelling: `OffsetChange`, `offset-change`. @throws UsageError naming the kinds */
export function kindNamed(text: string): Kind {
  const plain = text.replaceAll(/[-_ ]/g, "").toLowerCase();
  const kind = KINDS.find((name) => name.toLowerCase() === plain);
  if (kind !== undefined) return kind;
  const meant = nearest(text, KINDS);
  throw new UsageError(
    `unknown kind of plan file: "${shown(text)}"`,
    `${meant === undefined ? "" : `Did you mean ${meant}? `}Write one of ${KINDS.join(", ")}.`,
  );
}

/**
 * @returns a commented plan file as an example, which is valid
 * @throws UsageError for a legacy connector that this kind does not leave
 */
export function planFileTemplate(kind: Kind, from?: LegacyName): string {
  const { template, templatesFrom }: DocumentKind<Kind> = DOCUMENT_KINDS[kind];
  if (from === undefined) return template;
  if (templatesFrom === undefined) throw new UsageError(`${kind} leaves no legacy connector`, "Leave out --from.");
  return templatesFrom[from];
}

const FLOW = { collectionStyle: "flow", flowCollectionPadding: false, lineWidth: 0 } as const;

/** What a plan file to start from is given; the rest of what only its author can know is left blank. */
interface Given {
  readonly context?: string | undefined;
  readonly connector?: string | undefined;
  readonly tables?: readonly string[] | undefined;
  readonly scn?: Scn | undefined;
  readonly from?: LegacyName | undefined;
}

/**
 * The same to start from: without a value for what it is not given, so that it is valid only once it is edited.
 *
 * @throws UsageError for tables or an SCN that this kind does not have
 */
export function planFileToEdit(kind: Kind, { context, connector, tables, scn, from }: Given): string {
  const blanks = Object.entries({ reason: undefined, context, connector, topics: undefined, tables, scn });
  return blanks.reduce(
    (text, [key, value]) => {
      const line = new RegExp(`^( +${key}:).*$`, "m");
      if (value !== undefined && !line.test(text)) throw new UsageError(`${kind} has no ${key}`, "Leave it out.");
      const written = value === undefined ? "" : ` ${stringify(value, FLOW).trim()}`;
      return text.replace(line, (_, start: string) => start + written);
    },
    planFileTemplate(kind, from),
  );
}
