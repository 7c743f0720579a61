import type { Observed } from "../facts/observed.ts";
import type { TopicSeen } from "../facts/topic.ts";
import { fail, pass, unknown, type Verdict } from "./check.ts";

/** A topic that is going to be written to: what it is called in words, and what was seen of it. */
export interface WantedTopic {
  /** `ops topic`, `signals topic` */
  readonly called: string;
  readonly name: string;
  readonly seen: Observed<TopicSeen | "missing">;
}

/** Whether the topic is there. */
export function isThere({ called, name, seen }: WantedTopic): Verdict {
  if (!seen.known) return unseen({ called, name }, seen);
  return seen.value === "missing" ? fail({ seen: `the brokers have no topic ${name}` }) : pass;
}

/** Whether this login may write to it. That it is missing, `isThere` says. */
export function mayBeWritten({ called, name, seen }: WantedTopic): Verdict {
  if (!seen.known) return unseen({ called, name }, seen);
  if (seen.value === "missing") return pass;
  const { mayWrite } = seen.value;
  if (!mayWrite.known)
    return unknown(`whether this login may write to ${name} can't be told: ${mayWrite.why}`, mayWrite.remedy);
  return mayWrite.value ? pass : fail({ seen: `this login may not write to ${name}` });
}

function unseen(
  { called, name }: Pick<WantedTopic, "called" | "name">,
  { why, remedy }: Extract<WantedTopic["seen"], { known: false }>,
): Verdict {
  return unknown(`the ${called} ${name} can't be seen: ${why}`, remedy);
}
