// Preloaded in a test: says on stderr whether V8 took what it had compiled of the programs before.
import vm from "node:vm";

const { Script } = vm;
vm.Script = class extends Script {
  constructor(source, options) {
    super(source, options);
    if (options?.filename === "./programs.cjs")
      process.stderr.write(this.cachedDataRejected === false ? "as compiled\n" : "compiled anew\n");
  }
};
