import { type CallDoes, readCall } from "./calls.ts";
import type { RunState } from "./state.ts";
import { offsetSubject } from "./subject.ts";

/** What an attempt does that a worker carries out late, after it had been given up and repeated. */
const LATE: Readonly<Record<CallDoes, (of: string) => string>> = {
  stop: (of) => `would stop ${of} again`,
  create: (of) => `would create ${of} again after it is deleted`,
  start: (of) => `would start ${of} again after it is stopped`,
  "delete offsets": (of) => `would delete the offsets of ${of} again`,
  "delete connector": (of) => `would delete ${of} again after it is created`,
  "delete topic": (of) => `would delete the topic ${of} again after it is created`,
};

/**
 * What a run could not prove, though every step is done: what its steps say, and every attempt of a call that nobody
 * answered. A worker that was frozen can carry out such an attempt at any later time, and no waiting rules that out.
 *
 * Rule: architecture, "What apply promises", 4 and 5.
 *
 * @returns what is not proven, one clause each (`that …`); none: all is
 */
export function unprovenOf(state: RunState): readonly string[] {
  const { unanswered, patchUnanswered, unproven, started } = state;
  const late = [...unanswered].map((call) => {
    const read = readCall(call);
    return (
      "that no worker still carries out an unanswered " +
      `${call}${read === undefined ? "" : `, which ${LATE[read.does](read.of)}`}`
    );
  });
  const scn = offsetSubject(started.subject)?.scn;
  return [
    ...(unproven === undefined ? [] : [unproven]),
    ...late,
    ...(patchUnanswered
      ? [`that no worker still carries out an unanswered PATCH, which would set the offset to ${scn} again`]
      : []),
  ];
}
