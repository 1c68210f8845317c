/** A store of an older version was brought up to date. */
export interface Migration {
  readonly from: number;
  readonly to: number;
  readonly ms: number;
}

/** Undefined: it was new, or up to date. */
export const migrationOf = (from: number, to: number, began: number): Migration | undefined =>
  from === 0 || from === to ? undefined : { from, to, ms: Math.round(performance.now() - began) };
