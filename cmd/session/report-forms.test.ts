/** Every command that reports takes the same forms, and each of them says the same. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { runHere } from "../behaviour/run-command.ts";
import { type Command, nameOf } from "../command.ts";
import { cdcctl } from "../commands/catalogue.ts";
import { formatOption, runOutputOptions } from "../options/common.ts";

const forms = suite("the forms of a report");
const EXAMPLES = fileURLToPath(new URL("../../examples/", import.meta.url));
const PLAN = join(EXAMPLES, "offset-change.yaml");

function all(commands: readonly Command[]): readonly Command[] {
  return commands.flatMap((one) => [one, ...all(one.commands)]);
}

forms("are declared once, for every command that has any", () => {
  const having = all(cdcctl.commands).filter(({ options = {} }) => "format" in options);
  for (const { usage, options = {} } of having.filter(({ options = {} }) => !("events" in options))) {
    const forms = options["format"]?.choices ?? [];
    assert.equal(forms.slice(0, 4), formatOption.format.choices, usage);
    // Findings have forms for a forge besides, and a plan has one more.
    const more = "annotations" in options ? ["sarif", "junit", ...("out-dir" in options ? ["gitlab"] : [])] : [];
    assert.equal(forms.slice(4), more, usage);
  }
  const findings = having.filter(({ options = {} }) => "annotations" in options);
  assert.equal(findings.map(nameOf).sort(), ["check", "plan", "validate"]);
  // What carries a change out gives the finished run; rollback with --out reports a plan as well.
  const changing = having.filter(({ options = {} }) => "events" in options);
  for (const { usage, options = {} } of changing) {
    const [own, whose] =
      nameOf({ usage }) === "rollback"
        ? [options["format"]?.choices, formatOption.format.choices]
        : [options["format"], runOutputOptions.format];
    assert.is(own, whose, usage);
  }
  assert.ok(changing.length >= 8, changing.map(({ usage }) => usage).join(", "));
  assert.ok(having.length >= 16, having.map(({ usage }) => usage).join(", "));
});

for (const [argv, exit, says] of [
  [["explain", "OFF103"], 0, /A forward move skips commits/],
  [["explain"], 0, /APL801/],
  [["explain", "CDC-2002"], 0, /marked as deleted in the catalogue/],
  [["validate", PLAN], 0, /orders-replay/],
  [["validate", join(EXAMPLES, "legacy-connector.json")], 64, /apiVersion/],
] as const)
  forms(`cdcctl ${argv.map((word) => word.replace(EXAMPLES, "")).join(" ")}`, async () => {
    for (const [form, begins] of [
      ["text", /^[^#<{]/],
      ["json", /^\{\s*"apiVersion": "cdcctl\/v1"/],
      ["markdown", /^(###|- |\|)/],
      ["html", /^<!doctype html>/i],
    ] as const) {
      const { exit: code, stdout, output } = await runHere([...argv, "--format", form], { env: {} });
      assert.is(code, exit, output);
      const text = form === "text" && exit !== 0 ? output : stdout;
      assert.match(text, begins, form);
      assert.match(text.replaceAll(/<[^>]*>/g, ""), says, form);
    }
  });

forms.run();
