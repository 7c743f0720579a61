/**
 * The transport of one connection: packets in both directions, assembly of messages, the markers that cancel a call,
 * and the timer for silent clients. `Conversation` interprets the messages.
 */
import type { Socket } from "node:net";
import {
  DATA_HEADER,
  dataPackets,
  END_OF_FILE,
  END_OF_MESSAGE,
  HEADER,
  MARKER,
  PACKET,
  packet,
  packetLength,
  readConnect,
  readTarget,
  type Target,
} from "./packets.ts";
import { BadWire, NeedMore, Reader } from "./wire.ts";

/** An action for a completely read message. */
export type Action = () => void | Promise<void>;

export interface Conversation {
  /** The body of ACCEPT or REFUSE. */
  connect(target: Target): { readonly accepted: boolean; readonly body: Buffer };
  /**
   * Reads one whole message without acting on it. @throws NeedMore if it is incomplete; BadWire if it is not a message
   *
   * @param lastPacketFull the last packet had the maximum length, so more may follow
   */
  read(reader: Reader, lastPacketFull: boolean): readonly Action[];
  /** Ends the running call without an answer. */
  cancel(): void;
  /** The answer to a cancelled call. */
  cancelled(): Uint8Array;
  loggedIn(): boolean;
  /** Whether the client requested a byte that ends every answer. */
  endOfRequest(): boolean;
  closed(): void;
}

export interface Transport {
  /** @param marked whether the end-of-request byte follows, if the client requested it */
  answer(message: Uint8Array, marked?: boolean): void;
  /** Whether a cancel is in progress: the running call's own answer must not be sent. */
  breaking(): boolean;
  /** Stops sending and receiving. */
  freeze(): void;
  destroy(): void;
}

interface Bounds {
  readonly sdu: number;
  readonly maxRequest: number;
  /** Milliseconds. */
  readonly patience: number;
}

/** A break answered at once, over loopback, makes ojdbc's cancelling and reading threads collide. */
const BREAK_DELAY_MILLIS = 20;
const MAX_UNREAD = 256 << 20;
/** The message type that ends an answer. */
const END_OF_ANSWER = 29;

