import { CallFailed } from "../../core/errors.ts";
import type { ConsumerGroupSeen } from "../../schemas/generated/facts.ts";
import { type BrokerCluster, readAt, retrying } from "./broker-cluster.ts";
import type { BrokerConnection } from "./broker-connection.ts";
import { GROUP_AUTHORIZATION_FAILED, GROUP_ID_NOT_FOUND, TOPIC_AUTHORIZATION_FAILED } from "./error-codes.ts";
import {
  committedTopics,
  type DescribedGroup,
  describeConsumerGroups,
  describeGroups,
  type ListedGroup,
  listGroups,
} from "./group-requests.ts";
import { BrokerRefused, translate } from "./kafka-failure.ts";
import { MAY_DESCRIBE } from "./metadata-request.ts";

const DOING = "list the consumer groups";
/** Groups in one request. */
const AT_ONCE = 100;
/** A rebalancing group does not report what its members read; most rebalances end soon. */
const ATTEMPTS = 6;
const PAUSE_MILLIS = 500;

/**
 * Returns the groups that read or have read one of the topics. Every broker reports those that it coordinates. A reader
 * without a group, or one that neither has members nor has committed anything, leaves no trace at the brokers.
 *
 * @throws CallFailed `forbidden` if this login may not see all groups and topics, `unsupported` if the broker does not
 * report whether it may
 */
export async function consumersOf(
  cluster: BrokerCluster,
  topics: readonly string[],
): Promise<readonly ConsumerGroupSeen[]> {
  await seesAll(cluster, topics);
  return retrying(DOING, async () => {
    const metadata = await cluster.metadata();
    const found = await Promise.all(
      [...metadata.brokers.keys()].map(async (id) => {
        const session = await cluster.broker(metadata, id);
        return coordinatedBy(cluster, session, topics);
      }),
    );
    return found.flat().toSorted((a, b) => (a.group < b.group ? -1 : 1));
  });
}

/** ListGroups silently omits groups unless the login may describe them, or the cluster. */
async function seesAll(cluster: BrokerCluster, topics: readonly string[]): Promise<void> {
  const { operations } = await cluster.metadata();
  if (operations === undefined)
    throw new CallFailed("kafka", "unsupported", {
      message: `could not ${DOING}: the broker does not report if this login sees all groups (before Kafka 2.3)`,
    });
  if ((operations & MAY_DESCRIBE) === 0)
    throw new CallFailed("kafka", "forbidden", {
      message: `could not ${DOING}: this login does not see all of them`,
      remedy: "Grant the login Describe on the cluster and on all consumer groups (kafka-acls).",
    });
  for (const name of topics) {
    const seen = (await cluster.metadata(name)).topics.find((topic) => topic.name === name);
    if (seen?.error === TOPIC_AUTHORIZATION_FAILED)
      throw new CallFailed("kafka", "forbidden", {
        message:
          `could not ${DOING}: this login may not describe the topic ${name}, so offsets committed for it are not ` +
          "shown",
        remedy: `Grant the login Describe on the topic ${name} (kafka-acls).`,
      });
  }
}

async function coordinatedBy(
  cluster: BrokerCluster,
  session: BrokerConnection,
  topics: readonly string[],
): Promise<readonly ConsumerGroupSeen[]> {
  const read = <T>(ask: () => Promise<T>): Promise<T> =>
    readAt(cluster, session, DOING, async () => {
      try {
        return await ask();
      } catch (error) {
        throw error instanceof BrokerRefused && error.code === GROUP_AUTHORIZATION_FAILED ? groupsForbidden() : error;
      }
    });
  const listed = await read(() => listGroups(session));
  const among = (names: readonly string[]) => topics.filter((topic) => names.includes(topic));
  const described = new Map<string, DescribedGroup>();
  for (const [type, describe] of [
    ["classic", describeGroups],
    ["consumer", describeConsumerGroups],
  ] as const) {
    let left = listed.filter((group) => group.type === type && hasAssignments(group)).map(({ group }) => group);
    for (let attempt = 1; left.length > 0 && attempt <= ATTEMPTS; attempt++) {
      if (attempt > 1) await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS));
      for (let from = 0; from < left.length; from += AT_ONCE)
        for (const group of await read(() => describe(session, left.slice(from, from + AT_ONCE))))
          described.set(group.group, checked(group));
      left = left.filter((group) => described.get(group)?.members.includes(undefined));
    }
  }
  const seen: ConsumerGroupSeen[] = [];
  for (const entry of listed) {
    const committed = among(await read(() => committedTopics(session, entry.group)));
    const members = described.get(entry.group);
    const active = among((members?.members ?? []).flatMap((assigned) => assigned ?? []));
    const unclear = whyUnclear(entry, members);
    if (active.length + committed.length > 0 || unclear !== undefined)
      seen.push({
        group: entry.group,
        state: members?.state ?? "",
        active,
        committed,
        ...(unclear === undefined ? {} : { unclear }),
      });
  }
  return seen;
}

/** Whether a group assigns topics. Groups of other protocols (Connect's workers, a schema registry) do not. */
function hasAssignments({ type, protocol }: ListedGroup): boolean {
  return type !== "classic" || protocol === "consumer";
}

function checked(group: DescribedGroup): DescribedGroup {
  // The group was deleted between the two requests.
  if (group.error === GROUP_ID_NOT_FOUND) return { ...group, error: 0, state: "Dead", members: [] };
  if (group.error === GROUP_AUTHORIZATION_FAILED) throw groupsForbidden(group.group);
  if (group.error !== 0) throw new BrokerRefused(group.error);
  return group;
}

function whyUnclear({ type }: ListedGroup, members: DescribedGroup | undefined): string | undefined {
  if (type !== "classic" && type !== "consumer") return `groups of the type ${type} are not inspected`;
  return members?.members.includes(undefined)
    ? `the broker does not report what its members read while it is ${members.state}`
    : undefined;
}

function groupsForbidden(group?: string) {
  const message = translate(
    new BrokerRefused(GROUP_AUTHORIZATION_FAILED),
    group === undefined ? DOING : `describe the consumer group ${group}`,
  ).message;
  return new CallFailed("kafka", "forbidden", {
    message,
    remedy: "Grant the login Describe on all consumer groups (kafka-acls).",
  });
}
