import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

/**
 * Loads a CommonJS file, in ASCII, beside the built program, with what V8 had compiled of it when it was built: half
 * the processor time of a plan was compiling. Another version of Node.js rejects that, and compiles the file itself.
 */
export function loadCompiled(name: string): unknown {
  const path = fileURLToPath(new URL(name, import.meta.url));
  const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(path, "latin1")}\n})`;
  const compiled = `${path}.cache`;
  const kept = existsSync(compiled) ? readFileSync(compiled) : Buffer.of();
  // V8 compares too little: what the same V8 compiled in another release of Node.js ends the process by a signal.
  const by = Buffer.from(`${process.version} ${process.platform} ${process.arch}\n`);
  const cachedData = kept.subarray(0, by.length).equals(by) ? { cachedData: kept.subarray(by.length) } : {};
  const script = new vm.Script(source, { filename: name, ...cachedData });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(path), module, path, dirname(path));
  return module.exports;
}
