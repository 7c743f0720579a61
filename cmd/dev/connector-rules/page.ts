import { COMMAND } from "./command.ts";
import { type Place, type Places, RULES, type RuleId, SECTIONS } from "./rules.ts";
import { SANDBOX } from "./sandbox.ts";
import { STAND_IN } from "./stand-in.ts";

export const PLACES: readonly { readonly title: string; readonly places: Places }[] = [
  { title: "Command", places: COMMAND },
  { title: "Sandbox", places: SANDBOX },
  { title: "Stand-in plugin", places: STAND_IN },
];

const ids = Object.keys(RULES) as RuleId[];

/** `docs/connector-rules.md`: every rule, and the test that shows it in each place. */
export function connectorRulesPage(note: string): string {
  return `${[
    note,
    "",
    "# Rules of the connector",
    "",
    "What the connector does with what cdcctl writes. Each rule has to hold in three places: in the command that",
    "depends on it, in the sandbox's connector, and in the stand-in plugin of the tests on real Kafka Connect. A place",
    "without a test says why. The build fails where a test named here does not exist.",
    "",
    ...PLACES.map(({ title, places }) => {
      const tested = ids.filter((id) => "test" in places[id]).length;
      return `- ${title}: ${tested} of ${ids.length} rules tested; ${ids.length - tested} say why they are not`;
    }),
    ...SECTIONS.flatMap(({ title, first }, at) => {
      const next = SECTIONS[at + 1]?.first;
      const own = ids.slice(ids.indexOf(first), next === undefined ? undefined : ids.indexOf(next));
      return ["", `## ${title}`, ...own.flatMap(ruleLines)];
    }),
  ].join("\n")}\n`;
}

function ruleLines(id: RuleId): readonly string[] {
  return ["", `### ${id}`, "", RULES[id], "", ...PLACES.map(({ title, places }) => `- ${title}: ${shown(places[id])}`)];
}

function shown(place: Place): string {
  return "test" in place ? `\`${place.test}\`: ${place.name}` : `no test: ${place.why}`;
}
