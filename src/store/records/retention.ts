const DAY_MS = 86_400_000;

export const RECORDS_KEPT_MS = 30 * DAY_MS;
export const AUDIT_KEPT_MS = 90 * DAY_MS;
/** Longer than charges, which a job's credits return by. */
export const GRANTS_KEPT_MS = 32 * DAY_MS;
/** Telegram repeats an update for at most a day. */
export const EVENTS_KEPT_MS = 2 * DAY_MS;
export const SWEEP_BATCH = 200;
/** Smaller, because encrypting costs more than removing. */
export const RESEAL_BATCH = 50;
/** Or so many bytes, whichever comes first. */
export const RESEAL_BYTES = 2 * 1024 * 1024;
