// Generated from verification-result.schema.json by npm run types. Edit the schema, not this file.
import type {Digest} from "../../core/values/digest.ts";
import type {SideRead} from "../../core/verification/engine/unit-result.ts";
import type {Truncates} from "../../core/verification/truncates.ts";
import type {Verdict} from "../../core/verification/verdict.ts";

/**
 * What a worker says of one unit of reading, or of one slot that it joined: a line of canonical JSON each, which `migrate verify --finish` adds up.
 */
export interface VerificationResult {
  /**
   * The version of the document's format.
   */
  readonly apiVersion: "cdcctl/v1";
  /**
   * What the document is.
   */
  readonly kind: "VerificationResult";
  /**
   * Of this kind of document.
   */
  readonly formatVersion: number;
  /**
   * SHA-256 over the canonical JSON (RFC 8785) of the document without this member.
   */
  readonly digest: Digest;
  /**
   * Digest of the job.
   */
  readonly job: Digest;
  /**
   * Attempts before this one.
   */
  readonly attempt: number;
  /**
   * Most memory that the worker's process has taken so far, bytes.
   */
  readonly memory: number;
  readonly unit?: UnitResult | undefined;
  readonly rules?: GatheredRules | undefined;
  readonly slot?: SlotResult | undefined;
}
/**
 * Of a unit of reading.
 */
export interface UnitResult {
  /**
   * The unit.
   */
  readonly name: string;
  /**
   * What it read.
   */
  readonly read: SideRead;
  /**
   * The last truncate of each topic.
   */
  readonly truncates: Truncates;
  /**
   * The table can't be read as of the check SCN: no other attempt could.
   */
  readonly unreachable?: {
    /**
     * Oracle's code.
     */
    readonly code: string;
    /**
     * What it says.
     */
    readonly message: string;
  };
  /**
   * Why records are gone that the job wants: no other attempt would find them.
   */
  readonly notRead?: string | undefined;
}
/**
 * Of all units of a table together: what each of its slots is joined by.
 */
export interface GatheredRules {
  /**
   * Number of the table, from 0.
   */
  readonly table: number;
  /**
   * Whether it was read to its end: else its slots are not joined.
   */
  readonly isRead: boolean;
  /**
   * The last truncate of each topic.
   */
  readonly truncates: Truncates;
}
/**
 * Of a slot.
 */
export interface SlotResult {
  /**
   * The slot.
   */
  readonly number: number;
  /**
   * What the join found.
   */
  readonly verdict: Verdict;
}
