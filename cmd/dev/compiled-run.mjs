// Preloaded when the commands are built: keeps what V8 has compiled of them at the end of a run (cmd/bin/compiled.ts).
import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import vm from "node:vm";

const { Script } = vm;
const { COMPILED } = process.env;
vm.Script = class extends Script {
  constructor(source, options) {
    super(source, options);
    if (`${basename(options?.filename ?? "")}.cache` !== basename(COMPILED)) return;
    const by = Buffer.from(`${process.version} ${process.platform} ${process.arch}\n`);
    process.on("exit", () => writeFileSync(COMPILED, Buffer.concat([by, this.createCachedData()])));
  }
};
