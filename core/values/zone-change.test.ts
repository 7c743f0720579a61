import { suite } from "uvu";
import * as assert from "uvu/assert";
import { earliestByWrongHour, zonesThatDiffer } from "./zone-change.ts";

const zones = suite("validity of a server's current offset for an earlier instant");

/** Changes of 2026: Europe 29 March 01:00Z and 25 October 01:00Z; New York 8 March 07:00Z and 1 November 06:00Z. */
const cases: readonly (readonly [
  what: string,
  offset: string,
  from: string,
  now: string,
  /** A zone that must be in the result; none: no zone may be in it. */
  zone: string | undefined,
])[] = [
  [
    "back to winter time, the instant before it",
    "+01:00",
    "2026-10-25T00:30:00Z",
    "2026-10-25T12:00:00Z",
    "Europe/Berlin",
  ],
  ["back to winter time, both after it", "+01:00", "2026-10-25T02:00:00Z", "2026-10-25T12:00:00Z", undefined],
  [
    "back to winter time, within the hour that came twice",
    "+01:00",
    "2026-10-25T01:30:00Z",
    "2026-10-25T12:00:00Z",
    "Europe/Berlin",
  ],
  [
    "forward to summer time, the instant before it",
    "+02:00",
    "2026-03-29T00:59:59Z",
    "2026-03-30T00:00:00Z",
    "Europe/Berlin",
  ],
  ["forward to summer time, both after it", "+02:00", "2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z", undefined],
  ["west of Greenwich, back", "-05:00", "2026-11-01T05:00:00Z", "2026-11-02T00:00:00Z", "America/New_York"],
  ["west of Greenwich, forward", "-04:00", "2026-03-08T06:00:00Z", "2026-03-09T00:00:00Z", "America/New_York"],
  ["a half hour's zone that changes", "+10:30", "2026-10-03T12:00:00Z", "2026-10-03T14:00:00Z", undefined],
  ["a half hour's zone that never does", "+05:30", "2026-03-01T00:00:00Z", "2026-04-30T00:00:00Z", undefined],
  ["London's offset is UTC's too", "+00:00", "2026-10-24T12:00:00Z", "2026-10-26T00:00:00Z", "Europe/London"],
  ["last summer", "+01:00", "2026-07-20T00:00:00Z", "2026-11-20T00:00:00Z", "Europe/Berlin"],
  ["last winter, and back again since", "+01:00", "2026-01-20T00:00:00Z", "2026-01-25T00:00:00Z", undefined],
  ["a future instant", "+01:00", "2026-10-26T00:00:00Z", "2026-10-25T00:00:00Z", undefined],
  ["no offset", "Europe/Berlin", "2026-10-24T00:00:00Z", "2026-10-26T00:00:00Z", undefined],
];

for (const [what, offset, from, now, zone] of cases)
  zones(`${what} (${offset}): ${zone ?? "none"}`, () => {
    const found = zonesThatDiffer(offset, from, now);
    if (zone === undefined) assert.equal(found, []);
    else assert.ok(found.includes(zone), found.join(" "));
    assert.not.ok(found.includes("Africa/Lagos"), "it never changes");
  });

/** The server's local time is of summer or winter; the statements convert it with the current offset. */
const converted: readonly (readonly [
  what: string,
  offset: string,
  now: string,
  times: readonly string[],
  earliest: string | undefined,
])[] = [
  [
    "summer, seen in winter, beside correct times",
    "+01:00",
    "2026-11-20T00:00:00Z",
    ["2026-11-19T00:00:00Z", "2026-07-20T08:00:00Z", "2026-08-01T08:00:00Z"],
    "2026-07-20T08:00:00Z",
  ],
  ["winter, seen in summer", "+02:00", "2026-04-02T00:00:00Z", ["2026-03-20T08:00:00Z"], "2026-03-20T08:00:00Z"],
  ["the hour that came twice", "+01:00", "2026-10-25T12:00:00Z", ["2026-10-25T01:30:00Z"], "2026-10-25T01:30:00Z"],
  ["since the change", "+01:00", "2026-11-20T00:00:00Z", ["2026-10-25T02:00:00Z", "2026-11-01T00:00:00Z"], undefined],
  ["last winter: the offset was the same", "-05:00", "2026-11-20T00:00:00Z", ["2026-02-01T00:00:00Z"], undefined],
  ["a zone without summer time", "+05:30", "2026-11-20T00:00:00Z", ["2026-07-20T08:00:00Z"], undefined],
  [
    "a server on UTC may be in London",
    "+00:00",
    "2026-11-20T00:00:00Z",
    ["2026-07-20T08:00:00Z"],
    "2026-07-20T08:00:00Z",
  ],
  ["no offset is known", "+01:00", "2026-11-20T00:00:00Z", [], undefined],
  ["an unreadable offset", "?", "2026-11-20T00:00:00Z", ["2026-07-20T08:00:00Z"], undefined],
  ["future times", "+01:00", "2026-11-20T00:00:00Z", ["2027-07-20T08:00:00Z"], undefined],
];

for (const [what, offset, now, times, earliest] of converted)
  zones(`times converted with the current offset, ${what}: ${earliest ?? "correct"}`, () => {
    assert.is(earliestByWrongHour(offset, times, now), earliest);
  });

/** Winters and summers. */
const halfYears = Array.from({ length: 2 * 35 }, (_, index) => new Date(Date.UTC(2000, 6 * index)));

zones("a zone that has changed since 2000 is found by its offset afterwards, in every area", () => {
  const tried = new Set<string>();
  for (const zone of Intl.supportedValuesOf("timeZone")) {
    const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    const offsets = halfYears.map((time) => format.format(time).split("GMT")[1] || "+00:00");
    for (const [index, offset] of offsets.entries()) {
      const [then, now] = [halfYears[index - 1]?.toISOString(), halfYears[index]?.toISOString()];
      const area = `${zone.split("/")[0]} ${offset}`;
      if (then === undefined || now === undefined || offsets[index - 1] === offset || tried.has(area)) continue;
      tried.add(area);
      assert.ok(zonesThatDiffer(offset, then, now).includes(zone), `${zone} at ${offset}, ${now}`);
    }
  }
  assert.ok(tried.size > 50, [...tried].join());
});

zones.run();
