import type { OffsetChangeIntent } from "../../document/intent.ts";
import type { OffsetChangeFacts } from "../../facts/connector-facts.ts";
import { allOrFirst, observerAt } from "../../facts/observer.ts";
import type { World } from "../../ports/world.ts";
import { drawnFrom } from "../../timeline/position.ts";
import type { Scn } from "../../values/scn.ts";
import { timesOfMore } from "../connector/inspect-redo.ts";
import { lookAtJournal, lookAtKafka } from "../connector/look-at-kafka.ts";
import { lookAtConnector, type Observation } from "../connector/observe.ts";
import type { Sources } from "../sources.ts";
import { lookAtOracle } from "./look-at-oracle.ts";

/**
 * Looks at everything an offset change is decided by, and changes nothing. What can be asked at the same time is. A
 * right that is missing leaves a fact unknown; anything else that goes wrong ends the look.
 *
 * @throws CallFailed, UsageError, or Refusal `CON301` for a connector of another kind
 */
export async function observeOffsetChange(
  intent: OffsetChangeIntent,
  world: World,
  { settingsOf }: Pick<Sources, "settingsOf">,
  { pinned }: { readonly pinned?: Scn | undefined } = {},
): Promise<Observation<OffsetChangeFacts>> {
  const { seen, stored, settings, kafka, oracle } = await lookAtConnector(intent.target.connector, world, settingsOf);
  const observer = observerAt(world.clock);
  const [fromKafka, fromOracle] = await allOrFirst(
    lookAtKafka(kafka, settings, observer, world),
    lookAtOracle(oracle, intent, seen.connector, stored, observer, pinned),
  );
  const { to, ...database } = fromOracle;
  const forward = to !== undefined && (stored === undefined || to > stored.resumeScn);
  const journaled = forward
    ? await lookAtJournal(kafka, settings, observer, world.clock)
    : await observer(settings.journalTopic, async () => []);
  const times = await timesOfMore(database.times, oracle, journaled.known ? drawnFrom(journaled.value) : [], observer);
  return {
    facts: { kind: "OffsetChange", ...seen, ...database, times, journaled, ...fromKafka },
    settings,
    kafka,
    oracle,
  };
}
