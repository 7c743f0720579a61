import { Refusal } from "../../../errors.ts";
import type { LegacyConnector } from "../../../legacy/legacy-kind.ts";
import type { ConnectPort } from "../../../ports/connect.ts";
import type { KafkaPort } from "../../../ports/kafka.ts";
import { REFUSALS } from "../../../refusals.ts";
import type { Scn } from "../../../values/scn.ts";
import type { FoundTable, TableWanted } from "../request.ts";

/**
 * The topics that hold what was delivered of the tables: as the operator names them, or else as the connector does.
 *
 * @returns each with its topic as the legacy connector's; a new one there is not
 * @throws Refusal VER120 where the connector's settings do not lead to a topic that exists
 */
export async function deliveredTopics(
  audited: LegacyConnector,
  wanted: readonly TableWanted[],
  found: readonly FoundTable[],
  kafka: KafkaPort,
): Promise<readonly TableWanted[]> {
  const topicOf = async ({ name, topic, legacyTopic }: TableWanted, { layout, fullName }: FoundTable) => {
    const given = topic ?? legacyTopic;
    if (given !== undefined) return given;
    const names = audited.topics.ofTable(audited, { ...layout, fullName });
    for (const one of names) if ((await kafka.topic(one)) !== undefined) return one;
    throw new Refusal(
      "VER120",
      names.length === 0
        ? `no topic follows from the settings of ${audited.name} for ${fullName}: its lists do not name the table, ` +
            "or a transformation may write its changes into any topic"
        : `${kafka.brokers} have no topic ${names.join(" or ")}, in which the changes of ${fullName} should be`,
      [{ text: "Name the topic", setting: `--table ${name}=TOPIC` }],
    );
  };
  const tables: TableWanted[] = [];
  for (const [at, one] of wanted.entries())
    tables.push({ name: one.name, topic: undefined, legacyTopic: await topicOf(one, found[at] as FoundTable) });
  return tables;
}

/**
 * Where the audited connector's mining resumes: what was committed below has been delivered.
 *
 * @throws Refusal with the code of a takeover, where the stored offsets are not a position: a snapshot that is not over
 * would show rows as missing that are still to come
 */
export async function storedPosition({ name, config, position }: LegacyConnector, connect: ConnectPort): Promise<Scn> {
  const offsets = await connect.offsets(name);
  const earlier = position.earlier?.({ config, offsets }) ?? [];
  const own = offsets.filter(({ partition: { server } }) => typeof server !== "string" || !earlier.includes(server));
  const read = position.read(own);
  if (read.ok) return read.offsets.startScn;
  const { code, seen, remedies } = read.problem;
  if (code === "LEG018")
    throw new Refusal(code, seen, ["Let it finish, and let one change be delivered; then audit again."]);
  const byDefault = REFUSALS.flatMap(({ code: of, remedy }) => (of === code ? remedy : []));
  throw new Refusal(code, seen, remedies.length > 0 ? remedies : byDefault);
}
