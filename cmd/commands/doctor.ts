import { group } from "../command.ts";
import { check } from "./doctor-check.ts";
import { explainLag } from "./doctor-explain-lag.ts";
import { redoProfile } from "./doctor-redo-profile.ts";
import { setupSql } from "./doctor-setup-sql.ts";
import { sizing } from "./doctor-sizing.ts";

/** In `srcdb-cdc-doctor` these commands are at the top level, beside `admin`. */
export const DOCTOR_COMMANDS = [explainLag, setupSql, check, sizing, redoProfile] as const;

export const doctor = group("doctor <command>", "Diagnose problems; read-only", DOCTOR_COMMANDS);
