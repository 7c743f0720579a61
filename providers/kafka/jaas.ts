import { UsageError } from "../../core/errors.ts";

export interface LoginModule {
  /** Its Java class, `org.apache.kafka.common.security.plain.PlainLoginModule`. */
  readonly module: string;
  readonly options: Readonly<Record<string, string>>;
}

const TOKEN = /\s*(?:"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|([=;])|([^\s"'=;]+))/y;
const CONTROL_FLAGS = ["required", "requisite", "sufficient", "optional"];

/**
 * Reads the one login module of a `sasl.jaas.config` value: `CLASS required name="value" name=value;` (the grammar of
 * `javax.security.auth.login.Configuration`, which Kafka reads with a stream tokenizer).
 *
 * @throws UsageError that never shows the text, which holds a password
 */
export function parseJaas(text: string): LoginModule {
  const tokens = tokenize(text);
  const refuse = (why: string) =>
    new UsageError(`sasl.jaas.config can't be read: ${why}`, 'write CLASS required username="…" password="…";');
  const [module, flag, ...rest] = tokens;
  if (module === undefined || module === ";" || module === "=") throw refuse("no login module is named");
  if (flag === undefined || !CONTROL_FLAGS.includes(flag.toLowerCase()))
    throw refuse("the word `required` is missing after the login module");
  if (rest.at(-1) !== ";") throw refuse("it does not end with a semicolon");
  const options: [string, string][] = [];
  for (let i = 0; i < rest.length - 1; i += 3) {
    const [name, equals, value] = rest.slice(i, i + 3);
    if (name === ";") throw refuse("it names more than one login module");
    if (name === undefined || equals !== "=" || value === undefined || value === ";")
      throw refuse(`option ${i / 3 + 1} is not name="value"`);
    options.push([name, value]);
  }
  return { module, options: Object.fromEntries(options) };

  function tokenize(config: string): string[] {
    const found: string[] = [];
    TOKEN.lastIndex = 0;
    for (let rest = config.trimEnd(); TOKEN.lastIndex < rest.length; ) {
      const match = TOKEN.exec(rest);
      if (match === null) throw refuse("a quote is not closed");
      const [, double, single, mark, word] = match;
      found.push(mark ?? word ?? unquoted(double ?? single ?? ""));
      rest = config.trimEnd();
    }
    return found;
  }
}

const LETTERS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", b: "\b" };

function unquoted(text: string): string {
  return text.replace(/\\([\s\S])/g, (_, letter: string) => LETTERS[letter] ?? letter);
}
