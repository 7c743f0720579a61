/** An error of the database: a handler throws it, and the client receives `ORA-<code>: <text>`. */
export class OraError extends Error {
  override readonly name = "OraError";
  readonly code: number;
  /** 0-based character offset in the statement; clients show it as the error's position. */
  readonly offset: number;

  /** @param text without the `ORA-nnnnn: ` in front; further lines of an error stack carry their own. */
  constructor(code: number, text: string, offset = 0) {
    super(`ORA-${String(code).padStart(5, "0")}: ${text}`);
    this.code = code;
    this.offset = offset;
  }
}
