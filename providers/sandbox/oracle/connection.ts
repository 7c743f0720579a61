/** Serves one client: logon, then calls, each read completely and then answered. */
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { readEndToEnd } from "./end-to-end.ts";
import { type Cursor, readExecute, readFetch, readReexecute } from "./execute-request.ts";
import { noLobs, readLobCall } from "./lobs.ts";
import type { Challenge, Verifier } from "./logon.ts";
import { admit, ask, type LogonMessage, readLogon, sessionPairs } from "./logon-exchange.ts";
import {
  type Agreement,
  beforeAgreement,
  type Capabilities,
  dataTypesReply,
  protocolReply,
  readDataTypes,
  readFastAuth,
  readProtocol,
} from "./negotiation.ts";
import type { OracleServerOptions, Session } from "./options.ts";
import { OraError } from "./ora-error.ts";
import { acceptance, NETWORK_SERVICES, noServiceAgreed, refusal } from "./packets.ts";
import { type CallContext, type CallEnd, callEnd, parameters, status } from "./replies.ts";
import { type Execution, runRequest } from "./run-request.ts";
import { type Action, type Conversation, openTransport, type Transport } from "./transport.ts";
import { BadWire, type Reader, Writer } from "./wire.ts";

const MESSAGE = { protocol: 1, dataTypes: 2, function: 3, piggyback: 17, fastAuth: 34 } as const;

const FUNCTION = {
  reexecute: 4,
  fetch: 5,
  logoff: 9,
  commit: 14,
  rollback: 15,
  version: 59,
  reexecuteAndFetch: 78,
  execute: 94,
  lob: 96,
  logonAnswer: 115,
  logon: 118,
  ping: 147,
} as const;

const PIGGYBACK = { closeCursors: 105, cancelCursors: 120, endToEnd: 135, setSchema: 152 } as const;

/** The field version from which every function carries a token. */
const VERSION_TOKEN = 18;
const DEFAULTS = {
  fieldVersion: 13,
  serverVersion: "19.22.0.0.0",
  sdu: 8192,
  maxRequest: 64 << 20,
  patience: 10_000,
  databaseName: "ORCLCDB",
};

export interface Connection {
  destroy(): void;
}

/** Serves a client until it disconnects. */
export function serveConnection(
  socket: Socket,
  options: OracleServerOptions,
  id: number,
  onClose: () => void,
): Connection {
  const sdu = options.sdu ?? DEFAULTS.sdu;
  return openTransport(
    socket,
    {
      sdu,
      maxRequest: options.maxRequest ?? DEFAULTS.maxRequest,
      patience: options.patience ?? DEFAULTS.patience,
    },
    (transport) => conversation(transport, options, sdu, id, onClose),
  );
}

