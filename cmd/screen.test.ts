import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Host } from "./host.ts";
import { screened, screenText, warningsTo, writeLine, writeSentence } from "./screen.ts";
import { OWN_CODES, painter } from "./views/colour.ts";

const screen = suite("output to a screen");

const PLAIN = { colour: false, columns: undefined };
const TERMINAL = { colour: true, columns: 80 };

const HARMFUL: readonly (readonly [string, string])[] = [
  ["a sequence that clears", "\u001b[2J"],
  ["a sequence that retitles", "\u001b]0;x\u0007"],
  ["a sequence that makes a link", "\u001b]8;;http://x\u001b\\"],
  ["a colour that cdcctl does not use", "\u001b[41m"],
  ["a C1 introducer", "\u009b2J"],
  ["a bell", "\u0007"],
  ["a backspace", "\b"],
  ["a carriage return", "\r"],
  ["a delete", "\u007f"],
  ["an override of the direction", "\u202e"],
  ["an isolate", "\u2066"],
  ["a mark of the direction", "\u200f"],
  ["a zero-width space", "\u200b"],
  ["a line separator", "\u2028"],
  ["a next line", "\u0085"],
  ["a tag", "\u{e0041}"],
  ["a soft hyphen", "\u00ad"],
  ["a single variation selector", "a\ufe0f"],
];
for (const [what, text] of HARMFUL)
  for (const [where, output] of [
    ["a log", PLAIN],
    ["a terminal", TERMINAL],
  ] as const)
    screen(`${what} is made visible in ${where}`, () => {
      const shown = screenText(`before ${text} after`, output);
      assert.not.ok(shown.includes(text), JSON.stringify(shown));
      assert.match(shown, /^before .* after$/);
    });

screen("cdcctl's own colours reach a terminal, and no log", () => {
  const painted = (["strong", "good", "bad", "caution", "quiet"] as const)
    .map((tone) => painter(true)(tone, "x"))
    .join("");
  assert.is(screenText(painted, TERMINAL), painted);
  assert.not.ok(screenText(painted, PLAIN).includes("\u001b"));
  assert.ok(OWN_CODES.length > 4);
});

screen("line ends, tabs, marks and letters of any language stay", () => {
  const text = "a\tb\nc ⚠️ ☑️ ✅ Łódź 東京 e\u0301 👍\n";
  assert.is(screenText(text, PLAIN), text);
});

screen("a line is overwritten only from its beginning, and only on a terminal", () => {
  for (const start of ["\r\u001b[K", "\r   \r"]) {
    assert.is(screenText(`${start}reading`, TERMINAL), `${start}reading`);
    assert.not.ok(screenText(`x${start}`, TERMINAL).includes("\r"));
    assert.not.ok(screenText(start, PLAIN).includes("\r"));
  }
});

screen("a line of text is one line, whatever is in it", () => {
  let output = "";
  writeLine(
    {
      write: (text) => {
        output += text;
      },
    },
    "wrote a\nnext:  rm -rf .\u001b[2J",
  );
  assert.is(output, "wrote a\\nnext:  rm -rf .\\x1b[2J\n");
});

screen("a terminal shows a sentence wrapped between words, and a log in one line", () => {
  const sentence =
    "  orders-cdc is created STOPPED, its configuration is as requested, nothing is stored under its name";
  const written = (columns: number | undefined) => {
    const pieces: string[] = [];
    writeSentence({ columns, write: (text) => void pieces.push(text) }, sentence);
    return pieces.join("");
  };
  assert.is(written(undefined), `${sentence}\n`);
  assert.is(
    written(80),
    "  orders-cdc is created STOPPED, its configuration is as requested, nothing is\n    stored under its name\n",
  );
});

screen("a terminal asks a long question over lines that end between words", async () => {
  const question = 'Stop orders-legacy on production-eu-central and start orders-cdc in its place? Type "yes": ';
  const asked = async (columns: number | undefined) => {
    const output = { ...PLAIN, columns, write: () => undefined };
    const host = { stdout: output, stderr: output, env: {}, ask: async (text: string) => text };
    return screened(host as unknown as Host).ask(question);
  };
  assert.is(await asked(undefined), question);
  assert.is(
    await asked(80),
    'Stop orders-legacy on production-eu-central and start orders-cdc in its place?\nType "yes": ',
  );
});

screen("prints a warning once a command, whoever gives it", () => {
  let output = "";
  const stderr = {
    ...PLAIN,
    write: (text: string) => {
      output += text;
    },
  };
  for (const warning of ["a", "b", "a"]) {
    warningsTo({ stderr })(warning);
    warningsTo({ stderr })(warning);
  }
  assert.is(output, "warning: a\nwarning: b\n");
  output = "";
  warningsTo({ stderr: { ...stderr } })("a");
  assert.is(output, "warning: a\n", "another command's");
});

screen.run();
