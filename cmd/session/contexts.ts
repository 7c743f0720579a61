// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written like this
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { shellFile } from "../../core/values/shell-word.ts";
import { type Contexts, contextsPath, openContexts } from "../../providers/contexts/contexts.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";
import type { Flags } from "../options/common.ts";
import type { contextPositional, contextsInitOptions, contextsListOptions } from "../options/contexts.ts";
import { warningsTo, writeLine } from "../screen.ts";
import { contextsDocument, contextsReport } from "../views/contexts.ts";
import { writeNewFile } from "./files.ts";
import { homeOf } from "./places.ts";
import { reported, writeInForm } from "./report-forms.ts";
import { schemaModeline } from "./schemas.ts";

/** The contexts file named by the flags and the environment. */
export function contextsOf(flags: { readonly contexts?: string | undefined }, host: Host): Promise<Contexts> {
  return openContexts({ path: flags.contexts, env: host.env, home: homeOf(host) ?? "/" });
}

type ListFlags = Flags<typeof contextsListOptions> & Partial<Flags<typeof contextPositional>>;

/** Runs `contexts list` and `contexts show`. @returns 0. @throws UsageError for an unknown name */
export async function listContexts(flags: ListFlags, host: Host): Promise<number> {
  const { context: name } = flags;
  const contexts = await contextsOf(flags, host);
  contexts.warnings.forEach(warningsTo(host));
  const shown = {
    path: contexts.path,
    contexts: (name === undefined ? contexts.names : [name]).map((one) => contexts.outline(one)),
  };
  writeInForm(flags.format, reported(contextsReport, contextsDocument, shown, name !== undefined), host);
  return EXIT.done;
}

/** Runs `contexts init`. @returns 0. @throws UsageError when the file already exists */
export async function initContexts(flags: Flags<typeof contextsInitOptions>, host: Host): Promise<number> {
  const path = contextsPath({ path: flags.contexts, env: host.env, home: homeOf(host) ?? "/" });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeNewFile(path, `${schemaModeline("Contexts")}${CONTEXTS_TEMPLATE}`);
  writeLine(host.stderr, `wrote ${path}`);
  const named = flags.contexts === undefined ? "" : ` --contexts ${shellFile(flags.contexts)}`;
  writeLine(host.stderr, `next:  cdcctl contexts test${named}     # after editing it`);
  return EXIT.done;
}

/** A commented contexts file to start from: valid as it is, and with every line uncommented. */
const CONTEXTS_TEMPLATE = `\
# Contexts: which host gets which credentials. It belongs to the operator and stays out of every repository, with
# mode 0600. Paths are relative to it. Check it with: cdcctl contexts test
#
# References, for what is not to stand here:
#   \${env:NAME}             an environment variable
#   \${file:path:key}        a key of a Java properties file
#   \${directory:path:key}   the content of a file in a folder
apiVersion: cdcctl/v1
kind: Contexts
contexts:
  # The name that --context and target.context of a plan file use.
  prod:
    connect:
      # REST URL of a worker, or of the gateway before it ("urls: [http://…, http://…]" for several workers).
      url: http://localhost:8083
      # The authorities that sign the worker's certificate; left out: the system's.
      # ca: tls/ca.pem
      # Basic authentication ("bearer: {token: …}" for a token).
      # auth:
      #   basic:
      #     user: cdcctl
      #     password: \${env:CONNECT_PASSWORD}
    # Brokers of the ops, signals and journal topics; left out: cdc.stream.bootstrap.servers of the connector. The login
    # in commandConfig, a Java client properties file, goes to these brokers and no other.
    # brokers:
    #   bootstrapServers: kafka-1.example.com:9093,kafka-2.example.com:9093
    #   commandConfig: client.properties
    # JMX of the workers, for doctor explain-lag and admin transactions (--jmx-url).
    # jmx:
    #   hosts: [connect-1.example.com:9010]
    #   login:
    #     user: cdcctl
    #     password: \${env:JMX_PASSWORD}
    # Folders of rules that every plan here is held against: examples/policies.
    # policies: [policies]
    # How many people have to approve a change here, and OpenSSH's file of who they are.
    # approvals:
    #   required: 2
    #   signers: allowed_signers
    # A connector whose copy at the worker holds references that only the worker resolves, such as its password: the
    # same settings in a file of yours.
    # connectors:
    #   orders-cdc:
    #     config: orders-cdc.json
`;
