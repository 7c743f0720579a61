/**
 * Where a set-up script is run: in the root, in a database without containers, inside one PDB
 * (`cdc.mining.mode=range`), on Amazon RDS.
 */
export const DATABASE_FORMS = ["container", "non-container", "pdb", "rds"] as const;
export type DatabaseForm = (typeof DATABASE_FORMS)[number];
