import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { browserProgram } from "./browser-program.ts";

/** A call of the DevTools protocol. */
export type Call = (method: string, params?: object) => Promise<unknown>;

export interface BrowserPage {
  readonly call: Call;
  /** Opens a file and waits until it is loaded. */
  open(url: string): Promise<void>;
  /** Evaluates an expression in the page, exempt from the page's own policy. */
  evaluate(expression: string): Promise<unknown>;
  /** Requests since the page was opened, including the page itself. */
  readonly requests: string[];
  /** Errors, warnings and policy violations since it was opened. */
  readonly complaints: string[];
}

export interface Browser {
  readonly page: BrowserPage;
  close(): Promise<void>;
}

const ANSWER_MILLIS = 30_000;

/** A headless Chromium with one page, driven over a pipe: it opens no port and no connection. */
export async function startBrowser(): Promise<Browser> {
  const program = await browserProgram();
  const profile = await mkdtemp(join(tmpdir(), "cdcctl-browser-"));
  const flags =
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking " +
    "--disable-component-update --disable-sync --hide-scrollbars --remote-debugging-pipe";
  const child = spawn(program, [...flags.split(" "), `--user-data-dir=${profile}`, "about:blank"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const gone = new Promise<void>((done) => child.once("exit", () => done()));
  const failed = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the browser ended with ${code}`)));
  });
  failed.catch(() => undefined);
  const wire = speak(child.stdio[3] as Writable, child.stdio[4] as Readable, failed);
  const { targetInfos } = (await wire.call("Target.getTargets")) as {
    targetInfos: readonly { targetId: string; type: string }[];
  };
  const targetId = targetInfos.find(({ type }) => type === "page")?.targetId;
  const { sessionId } = (await wire.call("Target.attachToTarget", { targetId, flatten: true })) as {
    sessionId: string;
  };
  const page = await pageOf((method, params) => wire.call(method, params, sessionId), wire.listen);
  return {
    page,
    async close() {
      child.kill("SIGTERM");
      await gone;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type Listener = (method: string, params: Record<string, unknown>) => void;

/** Exchanges JSON messages, each followed by a zero byte. */
function speak(to: Writable, from: Readable, failed: Promise<never>) {
  const waiting = new Map<number, { done(result: unknown): void; fail(error: Error): void }>();
  const listeners: Listener[] = [];
  let next = 1;
  let rest = "";
  from.setEncoding("utf8");
  from.on("data", (chunk: string) => {
    const parts = `${rest}${chunk}`.split("\0");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const { id, result, error, method, params } = JSON.parse(part);
      if (id === undefined) for (const listener of listeners) listener(method, params ?? {});
      else if (error === undefined) waiting.get(id)?.done(result);
      else waiting.get(id)?.fail(new Error(error.message));
      waiting.delete(id);
    }
  });
  return {
    listen: (listener: Listener) => void listeners.push(listener),
    call(method: string, params: object = {}, sessionId?: string): Promise<unknown> {
      const id = next++;
      const answer = new Promise((done, fail) => waiting.set(id, { done, fail }));
      to.write(`${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`);
      return within(Promise.race([answer, failed]), `${method} was not answered`);
    },
  };
}

async function pageOf(call: Call, listen: (listener: Listener) => void): Promise<BrowserPage> {
  const requests: string[] = [];
  const complaints: string[] = [];
  let loaded: () => void = () => undefined;
  listen((method, params) => {
    if (method === "Page.loadEventFired") loaded();
    if (method === "Network.requestWillBeSent") requests.push((params["request"] as { url: string }).url);
    if (/^(?:Runtime\.(?:consoleAPICalled|exceptionThrown)|Log\.entryAdded|Audits\.issueAdded)$/.test(method))
      complaints.push(`${method} ${JSON.stringify(params)}`);
  });
  for (const domain of ["Page", "Network", "Runtime", "Log", "Audits", "Accessibility"]) await call(`${domain}.enable`);
  return {
    call,
    requests,
    complaints,
    async open(url) {
      requests.length = 0;
      complaints.length = 0;
      const done = new Promise<void>((resolve) => {
        loaded = resolve;
      });
      await call("Page.navigate", { url });
      await within(done, `${url} was not loaded`);
    },
    async evaluate(expression) {
      const { result, exceptionDetails } = (await call("Runtime.evaluate", { expression, returnByValue: true })) as {
        result: { value: unknown };
        exceptionDetails?: { text: string };
      };
      if (exceptionDetails !== undefined) throw new Error(`${exceptionDetails.text}: ${expression}`);
      return result.value;
    },
  };
}

async function within<T>(wanted: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(what)), ANSWER_MILLIS);
  });
  try {
    return await Promise.race([wanted, late]);
  } finally {
    clearTimeout(timer);
  }
}
