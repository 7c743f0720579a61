import type { Program } from "../main.ts";
import { ADMIN_COMMANDS, admin } from "./admin.ts";
import { approve } from "./approvals/approve.ts";
import { apply, init, observe, recover, rollback } from "./changes.ts";
import { connectors } from "./connectors.ts";
import { contexts } from "./contexts.ts";
import { DOCTOR_COMMANDS, doctor as doctorGroup } from "./doctor.ts";
import { explain } from "./explain.ts";
import { script } from "./loaded.ts";
import { migrate, takeover, translate, verify } from "./migrate.ts";
import { plan } from "./plan.ts";
import { policy } from "./policies/policy.ts";
import { history, report, show, status } from "./reports.ts";
import { completer, completion, sandbox, schema } from "./setup.ts";
import { validate } from "./validate.ts";

/** Every command of every program: a new one is a declaration and a line here. */
export const cdcctl: Program = {
  name: "cdcctl",
  describe: "Plan, apply, recover and roll back changes to an Oracle CDC source connector on Kafka Connect.",
  commands: [
    init,
    validate,
    plan,
    observe,
    show,
    report,
    approve,
    apply,
    status,
    history,
    recover,
    rollback,
    connectors,
    contexts,
    policy,
    admin,
    doctorGroup,
    migrate,
    explain,
    schema,
    sandbox,
    completion(() => PROGRAMS),
    completer(() => PROGRAMS),
  ],
  epilogue:
    "Exit codes: 0 done or nothing to do, 1 refused or failed and nothing changed, 2 something to change " +
    "(--detailed-exitcode),\n3 changed and not finished (next: cdcctl recover, or recover --abandon), 64 usage or " +
    "configuration, 70 a bug.\nTry it without Oracle, Kafka or Java:  cdcctl sandbox",
};

export const cdcAdmin: Program = {
  name: "cdc-admin",
  describe: "Operator commands of the Oracle CDC source connector.",
  commands: ADMIN_COMMANDS,
  epilogue: "Exit codes: 0 done, 1 refused or a call failed, 64 usage or configuration.",
};

export const doctor: Program = {
  name: "srcdb-cdc-doctor",
  describe: "Diagnoses an Oracle CDC source connector.",
  commands: [...DOCTOR_COMMANDS, admin],
  epilogue: "Exit codes: 0 done, 1 refused or a call failed, 64 usage or configuration.",
};

/** The migration's scripts: a new one is a row here, one in `BINARIES` and in `package.json`. */
export const SCRIPTS = {
  migrate_from_legacy: script(
    "migrate_from_legacy",
    translate,
    "1 a worker finds the result invalid, 2 properties are manual (--detailed-exitcode)",
  ),
  takeover_scn: script("takeover_scn", takeover, "1 refused or a call failed"),
  verify_cutover: script("verify_cutover", verify, "1 a table failed or was inconclusive"),
} as const;

export const PROGRAMS: readonly Program[] = [cdcctl, cdcAdmin, doctor, ...Object.values(SCRIPTS)];
