import type { CutoverFacts } from "../../schemas/generated/facts.ts";
import type { MigrationIntent } from "../document/intent.ts";
import { columnReaders } from "../legacy/follow-ups.ts";
import { leavingOut } from "../legacy/position.ts";
import { nearest, orMeant } from "../values/nearest.ts";
import { truncate } from "../values/truncate.ts";
import { ACCESS_REMEDIES, setUnknown } from "./access-remedies.ts";
import { type Check, type CheckIn, fail, pass, unseen } from "./check.ts";
import { listed, sentences } from "./listed.ts";
import type { CutoverReading } from "./readings.ts";

/**
 * A property without a translation has to be dealt with manually, and accepted one by one: a blanket acceptance would
 * also cover the next one.
 *
 * Rule: specification, "Translation rules", manual.
 */
export const manualPropertiesOpen: Check<unknown, Pick<CutoverReading, "open">> = {
  code: "MIG101",
  title: "Properties without a translation are unresolved",
  problem:
    "The new connector does not do what the legacy connector did by these properties, unless it is set up manually.",
  remedy: "Follow the instruction of each, then add the property's name to `spec.accept`.",
  grade: "refusal",

  run(_intent, { open }) {
    if (open.length === 0) return pass;
    return fail(
      sentences(
        open.map(({ name, instruction }) => `${name}: ${instruction}`),
        open.length,
      ),
      {
        remedies: [
          {
            text: "Follow the instruction of each; then add those that are done or not needed to spec.accept",
            setting: JSON.stringify(open.map(({ name }) => name)),
          },
        ],
        at: "spec.accept",
      },
    );
  },
};

/**
 * A literal secret of the legacy connector is masked when it is translated: the person who plans may not be allowed to
 * see it.
 */
export const missingSecrets: Check<unknown, Pick<CutoverReading, "masked">> = {
  code: "MIG102",
  title: "Settings of the new connector are still masked",
  problem: "The connector would be created with ******** as its password, and fail after the legacy one was stopped.",
  remedy:
    "Put the values, or references to them, into the connector's file in the context, or into the file passed with " +
    "--config.",
  grade: "refusal",

  run(_intent, { masked }) {
    if (masked.length === 0) return pass;
    return fail(
      `only the mask ******** is known for ${listed(masked, masked.length)}: ` +
        `${masked.length === 1 ? "its value is" : "their values are"} not given anywhere`,
    );
  },
};

/**
 * A transformation that masks a column of the legacy records masks nothing of the new ones: the value flows in clear.
 *
 * Rule: Kafka Connect: a field of a transformation is one of the record's own, not of a struct in it.
 */
export const transformsColumns: Check<unknown, { readonly facts: { readonly settings: CutoverFacts["settings"] } }> = {
  code: "MIG123",
  title: "Transformations expect columns at the top level",
  problem:
    "In the new records, columns are nested under before and after, and topics have other names. Columns that a " +
    "transformation masked, removed or converted may be delivered unchanged.",
  remedy:
    "Unwrap the records first (ExtractNewRecordState, or cdc.output.format=flat), or mask in the consumers. " +
    "Accept it if these columns hold nothing confidential.",
  grade: "acceptable",

  run(_intent, { facts }) {
    const readers = columnReaders(facts.settings.config);
    const now = "columns now lie below before and after, and topics have other names";
    if (readers.length === 0) return pass;
    return fail(`${now}; written for the legacy records: ${listed(readers, readers.length)}`);
  },
};

const MATCH_ALL =
  "Compare cdc.tables.include, cdc.tables.exclude and cdc.database.pdbs with the names: patterns have to match the " +
  "whole of PDB.SCHEMA.TABLE, in its case. Correct them in `spec.to.config`, or in the legacy connector.";

/**
 * A pattern in another case, with the SID before the PDB or mistyped matches nothing: the connector then runs, and
 * delivers nothing.
 */
export const tablesNotCaptured: Check<
  Pick<MigrationIntent, "from" | "to">,
  Pick<CutoverReading, "captured" | "notCaptured" | "legacy">
> = {
  code: "MIG121",
  title: "The new connector does not capture every delivered table",
  problem: "Nobody would deliver the changes of these tables after the cutover, and no error would tell.",
  remedy: MATCH_ALL,
  grade: "refusal",
  unknown: "acceptable",

  run({ from, to }, { captured, notCaptured, legacy }) {
    const ofOffsets = legacy.position.deliveredTables !== undefined;
    const delivers = ofOffsets ? "has stored offsets of" : "delivers, by its table lists,";
    const missed = notCaptured.known ? notCaptured.tables.map(({ fullName }) => fullName) : [];
    const nothing = captured.known && captured.tables.length === 0;
    if (nothing || missed.length > 0)
      return fail(
        sentences([
          ...(nothing ? [`${to.name} captures no table`] : []),
          ...(missed.length === 0
            ? []
            : [`${from.connector} ${delivers} ${listed(missed, 50)}, which ${to.name} does not capture`]),
        ]),
        {
          remedies: [
            MATCH_ALL,
            ...(missed.length === 0 || !ofOffsets
              ? []
              : [{ text: "Or leave out what nobody needs any more", setting: leavingOut(missed, "plan file") }]),
          ],
          at: "spec.to.config",
        },
      );
    const open = [captured, notCaptured].find(({ known }) => !known);
    return open === undefined || open.known ? pass : setUnknown(open);
  },
};

const LONGEST = 300;

/**
 * Reports in advance what the worker would refuse at creation. The worker can't judge a masked value; MIG102 names
 * those.
 */
export const configurationInvalid: CheckIn<CutoverReading, "masked", "installed" | "problems"> = {
  code: "MIG104",
  title: "A worker finds the new connector's configuration invalid",
  problem: "The worker would refuse to create the connector, or its task would fail, with the legacy one stopped.",
  remedy: "Correct the settings in `spec.to.config`, or in the file that the context or --config names.",
  grade: "refusal",

  run(_intent, { facts: { installed, problems }, masked }) {
    if (!installed.known) return unseen(installed, "no worker validated it", ACCESS_REMEDIES.classes);
    // Another check reports this, and the worker was not called then.
    if (!installed.value) return pass;
    if (!problems.known) return unseen(problems, "the worker could not validate it", ACCESS_REMEDIES.validation);
    const found = problems.value.filter(({ setting }) => !masked.includes(setting));
    if (found.length === 0) return pass;
    const lines = found.map(({ setting, errors }) => {
      const text = errors.join(" ").replaceAll(/\s+/g, " ").trim();
      return `${setting}: ${truncate(text, LONGEST)}`;
    });
    return fail(sentences(lines), { at: "spec.to.config" });
  },
};

/** A name that accepts nothing may be a mistyped one. */
export const acceptedInVain: Check<unknown, Pick<CutoverReading, "acceptedInVain" | "open">> = {
  code: "MIG113",
  title: "A name in `spec.accept` is not a manual property",
  problem: "It accepts nothing: it is mistyped, or the legacy connector's configuration has changed since.",
  remedy: "Correct the name, or remove it.",
  grade: "advisory",

  run(_intent, { acceptedInVain: names, open }) {
    if (names.length === 0) return pass;
    const candidates = open.map(({ name }) => name);
    return fail(
      sentences(
        names.map(
          (name) => `${name} is not a manual property of the legacy connector${orMeant(nearest(name, candidates))}`,
        ),
      ),
      { at: "spec.accept" },
    );
  },
};