function conversation(
  transport: Transport,
  options: OracleServerOptions,
  sdu: number,
  id: number,
  onClose: () => void,
): Conversation {
  const verifier: Verifier = options.verifier ?? "11g";
  const serverVersion = options.serverVersion ?? DEFAULTS.serverVersion;
  const capabilities: Capabilities = {
    version: options.fieldVersion ?? DEFAULTS.fieldVersion,
    verifier,
    endOfRequest: options.endOfRequest ?? false,
  };
  const cursors = new Map<number, Cursor>();
  const lobs = noLobs();
  const properties = new Map<string, string>();
  const closing = new AbortController();
  let agreement: Agreement = beforeAgreement(capabilities);
  let bareText = false;
  let sequence = 0;
  let session: Session = { id, user: "", service: "", program: "", properties };
  let asked: Challenge | undefined;
  let loggedIn = false;
  let inSession = false;
  const execution: Execution = {
    cursors,
    lobs,
    nextCursor: 1,
    transactionOpen: false,
    cancel: undefined,
    handler: options.handler,
    beforeStatement: options.beforeStatement,
  };

  return {
    connect({ service, sid, program }) {
      const known = service === undefined && sid !== undefined ? (options.sids ?? options.services) : options.services;
      const wanted = service ?? sid ?? "";
      session = { ...session, service: wanted, program };
      if (!known.some((name) => name.toUpperCase() === wanted.toUpperCase()))
        return { accepted: false, body: refusal(service === undefined && sid !== undefined ? 12505 : 12514) };
      return {
        accepted: true,
        body: acceptance(sdu, {
          fastAuth: options.fastAuth ?? false,
          endOfRequest: options.endOfRequest ?? false,
          encryption: options.encryption?.() ?? false,
        }),
      };
    },
    read,
    cancel: () => execution.cancel?.(),
    cancelled: () => end({ code: 1013, message: "ORA-01013: user requested cancel of current operation" }),
    loggedIn: () => loggedIn,
    endOfRequest: () => agreement.endOfRequest,
    closed: () => {
      closing.abort();
      execution.cancel?.();
      endSession();
      onClose();
    },
  };

  function endSession(): void {
    if (!inSession) return;
    inSession = false;
    options.session?.(-1);
  }

  function call(): CallContext {
    return { agreement, transactionOpen: execution.transactionOpen, sequence };
  }

  function end(what: CallEnd = {}): Buffer {
    return callEnd(call(), what);
  }

  function failed(error: OraError, cursor = 0): Buffer {
    return end({ code: error.code, message: error.message, offset: error.offset, cursor });
  }

  function read(reader: Reader, lastPacketFull: boolean): readonly Action[] {
    const actions: Action[] = [pause];
    for (;;) {
      const type = reader.uint8();
      if (type === MESSAGE.piggyback) actions.push(readPiggyback(reader));
      else {
        actions.push(readMessage(type, reader, lastPacketFull));
        return actions;
      }
    }
  }

  async function pause(): Promise<void> {
    const millis = options.roundTrip?.() ?? 0;
    if (millis > 0) await delay(millis, undefined, { signal: closing.signal }).catch(() => {});
  }

  function readMessage(type: number, reader: Reader, lastPacketFull: boolean): Action {
    switch (type) {
      case MESSAGE.protocol:
        readProtocol(reader);
        return () => transport.answer(protocolReply(capabilities), false);
      case MESSAGE.dataTypes:
        agreement = readDataTypes(reader, capabilities, "alone", lastPacketFull);
        return () => transport.answer(dataTypesReply(agreement), false);
      case MESSAGE.fastAuth: {
        const fast = readFastAuth(reader, capabilities);
        if (reader.uint8() !== MESSAGE.function || reader.uint8() !== FUNCTION.logon)
          throw new BadWire("fast authentication: a logon message was expected");
        agreement = fast.agreement;
        readSequence(reader, fast.logonVersion);
        const logon = readLogonMessage(reader);
        return () =>
          transport.answer(Buffer.concat([protocolReply(capabilities), dataTypesReply(agreement), question(logon)]));
      }
      case MESSAGE.function:
        return readFunction(reader);
      case NETWORK_SERVICES[0]:
        reader.skipAll();
        return () => transport.answer(noServiceAgreed(), false);
      default:
        throw new BadWire(`message type ${type}`);
    }
  }

  function readSequence(reader: Reader, version = agreement.version): void {
    sequence = reader.uint8();
    if (version >= VERSION_TOKEN) reader.ub();
  }

  /** Reads a text whose length was announced: ojdbc sends only its bytes, other drivers repeat the length. */
  function readText(reader: Reader, length: number): string {
    return (bareText ? reader.take(length) : (reader.lenBytes() ?? "")).toString();
  }

  // ---- piggybacks: calls without an answer, sent before another call

  function readPiggyback(reader: Reader): Action {
    const number = reader.uint8();
    readSequence(reader);
    switch (number) {
      case PIGGYBACK.closeCursors:
      case PIGGYBACK.cancelCursors: {
        reader.uint8();
        const ids = Array.from({ length: reader.count(65_535) }, () => reader.ub());
        return () => {
          for (const cursorId of ids) releaseCursor(cursorId, number === PIGGYBACK.closeCursors);
        };
      }
      case PIGGYBACK.endToEnd: {
        const attributes = readEndToEnd(reader, readText);
        return () => {
          for (const [key, value] of attributes) properties.set(key, value);
        };
      }
      case PIGGYBACK.setSchema: {
        reader.uint8();
        const schema = readText(reader, reader.count(65_535));
        return () => void properties.set("schema", schema);
      }
      default:
        throw new BadWire(`piggyback ${number}`);
    }
  }

  function releaseCursor(cursorId: number, close: boolean): void {
    const cursor = cursors.get(cursorId);
    if (cursor === undefined) return;
    cursor.rows = undefined;
    cursor.ahead = undefined;
    for (const lob of cursor.lobs) lobs.byId.delete(lob);
    cursor.lobs = [];
    if (close) cursors.delete(cursorId);
  }

  // ---- functions ---------------------------------------------------------------------------------------------------

  function readFunction(reader: Reader): Action {
    const number = reader.uint8();
    readSequence(reader);
    if (number === FUNCTION.logon) {
      const logon = readLogonMessage(reader);
      return () => transport.answer(question(logon));
    }
    if (number === FUNCTION.logonAnswer) {
      const logon = readLogonMessage(reader);
      return () => answered(() => welcome(logon));
    }
    if (number === FUNCTION.version) {
      reader.skipAll();
      return () => transport.answer(versionReply());
    }
    if (!loggedIn) throw new BadWire(`function ${number} before logon`);
    switch (number) {
      case FUNCTION.ping:
      case FUNCTION.logoff:
        if (number === FUNCTION.logoff) endSession();
        return () => transport.answer(status(call()));
      case FUNCTION.commit:
      case FUNCTION.rollback:
        return () => {
          execution.transactionOpen = false;
          transport.answer(status(call()));
        };
      case FUNCTION.lob: {
        const perform = readLobCall(reader, lobs);
        return () => answered(() => Buffer.concat([perform(), end()]));
      }
      case FUNCTION.execute:
      case FUNCTION.reexecute:
      case FUNCTION.reexecuteAndFetch:
      case FUNCTION.fetch:
        return readRun(number, reader);
      default:
        reader.skipAll();
        return () =>
          transport.answer(
            failed(new OraError(3115, `unsupported network datatype or representation (function ${number})`)),
          );
    }
  }

  function readRun(number: number, reader: Reader): Action {
    const context = { agreement, cursors, lobs, text: readText };
    const request =
      number === FUNCTION.execute
        ? readExecute(reader, context)
        : number === FUNCTION.fetch
          ? readFetch(reader, context)
          : readReexecute(reader, context, number === FUNCTION.reexecuteAndFetch);
    return async () => {
      if (request === undefined) {
        transport.answer(failed(new OraError(1001, "invalid cursor")));
        return;
      }
      const outcome = await runRequest(request, execution, session, call);
      if (outcome === "disconnect") transport.destroy();
      else if (outcome === "freeze") transport.freeze();
      else if (outcome !== "cancelled" && !transport.breaking()) transport.answer(outcome);
    };
  }

  function answered(make: () => Buffer): void {
    try {
      transport.answer(make());
    } catch (error) {
      if (!(error instanceof OraError)) throw error;
      transport.answer(failed(error));
    }
  }

  function versionReply(): Buffer {
    const major = serverVersion.split(".")[0];
    const banner = `Oracle Database ${major}c Enterprise Edition Release ${serverVersion} - Production`;
    const writer = new Writer().u8(8).ub(banner.length);
    if (bareText) writer.raw(Buffer.from(banner));
    else writer.text(banner);
    return writer.ub(versionNumber()).raw(status(call())).done();
  }

  function versionNumber(): number {
    const [version = 0, release = 0, update = 0, port = 0, portUpdate = 0] = serverVersion.split(".").map(Number);
    const high = version * 2 ** 24;
    return agreement.version >= 11
      ? high + release * 2 ** 16 + update * 2 ** 12 + port * 2 ** 4 + portUpdate
      : high + release * 2 ** 20 + update * 2 ** 12 + port * 2 ** 8 + portUpdate;
  }

  // ---- logon -------------------------------------------------------------------------------------------------------

  function readLogonMessage(reader: Reader): LogonMessage {
    const message = readLogon(reader, bareText);
    bareText = message.bareText;
    return message;
  }

  function question(logon: LogonMessage): Buffer {
    session = { ...session, user: logon.user };
    for (const [key, value] of Object.entries(logon.pairs)) properties.set(key, value);
    asked = ask(options.users[session.user], verifier);
    return Buffer.concat([parameters(asked.pairs), end()]);
  }

  function welcome(logon: LogonMessage): Buffer {
    options.logon?.();
    const proof = admit(options.users[session.user], session.user, asked, logon.pairs);
    loggedIn = inSession = true;
    options.session?.(1);
    const pairs = sessionPairs({
      sessionId: id,
      database: options.databaseName ?? DEFAULTS.databaseName,
      service: session.service,
      versionNumber: versionNumber(),
      proof,
    });
    return Buffer.concat([parameters(pairs), end()]);
  }
}
