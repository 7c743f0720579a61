/**
 * Where a set-up script runs: in the root, in a non-CDB, inside one PDB (`cdc.mining.mode=range`), or on Amazon RDS.
 */
export const DATABASE_FORMS = ["container", "non-container", "pdb", "rds"] as const;
export type DatabaseForm = (typeof DATABASE_FORMS)[number];
