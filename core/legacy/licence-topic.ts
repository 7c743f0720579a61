/** The topic in which a legacy connector keeps its licence: `confluent.topic` (reference: legacy properties). */
export function licenceTopicOf(config: Readonly<Record<string, string>>): string {
  return config["confluent.topic"]?.trim() || "_confluent-command";
}
