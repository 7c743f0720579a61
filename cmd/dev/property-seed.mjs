/**
 * Loaded before a file of tests: properties are tried with the same cases in every run of the test command, so that it
 * judges the change and not the day. A file that is run by itself tries others each time.
 *
 *   CDCCTL_PROPERTY_SEED=7 CDCCTL_PROPERTY_RUNS=2000 npm test -- core/doctor     other cases, and more of them
 */
import * as fc from "fast-check";

const { CDCCTL_PROPERTY_SEED: seed = "1", CDCCTL_PROPERTY_RUNS: runs } = process.env;
fc.configureGlobal({ seed: Number(seed), ...(runs === undefined ? {} : { numRuns: Number(runs) }) });
