// Generated from approval.schema.json by npm run types. Edit the schema, not this file.
import type { Digest } from "../../core/values/digest.ts";
import type { Instant } from "../../core/values/instant.ts";

/**
 * What `cdcctl approve` writes: a statement on one resolved plan, and a signature of it. Signed is the canonical JSON (RFC 8785) of `statement` in UTF-8, in OpenSSH's signature format with the namespace `cdcctl-approval`.
 */
export interface Approval {
  /**
   * The version of the document's format.
   */
  readonly apiVersion: "cdcctl/v1";
  /**
   * What the document is.
   */
  readonly kind: "Approval";
  readonly statement: Statement;
  /**
   * As `ssh-keygen -Y sign` writes it.
   */
  readonly signature: string;
}
/**
 * Who approves what, where, and until when.
 */
export interface Statement {
  /**
   * The decision of the plans.
   */
  readonly decision: Digest;
  /**
   * The decision together with its place, as `--expect` takes it: workers' URLs, Kafka cluster, connector, evidence path.
   */
  readonly approval: Digest;
  /**
   * Names of the contexts that the plans are for, sorted.
   *
   * @maxItems 1000
   */
  readonly contexts: readonly string[];
  /**
   * The principal that signs, as the allowed_signers file names it.
   */
  readonly by: string;
  /**
   * When it was signed, by the signer's clock.
   */
  readonly at: Instant;
  /**
   * It counts before that moment.
   */
  readonly expires: Instant;
  /**
   * Digest over the whole resolved plan that was read. For information: it is not compared.
   */
  readonly plan: Digest;
}
