/** What a call does that changes connectors or topics, and how the journal names it before what it is of. */
const CALLS = {
  stop: "PUT stop",
  create: "POST connector",
  start: "PUT resume",
  restart: "POST restart",
  "delete offsets": "DELETE offsets of",
  "delete connector": "DELETE connector",
  "delete topic": "DELETE topic",
  "remove records": "null records to",
  "create topic": "CREATE topic",
} as const;

export type CallDoes = keyof typeof CALLS;

/** The one call of a run that needs no name: it sets the stored offset, and has journal entries of its own. */
export const PATCH = "PATCH";

/**
 * A call as the journal names it: `DELETE connector orders-cdc`. The same name is the same call, however often it is
 * sent.
 */
export function callName(does: CallDoes, of: string): string {
  return `${CALLS[does]} ${of}`;
}

/** What a call of the journal does, and of what; undefined for one that an earlier cdcctl may have named. */
export function readCall(call: string): { readonly does: CallDoes; readonly of: string } | undefined {
  for (const does of Object.keys(CALLS) as CallDoes[]) {
    const before = `${CALLS[does]} `;
    if (call.startsWith(before)) return { does, of: call.slice(before.length) };
  }
  return undefined;
}
