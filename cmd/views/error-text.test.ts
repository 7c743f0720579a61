import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed, type ExpectedError, Refusal, UsageError } from "../../core/errors.ts";
import { HOSTILE } from "../../core/plan/testing/hostile.ts";
import { printJson } from "../../core/values/json.ts";
import { errorDocument, renderError } from "./error-text.ts";
import { schemaTester } from "./testing/schema.ts";

const errors = suite("errors as people and pipelines read them");

const usage = new UsageError([
  {
    message: "unknown key `allowskip`; did you mean allowSkip?",
    remedy: "Write:  allowSkip: true",
    file: "a.yaml",
    line: 10,
    column: 3,
  },
  { message: "the file is empty", file: "b.yaml" },
  { message: "--expect needs a digest", remedy: "cdcctl plan shows it." },
]);

const refusal = new Refusal("STA701", "ana works on orders-cdc from host-7 (pid 4711) since 09:14:02Z", [
  "Wait until it is done.",
  "When you know that its process is gone:  rm lock",
]);

const failed = new CallFailed("oracle", "unauthorized", {
  message: "db.prod:1521/ORCLCDB does not accept user CDC",
  code: "ORA-01017",
  remedy: "Check cdc.database.user and cdc.database.password.",
});

errors("a mistake in a file is named by file, line and column, each with its remedy", () => {
  assert.is(
    renderError(usage, { colour: false }),
    [
      "a.yaml:10:3: unknown key `allowskip`; did you mean allowSkip?",
      "  Write:  allowSkip: true",
      "b.yaml: the file is empty",
      "cdcctl: --expect needs a digest",
      "  cdcctl plan shows it.",
      "",
    ].join("\n"),
  );
});

errors("a refusal ends with its code and where to read more", () => {
  assert.is(
    renderError(refusal, { colour: false }),
    [
      "refused: ana works on orders-cdc from host-7 (pid 4711) since 09:14:02Z",
      "  Wait until it is done.",
      "  When you know that its process is gone:  rm lock",
      "  STA701  cdcctl explain STA701",
      "",
    ].join("\n"),
  );
});

errors("a failed call includes the other side's error code once", () => {
  assert.is(
    renderError(failed, { colour: false }),
    "failed: db.prod:1521/ORCLCDB does not accept user CDC (ORA-01017)\n  Check cdc.database.user and " +
      "cdc.database.password.\n",
  );
  const named = new CallFailed("connect", "rejected", {
    message: "HTTP 409 from connect",
    code: "HTTP 409",
  });
  assert.is(renderError(named, { colour: false }), "failed: HTTP 409 from connect\n");
});

errors("a long command in a remedy has a line of its own", () => {
  const command = `curl -X PUT http://connect.prod:8083/connectors/${"orders-".repeat(5)}cdc/resume`;
  const shown = renderError(
    new Refusal("APL804", "somebody else", [{ text: "orders-cdc stays stopped. To start it", command }]),
    {
      colour: false,
      width: 100,
    },
  );
  assert.ok(shown.includes(`  orders-cdc stays stopped. To start it:\n    ${command}\n`), shown);
});

errors("thousands of mistakes are truncated", () => {
  const many = new UsageError(Array.from({ length: 5000 }, (_, i) => ({ message: `mistake ${i}`, file: "a.yaml" })));
  const shown = renderError(many, { colour: false });
  assert.is(shown.split("\n").length, 52);
  assert.match(shown, /and 4,950 more problems\n$/);
});

const hostile: readonly ExpectedError[] = [
  new UsageError({ message: HOSTILE, remedy: HOSTILE, file: HOSTILE, line: 1 }),
  new Refusal(HOSTILE, HOSTILE, [HOSTILE]),
  new CallFailed("kafka", "protocol", { message: HOSTILE, code: HOSTILE, remedy: HOSTILE }),
];

errors("no external text reaches the terminal unescaped", () => {
  for (const error of hostile) {
    const shown = renderError(error, { colour: false });
    assert.not.match(shown.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is taken out
    assert.is(renderError(error, { colour: true }).replace(/\u001b\[\d+m/g, ""), shown);
  }
});

errors("each matches the published schema as JSON", () => {
  const fits = schemaTester("error.schema.json");
  for (const error of [usage, refusal, failed, ...hostile]) fits(printJson(errorDocument(error)));
  assert.throws(() => fits(printJson({ ...errorDocument(refusal), code: 7 })), /must/);
});

errors.run();
