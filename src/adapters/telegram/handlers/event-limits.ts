/**
 * How many messages or presses may be in progress; a group gets 20 answers a minute, so behind more than this a person would
 * wait for minutes.
 */
export const EVENT_LIMITS = { perPerson: 10, perChat: 30 };
