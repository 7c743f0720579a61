import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, saidBy, unseen } from "../doctor/testing/build-preflight.ts";
import { noArchiveDestination } from "./RED205-no-archive-destination.ts";

const check = suite("RED205 a valid local archive destination");

const at = (id: bigint, status: string, type: string) => ({ id, name: `LOG_ARCHIVE_DEST_${id}`, status, type });
const destinations = known([at(1n, "ERROR", "LOCAL"), at(2n, "VALID", "STANDBY"), at(3n, "VALID", "LOCAL")]);

check("passes for the lowest one, or the one that is named in whatever case", () => {
  assert.match(saidBy(noArchiveDestination, { destinations }), "pass: archived logs are read from LOG_ARCHIVE_DEST_3");
  const settings = { archiveDestination: "log_archive_dest_3" };
  assert.match(saidBy(noArchiveDestination, { destinations, settings }), /^pass/);
});

check("fails where the named one is not usable, and tells which are in use", () => {
  for (const archiveDestination of ["LOG_ARCHIVE_DEST_1", "LOG_ARCHIVE_DEST_2", "LOG_ARCHIVE_DEST_9"])
    assert.match(
      saidBy(noArchiveDestination, { destinations, settings: { archiveDestination } }),
      `fail: cdc.archive.destination is ${archiveDestination}`,
    );
});

check("fails where there is none", () => {
  const none = known([at(1n, "ERROR", "LOCAL"), at(2n, "INACTIVE", "UNKNOWN")]);
  assert.match(saidBy(noArchiveDestination, { destinations: none }), "LOG_ARCHIVE_DEST_1 is ERROR, LOCAL");
  assert.match(saidBy(noArchiveDestination, { destinations: known([]) }), "no destination is in use");
  assert.match(saidBy(noArchiveDestination, { destinations: unseen() }), /^unknown/);
});

check.run();
