// Preloaded in a test: names every file that a command loads, one a line on file descriptor 3.
import { writeSync } from "node:fs";
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

if (isMainThread) register(import.meta.url);

export async function load(url, context, next) {
  writeSync(3, `${url}\n`);
  return next(url, context);
}