export function openTransport(
  socket: Socket,
  bounds: Bounds,
  converse: (transport: Transport) => Conversation,
): Transport {
  let unread: Buffer = Buffer.alloc(0);
  let incoming: Buffer[] = [];
  let incomingLength = 0;
  let lastPacketFull = false;
  /** Length at which the last read of the message was incomplete. */
  let triedAt = 0;
  let accepted = false;
  let connectDataFollows = 0;
  let busy = false;
  let dead = false;
  let frozen = false;
  let breaking = false;
  let patience: NodeJS.Timeout | undefined;
  let breakDelay: NodeJS.Timeout | undefined;

  const transport: Transport = {
    answer,
    breaking: () => breaking,
    freeze: () => {
      frozen = true;
      clearTimeout(patience);
    },
    destroy,
  };
  const conversation = converse(transport);

  socket.setNoDelay(true);
  socket.on("data", (bytes: Buffer) => guarded(() => receive(bytes)));
  socket.on("error", () => {}); // a close follows
  socket.on("close", () => {
    dead = true;
    clearTimeout(patience);
    clearTimeout(breakDelay);
    conversation.closed();
  });
  awaitClient();
  return transport;

  function destroy(): void {
    dead = true;
    socket.destroy();
  }

  /** Closes the connection on invalid bytes: a server does not answer a client without its protocol. */
  function guarded(work: () => void): void {
    try {
      work();
    } catch {
      destroy();
    }
  }

  /** Limits the wait for bytes of the client. */
  function awaitClient(): void {
    clearTimeout(patience);
    patience = setTimeout(destroy, bounds.patience);
  }

  function receive(bytes: Buffer): void {
    if (dead || frozen) return;
    unread = unread.length === 0 ? bytes : Buffer.concat([unread, bytes]);
    while (!dead && unread.length >= HEADER) {
      const length = packetLength(unread, accepted);
      if (unread.length < length) break;
      const whole = unread.subarray(0, length);
      unread = unread.subarray(length);
      receivePacket(whole);
    }
    settle();
  }

  function settle(): void {
    if (dead || frozen) return;
    const nothingOwed = !breaking && unread.length === 0 && (incomingLength === 0 || busy);
    if (conversation.loggedIn() && nothingOwed) clearTimeout(patience);
    else if (conversation.loggedIn()) awaitClient();
  }

  function receivePacket(whole: Buffer): void {
    const type = whole[4];
    if (type === PACKET.connect && !accepted) {
      const read = readConnect(whole);
      if ("data" in read) connect(read.data);
      else connectDataFollows = read.follows;
    } else if (type === PACKET.data) receiveData(whole);
    else if (type === PACKET.marker && accepted) receiveMarker(whole[10]);
    else throw new BadWire(`packet type ${type}`);
  }

  function receiveData(whole: Buffer): void {
    if (whole.length < DATA_HEADER) throw new BadWire("short DATA");
    if (!accepted && connectDataFollows === 0) throw new BadWire("DATA before CONNECT");
    if (whole.readUInt16BE(HEADER) & END_OF_FILE) {
      socket.end();
      return;
    }
    incoming.push(whole.subarray(DATA_HEADER));
    incomingLength += whole.length - DATA_HEADER;
    lastPacketFull = whole.length >= bounds.sdu;
    if (incomingLength > bounds.maxRequest) throw new BadWire("request too long");
    if (connectDataFollows === 0) {
      // A long request is not read again from its start for each of its packets.
      const flags = whole.readUInt16BE(HEADER);
      if (!lastPacketFull || flags & END_OF_MESSAGE || incomingLength >= 2 * triedAt) void converseOn();
    } else if (incomingLength >= connectDataFollows) {
      connectDataFollows = 0;
      connect(takeIncoming().toString());
    }
  }

  function takeIncoming(): Buffer {
    const [only] = incoming;
    const all = incoming.length === 1 && only !== undefined ? only : Buffer.concat(incoming);
    incoming = [];
    incomingLength = 0;
    triedAt = 0;
    return all;
  }

  function connect(connectData: string): void {
    const { accepted: welcome, body } = conversation.connect(readTarget(connectData));
    socket.write(packet(welcome ? PACKET.accept : PACKET.refuse, body, false));
    if (welcome) accepted = true;
    else socket.end();
  }

  function receiveMarker(marker: number | undefined): void {
    if (marker === MARKER.reset) {
      clearTimeout(breakDelay);
      sendMarker(MARKER.reset);
      takeIncoming();
      breaking = false;
      answer(conversation.cancelled());
    } else if (marker === MARKER.break || marker === MARKER.interrupt) {
      if (breaking) return;
      breaking = true;
      conversation.cancel();
      breakDelay = setTimeout(() => sendMarker(MARKER.break), BREAK_DELAY_MILLIS);
    } else throw new BadWire(`marker ${marker}`);
  }

  function sendMarker(marker: number): void {
    if (!dead) socket.write(packet(PACKET.marker, Uint8Array.of(1, 0, marker), accepted));
  }

  function answer(message: Uint8Array, marked = true): void {
    if (dead || frozen) return;
    const ended = conversation.endOfRequest();
    const body = ended && marked ? Buffer.concat([message, Uint8Array.of(END_OF_ANSWER)]) : message;
    socket.write(dataPackets(body, bounds.sdu, ended));
    if (socket.writableLength > MAX_UNREAD) destroy();
  }

  /** Reads whole messages and acts on them, one after the other, until the rest is not a whole message. */
  async function converseOn(): Promise<void> {
    if (busy) return;
    busy = true;
    try {
      while (incomingLength > 0 && !dead && !frozen) {
        const bytes = takeIncoming();
        let actions: readonly Action[];
        try {
          actions = conversation.read(new Reader(bytes), lastPacketFull);
        } catch (error) {
          if (!(error instanceof NeedMore)) throw error;
          incoming = [bytes];
          incomingLength = bytes.length;
          triedAt = bytes.length;
          break;
        }
        clearTimeout(patience);
        for (const act of actions) await act();
        if (!conversation.loggedIn() && !dead) awaitClient();
      }
    } catch {
      destroy();
    } finally {
      busy = false;
      settle();
    }
  }
}
