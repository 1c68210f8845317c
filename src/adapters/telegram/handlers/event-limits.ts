/** A group gets 20 answers a minute: behind more than this, a person would wait for minutes. */
export const EVENT_LIMITS = { perPerson: 10, perChat: 30 };
