/**
 * Builds an expression that matches what any of the alternatives matches. It is one group, so that it can be a part of
 * another expression.
 *
 * @param alternatives in the order in which they are tried; their own flags are not used
 * @param flags of the result
 */
export const anyOf = (alternatives: readonly RegExp[], flags = ""): RegExp =>
  new RegExp(`(?:${alternatives.map(({ source }) => source).join("|")})`, flags);

/**
 * Builds an expression that matches the parts one after another. A part with alternatives must be a group.
 *
 * @param parts in their order; their own flags are not used
 * @param flags of the result
 */
export const inSequence = (parts: readonly RegExp[], flags = ""): RegExp =>
  new RegExp(parts.map(({ source }) => source).join(""), flags);
