import { suite } from "uvu";
import * as assert from "uvu/assert";
import { nightStories, type Story, storyOf, straysOf } from "./night.ts";

const stories = nightStories();

const night = suite("incidents of the night");

night("there are fourteen", () => {
  assert.equal(stories.map(({ name }) => name).sort(), [
    "failed-task",
    "full-disk",
    "in-flight-elsewhere",
    "journal",
    "killed-apply",
    "lost-journal",
    "orphan",
    "redo-gone",
    "redo-missing",
    "second-operator",
    "somebody-stopped-it",
    "strimzi",
    "stuck-stop",
    "wrong-database",
  ]);
});

for (const story of stories)
  night(`${story.name} is solved with what its commands print, and ends well`, () => {
    assert.equal(straysOf(story), []);
    assert.ok(story.steps.length >= 2, "a symptom, and what leads to its end");
    assert.is(story.steps.at(-1)?.exit, "0");
    const prose = story.steps.flatMap(({ comment }) => comment).join(" ");
    for (const part of ["Symptom: ", "It means: ", "Outcome: "]) assert.ok(prose.includes(part), part);
  });

type Told = readonly [command: string, ...output: string[]];

/** A story of these commands, each with what it printed. */
function described(...steps: readonly Told[]): Story {
  const played = steps.flatMap(([command, ...output]) => [`$ ${command}`, "exit 0", ...output, ""]);
  return storyOf(["# A", "world: a", "", "# Symptom: all is dark.", ...played].join("\n"), "night-a.transcript.txt");
}

const strays = (...steps: readonly Told[]) => straysOf(described(...steps)).map(({ command }) => command);

night("that use a command which was not printed are detected", () => {
  const printed = "next:  cdcctl recover 2026-11-20T18-00-00Z-run1     # if no process is applying it";
  assert.equal(strays(["cdcctl status", printed], ["cdcctl recover 2026-11-20T18-00-00Z-run1"]), []);
  for (const other of ["cdcctl recover", "cdcctl recover 2026-11-20T18-00-00Z-run2", "cdcctl recover --abandon"])
    assert.equal(strays(["cdcctl status", printed], [other]), [other]);
  assert.equal(strays(["cdcctl status"], ["cdcctl recover R", "next:  cdcctl recover R"]), ["cdcctl recover R"]);
});

night("fill in placeholders, and shorten waits", () => {
  const show = "next:  cdcctl connectors show NAME --context CONTEXT";
  assert.equal(strays(["cdcctl status", show], ["cdcctl connectors show orders-cdc --context prod"]), []);
  assert.is(strays(["cdcctl status", show], ["cdcctl connectors show orders-cdc"]).length, 1);
  const settle = "Ask the operator of that change, or settle it: `cdcctl recover --from-ops --connector CONNECTOR`.";
  const given = "cdcctl recover --from-ops --connector orders-cdc --settle 1s";
  assert.equal(strays(["cdcctl status", settle], [given]), []);
  assert.is(strays(["cdcctl status", settle], [`${given} --again`]).length, 1);
});

night("use outside cdcctl only what was printed, wrapped or not", () => {
  const restore = ["  Restore the logs (RMAN):  RESTORE ARCHIVELOG FROM", "  SEQUENCE 119;"] as const;
  const done = (text: string) =>
    strays(["cdcctl status", ...restore], [`touch restored        [done: ${text}]`]).length;
  assert.is(done("RESTORE ARCHIVELOG FROM SEQUENCE 119;"), 0);
  assert.is(done("RESTORE ARCHIVELOG FROM SEQUENCE 120;"), 1);
  assert.is(strays(["cdcctl status"], ["touch restored"]).length, 1);
});

night("begin with the commands of the on-call operator", () => {
  assert.equal(strays(["cdcctl rollback --yes"]), ["cdcctl rollback --yes"]);
  assert.equal(strays(["cdcctl explain CDC-2001"]), []);
});

night.run();
