import { type Check, fail, fine, unknown } from "./check.ts";

export const notACommonUser: Check<"Preflight"> = {
  code: "DBA408",
  title: "The capture user is not a common user",
  problem: "In a container database redo is mined in CDB$ROOT, where only a common user can see the PDBs.",
  remedy:
    "Let cdc.database.user name a common user (C##…); or set cdc.mining.mode=range if mining from inside the PDB " +
    "is meant.",
  grade: "refusal",

  run(_intent, { facts: { account, database, settings } }) {
    if (!database.known) return unknown(database.why, database.remedy);
    if (!database.value.container) return fine(`${database.value.name} has no containers`);
    if (!account.known) return unknown(account.why, account.remedy);
    const { user, common } = account.value;
    if (common) return fine(`${user} is a common user`);
    if (settings.miningMode === "range") return fine(`${user} is a local user, with cdc.mining.mode=range`);
    return fail({ seen: `${user} is a local user of ${database.value.connectedTo}` });
  },
};
