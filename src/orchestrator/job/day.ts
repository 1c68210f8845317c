const DAY_MS = 86_400_000;

/** Allowances are counted by the UTC day on which a job was accepted. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The next midnight UTC, when the allowance is whole again. */
export const dayEnd = (at: number): number => (Math.floor(at / DAY_MS) + 1) * DAY_MS;
