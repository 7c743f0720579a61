/** Facts with the settings of the connector that is changed; in a migration those of the new one. */
export type WithSettings<S> = { readonly connector: S } | { readonly settings: S };

/**
 * The settings of the connector that is changed, or checked before it is started; in a migration those of the new one,
 * as it has them or would be created with.
 */
export function settingsIn<S>(facts: WithSettings<S>): S {
  return "connector" in facts ? facts.connector : facts.settings;
}
