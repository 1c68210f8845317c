/** The UTC day of a moment, as the counters have it. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
