import { setTimeout as pause } from "node:timers/promises";
import type { Ended, Running } from "../machine.ts";
import { journaledAt, untilJournaled } from "./journals.ts";
import { atMost } from "./settle.ts";
import { deed, type Operator, type Story } from "./story.ts";

/** A call that changes something. One over HTTP can be held at the gateway. */
export interface ChangingCall {
  /** What the journal holds before it leaves. */
  readonly entry: string;
  readonly http?: { readonly method: string; readonly path: string };
}

/** The call of a name in the journal, such as `PUT stop NAME`; what names no call of a worker goes to the brokers. */
export function changingCall(name: string): ChangingCall {
  const entry = `"call":"${name}`;
  const [, method = "", what = "", of = ""] = /^(PUT|POST|DELETE) (\w+)(?: of)? (\S+)$/.exec(name) ?? [];
  if (method === "" || what === "topic") return { entry };
  const path = method === "POST" ? "/connectors" : what === "connector" ? `/connectors/${of}` : `/${of}/${what}`;
  return { entry, http: { method, path } };
}

/** A step whose call goes to the brokers and has no name. */
export const stepCall = (step: string): ChangingCall => ({ entry: `"type":"step-started","step":"${step}"` });

/** The calls of an offset change that resumes its connector, in their order, and what it records in the ops topic. */
export const callsOf = (connector: string): readonly ChangingCall[] => [
  changingCall(`PUT stop ${connector}`),
  stepCall("record-applying"),
  { entry: '"type":"patch-sent"', http: { method: "PATCH", path: `/${connector}/offsets` } },
  stepCall("record-outcome"),
  changingCall(`PUT resume ${connector}`),
];

/** Those of them that a gateway can hold. */
export const callsToWorkers = (connector: string) => callsOf(connector).filter(isHttp);

const isHttp = (call: ChangingCall): call is Required<ChangingCall> => call.http !== undefined;

export interface Aim {
  /** Waits until the call is on its way, or the command has ended. Then the journal holds it. */
  reached(running: Running): Promise<void>;
  release(): void;
  drop(): void;
}

/** Aims at a call of a command that is to be started. What goes to the brokers may have left when it is reached. */
export function aimAt(story: Story, operator: Operator, { entry, http }: ChangingCall): Aim {
  const held = http && operator.gateway?.hold(http.method, "there", http.path);
  let came = false;
  return {
    async reached(running) {
      if (held === undefined) return void (await untilJournaled(operator, entry, running));
      came = (await Promise.race([held.reached, running.ended])) === undefined;
      if (came && (await journaledAt(operator, entry)) === undefined)
        story.wrong.push(`${http?.method} ${http?.path} is on its way, and the journal has no ${entry}`);
    },
    release: () => held?.release(),
    // Later calls are none of its business.
    drop: () => (came ? held?.drop() : held?.release()),
  };
}

/** A command comes to a call, and dies. */
export async function diesAt(
  story: Story,
  operator: Operator,
  call: ChangingCall,
  start: () => Promise<Running>,
): Promise<void> {
  const aim = aimAt(story, operator, call);
  const running = await start();
  await aim.reached(running);
  running.signal("SIGKILL");
  aim.drop();
  deed(story, `killed at ${call.entry}`);
  await running.ended;
}

/** A command dies after a while, unless it has ended. */
export async function diesSoon(story: Story, running: Running, millis: number): Promise<void> {
  await Promise.race([pause(millis), running.ended]);
  running.signal("SIGKILL");
  deed(story, `killed after ${millis} ms`);
  await running.ended;
}

/** A command comes to a call and falls asleep; it wakes when others have done something. */
export async function sleepsAt(
  story: Story,
  operator: Operator,
  call: ChangingCall,
  start: () => Promise<Running>,
  meanwhile: () => Promise<void>,
): Promise<Ended> {
  const aim = aimAt(story, operator, call);
  const running = await start();
  await aim.reached(running);
  running.signal("SIGSTOP");
  aim.drop();
  deed(story, `${operator.name} falls asleep at ${call.entry}`);
  await meanwhile();
  deed(story, `${operator.name} wakes`);
  running.signal("SIGCONT");
  return atMost(story, running, 240_000);
}
