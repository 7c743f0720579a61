import type { Reader } from "./wire.ts";

/** Reads module, action and the like (piggyback 135): first their kinds and lengths, then the texts. */
export function readEndToEnd(
  reader: Reader,
  text: (reader: Reader, length: number) => string,
): readonly (readonly [key: string, value: string])[] {
  const announced: [key: string, length: number][] = [];
  const announce = (key: string) => {
    const given = reader.uint8();
    const length = reader.count(65_535);
    if (given !== 0 && length > 0) announced.push([key, length]);
  };
  const passOver = () => {
    reader.uint8();
    reader.ub();
  };
  reader.pass(2);
  reader.ub();
  for (const key of ["clientId", "module", "action", "executionContext"]) announce(key);
  passOver();
  announce("clientInfo");
  passOver();
  passOver();
  announce("databaseOperation");
  return announced.map(([key, length]) => [key, text(reader, length)]);
}
