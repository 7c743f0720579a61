import { Refusal } from "../errors.ts";
import { isJsonConverter } from "../facts/connector/plugins.ts";
import type { JournalConverter } from "../facts/connector/settings.ts";
import { truncate } from "../values/truncate.ts";

/** How the task reads a journal record: as JSON without the schema envelope, with it, or either. */
export type JournalForm = "plain" | "enveloped" | "either";

/** The connector's own, which is its default. */
const TOLERANT_CONVERTER = /(?:^|\.)TolerantJsonConverter$/;

/**
 * Derived from `cdc.journal.converter` and `cdc.journal.converter.schemas.enable`. The connector's default converter
 * reads both forms unless one is configured; Connect's JSON converter requires the envelope unless configured
 * otherwise.
 *
 * @returns undefined for a converter that is not JSON
 */
export function journalForm({ name, schemas }: JournalConverter): JournalForm | undefined {
  const configured = schemas?.toLowerCase();
  if (name === undefined || TOLERANT_CONVERTER.test(name))
    return configured === undefined ? "either" : configured === "true" ? "enveloped" : "plain";
  if (!isJsonConverter(name)) return undefined;
  return configured === undefined || configured === "true" ? "enveloped" : "plain";
}

/** @throws Refusal `TRX510` naming the converter that is not JSON */
export function readableForm(converter: JournalConverter, topic: string): JournalForm {
  const form = journalForm(converter);
  if (form !== undefined) return form;
  throw new Refusal(
    "TRX510",
    `${topic} is written with ${truncate(converter.name ?? "", 200)} (cdc.journal.converter)`,
    ["The task may read it none the less; from here, only JSON can be read."],
  );
}
