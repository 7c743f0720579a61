import { suite } from "uvu";
import * as assert from "uvu/assert";
import { catalogue, question } from "../testing/build-catalogue.ts";
import { redoFrom } from "./from.ts";
import { redoSentences } from "./sentences.ts";

const sentences = suite("redo in sentences");

sentences("no file is reported as to be opened where archive_only has none to open yet", () => {
  const of = (from: bigint) =>
    redoSentences(redoFrom(catalogue(), question({ captureMode: "archive_only", from }), [])).sentence;
  assert.match(of(115n), "every file opened");
  assert.not.match(of(152n), "every file opened");
  assert.match(of(152n), "redo from 152 onwards is not archived yet");
});

sentences.run();
