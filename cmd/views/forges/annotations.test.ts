/** Annotations within the limits of their forges, and that nothing else is a command to a runner. */
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { annotations, forgeOf, isInPipeline, shield } from "./annotations.ts";
import type { Judged } from "./forms.ts";

const forge = suite("annotations, and what a runner reads");

const GITHUB = { GITHUB_ACTIONS: "true" };
const AZURE = { TF_BUILD: "True" };

const found = (more: Partial<Judged> = {}): Judged => ({
  ...{
    code: "OFF103",
    title: "Forward move",
    grade: "error",
    text: "it skips",
    remedies: ["Do not."],
    subject: "orders",
  },
  ...{ place: { file: "changes/a.yaml", line: 3n, column: 5 } },
  ...more,
});

function shown(judged: readonly Judged[], env: Readonly<Record<string, string>>): readonly string[] {
  const of = forgeOf(env);
  assert.ok(of);
  return annotations(judged, of).split("\n").slice(0, -1);
}

forge("are those of GitHub and of Azure DevOps, each where it is seen, and of nobody else", () => {
  assert.equal(shown([found()], GITHUB), [
    "::error file=changes/a.yaml,line=3,col=5,title=OFF103 Forward move::it skips%0ADo not.",
  ]);
  assert.equal(shown([found({ grade: "warning" })], AZURE), [
    "##vso[task.logissue type=warning;sourcepath=changes/a.yaml;linenumber=3;columnnumber=5;code=OFF103;]" +
      "it skips%0ADo not.",
  ]);
  for (const env of [{}, { CI: "true" }, { GITLAB_CI: "true" }, { GITHUB_ACTIONS: "false" }, { TF_BUILD: "" }])
    assert.is(forgeOf(env), undefined, JSON.stringify(env));
});

forge("have the worst first, at most ten of each grade, and say how many there are more", () => {
  const judged = Array.from({ length: 60 }, (_, at) =>
    found({ text: `no. ${at}`, grade: (["warning", "passed", "error", "accepted"] as const)[at % 4] ?? "error" }),
  );
  const lines = shown(judged, GITHUB);
  assert.is(lines.length, 20);
  assert.ok(lines.slice(0, 10).every((line) => line.startsWith("::error ")));
  assert.ok(lines.slice(10).every((line) => line.startsWith("::warning ")));
  assert.match(lines[9] ?? "", /::no\. 38 \(and 5 more errors, in the report\)/);
  assert.is(lines.filter((line) => line.includes(" more ")).length, 2);
  assert.is(shown(judged.slice(0, 4), GITHUB).length, 2);
  const long = shown([found({ text: "x".repeat(10_000) })], AZURE)[0] ?? "";
  assert.ok(long.length < 4096, `${long.length}`);
});

const anyText = fc.string({
  unit: fc.constantFrom(
    "::error::",
    ":",
    "##vso[",
    "##[",
    "#",
    "[",
    "]",
    ";",
    ",",
    "%",
    "%0A",
    "\n",
    "\r",
    " ",
    "=",
    "vso",
    "a",
  ),
});

forge("one line each, whose properties hold no text that begins another", () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (text, file, title) => {
      const judged = [found({ text, title, place: { file, line: 1 } })];
      const [own = "", ...more] = shown(judged, GITHUB);
      assert.equal(more, []);
      const [, properties] = /^::error ([^:]*)::[^\r\n]*$/.exec(own) ?? [];
      assert.ok(properties !== undefined, own);
      assert.is(properties.split(",").length, 3, properties);
      const [line = "", ...others] = shown(judged, AZURE);
      assert.equal(others, []);
      for (const text of [own, line.slice(2)]) assert.not.match(text, /##(?:vso)?\[/i);
      assert.match(line, /^##vso\[task\.logissue type=error;sourcepath=[^;\]\r\n]*;linenumber=1;code=OFF103;\]/);
    }),
  );
});

forge("nothing that is written is a command, in however many pieces it comes", () => {
  fc.assert(
    fc.property(fc.array(anyText), (texts) => {
      const shielded = shield();
      const written = texts.map((text) => shielded(text)).join("");
      assert.not.match(written, /^\s*::/m);
      assert.not.match(written, /##(?:vso)?\[/i);
      // Nothing but those characters is changed.
      assert.is(written.replaceAll("\\u005b", "[").replaceAll("\\u003a", ":"), texts.join(""));
    }),
  );
  const shielded = shield();
  assert.is(`${shielded("##V")}${shielded("SO")}${shielded("[task.x]")}`, "##VSO\\u005btask.x]");
  assert.is(`${shielded("\n\t\u00a0:")}${shielded(":set-env")}`, "\n\t\u00a0:\\u003aset-env");
});

forge("a JSON document means the same", () => {
  fc.assert(
    fc.property(fc.array(anyText), fc.nat(9), (value, indent) => {
      assert.equal(JSON.parse(shield()(JSON.stringify({ "##[": value }, undefined, indent))), { "##[": value });
    }),
  );
});

forge("a pipeline is seen by its forge, or by CI", () => {
  for (const env of [GITHUB, AZURE, { CI: "true" }, { CI: "1" }, { CI: "woodpecker" }])
    assert.ok(isInPipeline(env), JSON.stringify(env));
  for (const env of [{}, { CI: "" }, { CI: "false" }, { CI: "0" }])
    assert.not.ok(isInPipeline(env), JSON.stringify(env));
});

forge.run();
