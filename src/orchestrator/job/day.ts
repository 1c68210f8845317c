const DAY_MS = 86_400_000;

/** Allowances are counted by the UTC day on which a job was accepted. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The next midnight UTC, when the allowance is whole again. */
export function dayEnd(at: number): number {
  return (Math.floor(at / DAY_MS) + 1) * DAY_MS;
}
