import { UsageError } from "../../core/errors.ts";

interface LoginModule {
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
  const [module, flag, ...rest] = tokens(text);
  if (module === undefined || module === ";" || module === "=") throw unreadable("no login module is named");
  if (flag === undefined || !CONTROL_FLAGS.includes(flag.toLowerCase()))
    throw unreadable("the word `required` is missing after the login module");
  if (rest.at(-1) !== ";") throw unreadable("it does not end with a semicolon");
  const options: [string, string][] = [];
  for (let i = 0; i < rest.length - 1; i += 3) {
    const [name, equals, value] = rest.slice(i, i + 3);
    if (name === ";") throw unreadable("it names more than one login module");
    if (name === undefined || equals !== "=" || value === undefined || i + 3 > rest.length - 1)
      throw unreadable(`option ${i / 3 + 1} is not name="value"`);
    options.push([name, value]);
  }
  return { module, options: Object.fromEntries(options) };
}

function tokens(text: string): string[] {
  const config = text.trimEnd();
  const found: string[] = [];
  for (let at = 0; at < config.length; ) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(config);
    if (match === null) throw unreadable("a quote is not closed");
    const [whole, double, single, mark, word] = match;
    found.push(mark ?? word ?? unquoted(double ?? single ?? ""));
    at += whole.length;
  }
  return found;
}

function unreadable(why: string): UsageError {
  return new UsageError(`sasl.jaas.config can't be read: ${why}`, 'Write:  CLASS required username="…" password="…";');
}

const LETTERS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", b: "\b" };

function unquoted(text: string): string {
  return text.replace(/\\([\s\S])/g, (_, letter: string) => LETTERS[letter] ?? letter);
}
