import { suite } from "uvu";
import * as assert from "uvu/assert";
import { urlPart } from "./url-part.ts";

const parts = suite("a part of a URL");

parts("is percent-encoded, with a half of a surrogate pair as the replacement character", () => {
  for (const [text, encoded] of [
    ["orders-cdc", "orders-cdc"],
    ["a/b ?#", "a%2Fb%20%3F%23"],
    ["\u{1f600}", "%F0%9F%98%80"],
    ["a\ud83d", "a%EF%BF%BD"],
    ["\ude00b", "%EF%BF%BDb"],
  ] as const)
    assert.is(urlPart(text), encoded);
});

parts.run();
