import type { ConnectorStatus } from "../../../schemas/generated/facts.ts";

/**
 * An operator that reconciles connectors with Kubernetes resources, as far as Connect's REST API shows it.
 *
 * Rule: reference: connectors managed by an operator, "Telling it over REST, before anything is changed".
 */
export interface Manager {
  readonly is: "Strimzi" | "Confluent for Kubernetes";
  /** The resource of the Connect cluster and its namespace, if the worker's name contains them. */
  readonly cluster: { readonly name: string; readonly namespace: string } | undefined;
  /** The evidence for it: `worker id my-connect-connect-0.my-connect-connect.kafka.svc:8083`. */
  readonly by: string;
  /** Whether the evidence is unambiguous. Otherwise it is a hint: any StatefulSet names its pods like that. */
  readonly certain: boolean;
}

export interface ManagedConnector {
  readonly status: Pick<ConnectorStatus, "worker" | "tasks">;
  readonly config: Readonly<Record<string, string>>;
}

/** Strimzi advertises the first four labels of a pod's name: `NAME-connect-N.NAME-connect.NAMESPACE.svc`. */
const STRIMZI_WORKER = /^(.+)-connect-\d+\.\1-connect\.([a-z0-9-]+)\.svc(?::\d+)?$/;

/** Pods of a StatefulSet, as Confluent for Kubernetes makes one: `NAME-N.NAME.NAMESPACE.svc.cluster.local`. */
const STATEFUL_SET_WORKER = /^(.+)-\d+\.\1\.([a-z0-9-]+)\.svc\.cluster\.local(?::\d+)?$/;

/** Config providers that Strimzi's image of Connect registers. */
const STRIMZI_REFERENCE = /\$\{(?:strimzisecrets|strimziconfigmaps|strimzienv):[^{}]*\}/;

/** The name that its documentation gives the provider of secrets; the provider also runs elsewhere. */
const SECRETS_REFERENCE = /\$\{secrets:[a-z0-9.-]+\/[^{}:]+:[^{}]*\}/;

/**
 * Finds the operator that manages connectors. @returns undefined if nothing shows an operator, which does not prove
 * that there is none
 */
export function managerOf(connectors: readonly ManagedConnector[]): Manager | undefined {
  const workers = connectors.flatMap(({ status }) => [status.worker, ...status.tasks.map(({ worker }) => worker)]);
  const values = connectors.flatMap(({ config }) => Object.values(config));
  const worker = (pattern: RegExp, is: Manager["is"], certain: boolean): Manager | undefined => {
    for (const id of workers) {
      const [, name, namespace] = pattern.exec(id) ?? [];
      if (name !== undefined && namespace !== undefined)
        return { is, cluster: { name, namespace }, by: `worker id ${id}`, certain };
    }
    return undefined;
  };
  const reference = (pattern: RegExp, certain: boolean): Manager | undefined => {
    for (const value of values) {
      const [found] = pattern.exec(value) ?? [];
      if (found !== undefined)
        return { is: "Strimzi", cluster: undefined, by: `configuration reference ${found}`, certain };
    }
    return undefined;
  };
  return (
    worker(STRIMZI_WORKER, "Strimzi", true) ??
    reference(STRIMZI_REFERENCE, true) ??
    worker(STATEFUL_SET_WORKER, "Confluent for Kubernetes", false) ??
    reference(SECRETS_REFERENCE, false)
  );
}
