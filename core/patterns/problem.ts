/**
 * Why a pattern has no meaning here: `refused`, Java would not compile it; `unsupported`, Java may, and this engine
 * does not know exactly what it would match.
 */
export class PatternProblem extends Error {
  readonly kind: "refused" | "unsupported";

  constructor(kind: "refused" | "unsupported", message: string) {
    super(message);
    this.kind = kind;
  }
}

export function refused(message: string): PatternProblem {
  return new PatternProblem("refused", message);
}

export function unsupported(what: string): PatternProblem {
  return new PatternProblem("unsupported", what);
}
