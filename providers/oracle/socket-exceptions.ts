import { DamagedAnswer } from "./damaged-answer.ts";

/** The part of a socket that is used here. */
export interface GuardedSocket {
  emit(event: string | symbol, ...values: unknown[]): boolean;
  destroy(error?: Error): unknown;
}

/** The driver's network transport: it keeps its socket in `stream`, assigned once for TCP and again for TLS. */
export interface Transport {
  readonly prototype: object;
}

const SOCKETS = new WeakMap<object, GuardedSocket | null | undefined>();
const CONTAINED = new WeakSet<object>();

/**
 * Turns what the driver throws in a handler of its own socket into an error of that socket, which the driver reports as
 * a lost connection to the call in progress. Otherwise Node.js would end the process, because no caller can catch an
 * exception of an event handler.
 *
 * Only the driver has handlers on these sockets, so no error of cdcctl's own code is caught. Timers and promises are
 * not affected.
 *
 * @param transport class of the driver's transport; its objects must assign `stream`, not define it
 */
export function containSocketExceptions({ prototype }: Transport): void {
  Object.defineProperty(prototype, "stream", {
    configurable: true,
    get(this: object) {
      return SOCKETS.get(this);
    },
    set(this: object, socket: GuardedSocket | null | undefined) {
      SOCKETS.set(this, socket);
      if (socket !== null && socket !== undefined) contain(socket);
    },
  });
}

function contain(socket: GuardedSocket): void {
  if (CONTAINED.has(socket)) return;
  CONTAINED.add(socket);
  const emit = socket.emit.bind(socket);
  socket.emit = (event, ...values) => {
    try {
      return emit(event, ...values);
    } catch (cause) {
      // A socket that is already closed has notified the driver.
      socket.destroy(new DamagedAnswer("the answer can't be read", { cause }));
      return true;
    }
  };
}
