import * as assert from "uvu/assert";
import { CallFailed, type FailureKind } from "../../../core/errors.ts";
import { linesOf } from "../../../core/values/remedy.ts";

/** Asserts that a call fails with `CallFailed` of this kind, with this message and remedy, and without a password. */
export async function fails(
  call: Promise<unknown>,
  kind: FailureKind,
  message: RegExp,
  remedy: RegExp = /./,
): Promise<CallFailed> {
  const error = await call.then(
    () => assert.unreachable(`${message} was expected`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CallFailed)) throw error;
  assert.is(error.system, "jmx");
  assert.match(error.message, message);
  assert.is(error.kind, kind, error.message);
  assert.match(linesOf(error.remedies), remedy);
  assert.not.match(`${error.message} ${linesOf(error.remedies)}`, /s3cret|hush/);
  return error;
}
