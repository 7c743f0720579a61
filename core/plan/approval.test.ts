import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Intent } from "../document/intent.ts";
import { type Approved, approvalOf } from "./resolved-plan.ts";

const approval = suite("what is approved");

const URLS = ["http://connect-1:8083", "https://connect-2:8083/connect"];

/** The approval of one plan: of its members only those that count are given. */
function of({
  connector = "orders-cdc",
  cluster = "k",
  evidence = "a.json",
  kind = "Migration" as Intent["kind"],
  decision = "sha256:1",
  urls = URLS,
} = {}): string {
  const plan = { intent: { kind, target: { connector }, evidence }, decided: { cluster }, decision };
  return approvalOf([plan as unknown as Approved], () => urls);
}

approval("binds the decision, the workers, the cluster, the connector and the evidence, each by itself", () => {
  const all = [
    of(),
    of({ connector: "billing-cdc" }),
    of({ cluster: "another" }),
    of({ evidence: "b.json" }),
    of({ kind: "OffsetChange" }),
    of({ decision: "sha256:2" }),
    of({ urls: URLS.slice(1) }),
    of({ urls: [...URLS, "http://connect-3:8083"] }),
  ];
  assert.is(new Set(all).size, all.length);
});

approval("is the same in whatever order and form the workers' URLs are written", () => {
  assert.is(of({ urls: URLS.toReversed() }), of());
  assert.is(of({ urls: ["HTTP://connect-1:8083/", "https://connect-2:8083/connect/"] }), of());
});

approval("of several plans depends on their order: they are carried out in it", () => {
  const plans = ["orders-cdc", "billing-cdc"].map(
    (connector) =>
      ({
        intent: { kind: "OffsetChange", target: { connector } },
        decided: { cluster: "k" },
        decision: "sha256:1",
      }) as unknown as Approved,
  );
  assert.is.not(
    approvalOf(plans, () => URLS),
    approvalOf(plans.toReversed(), () => URLS),
  );
});

approval.run();
