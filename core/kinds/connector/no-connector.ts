import { CallFailed } from "../../errors.ts";
import { shellLine } from "../../values/shell-word.ts";

/** What is thrown for a connector that has to be there, and is not. @param url of the workers */
export function noConnector(name: string, url: string): CallFailed {
  return new CallFailed({
    system: "connect",
    kind: "missing",
    message: `the workers at ${url} have no connector ${name}`,
    remedy: { text: "See which there are", command: shellLine("curl", `${url}/connectors`) },
  });
}
