import { z } from 'zod';
import { HOUR_MS, isWithin, MINUTE_MS } from '../../base/clock.ts';
import { REQUEST_ID_SHAPE } from './request-number.ts';

/** How soon owners decide. */
export const ANSWERED_WITHIN_MS = 48 * HOUR_MS;
/** When owners are reminded of a request that is still open. */
const REMINDED_AFTER_MS = [24 * HOUR_MS, 40 * HOUR_MS];

const MOST_OPEN = 200;
/** Of one address. A family or an office can have one address. */
const MOST_OPEN_OF_ONE = 20;
const MOST_A_MINUTE = 30;
const MOST_A_MINUTE_OF_ONE = 3;
/** Decided requests that the console lists. */
const MOST_CLOSED = 100;

/** Notices about single requests, reminders among them; the rest is gathered in one. */
const MOST_NOTICES_AN_HOUR = 20;
const MOST_NOTICES_AN_HOUR_OF_ONE = 5;
const MOST_REMINDERS_AT_ONCE = 3;
/** The rest of a flood is waited for before a notice tells of all of it. */
const GATHERED_AFTER_MS = 5 * MINUTE_MS;
/** A notice that is still being sent then was left by a process that died. */
const SENT_WITHIN_MS = 5 * MINUTE_MS;

const id = z.string().regex(REQUEST_ID_SHAPE);
/** A visitor's address as a hash. */
const from = z.string().max(50);
const at = z.number();
const event = z.object({ from, at });

const entryShape = z.object({
  id,
  from,
  at,
  /** When owners were told of it. */
  told: at.exactOptional(),
  /** Since when a notice or reminder is being sent: if the process dies meanwhile, nobody knows whether it was seen. */
  telling: at.exactOptional(),
  /** How many reminders were sent. */
  reminded: z.int().min(0),
});

/** What all processes know of the requests together, in one record: how many there are, and what was told of them. */
export const requestListShape = z.object({
  open: z.array(entryShape),
  /** The latest to be decided, the newest first. */
  closed: z.array(id),
  /** Forms that were sent within the last minute. */
  tries: z.array(event),
  /** Notices about single requests within the last hour. */
  notices: z.array(event),
  /** When the latest notice about several requests was sent. */
  gathered: at.exactOptional(),
});
export type RequestList = Readonly<z.infer<typeof requestListShape>>;
type Entry = RequestList['open'][number];

export const EMPTY_LIST: RequestList = { open: [], closed: [], tries: [], notices: [] };

/** Why a request is not accepted: there are too many, of everybody or from this address, open or within a minute. */
export type Crowded = 'full' | 'full-of-one' | 'busy' | 'busy-of-one';

const countOf = (list: readonly { readonly from: string }[], who: string): number =>
  list.filter((each) => each.from === who).length;

function crowdOf({ open, tries }: RequestList, who: string): Crowded | undefined {
  if (countOf(open, who) >= MOST_OPEN_OF_ONE) return 'full-of-one';
  if (open.length >= MOST_OPEN) return 'full';
  if (countOf(tries, who) >= MOST_A_MINUTE_OF_ONE) return 'busy-of-one';
  return tries.length >= MOST_A_MINUTE ? 'busy' : undefined;
}

/** The list with one more try, or why there can be none. */
export function withTry(list: RequestList, who: string, now: number): RequestList | Crowded {
  const tries = list.tries.filter((each) => isWithin(MINUTE_MS, each.at, now));
  const current = { ...list, tries };
  return crowdOf(current, who) ?? { ...current, tries: [...tries, { from: who, at: now }] };
}

/** The list with one more request, or why there can be none. */
export function withRequest(list: RequestList, request: Omit<Entry, 'reminded'>): RequestList | Crowded {
  if (countOf(list.open, request.from) >= MOST_OPEN_OF_ONE) return 'full-of-one';
  if (list.open.length >= MOST_OPEN) return 'full';
  return { ...list, open: [...list.open, { ...request, reminded: 0 }] };
}

/** The list without a request that was deleted or, with `isDecided`, is listed among the decided ones. */
export function withoutRequest(list: RequestList, gone: string, isDecided: boolean): RequestList {
  const open = list.open.filter((each) => each.id !== gone);
  const others = list.closed.filter((each) => each !== gone);
  return { ...list, open, closed: (isDecided ? [gone, ...others] : others).slice(0, MOST_CLOSED) };
}

/** A message to owners. `dueInMs`: what is left of the 48 hours, of the oldest one where there are several. */
export type RequestNotice = { readonly dueInMs: number } & (
  | { readonly kind: 'new' | 'reminder'; readonly id: string }
  | { readonly kind: 'several'; readonly count: number }
);

const remindersDue = ({ at: asked }: Entry, now: number): number =>
  REMINDED_AFTER_MS.filter((ms) => now - asked >= ms).length;

/** Clears the mark of a notice that is being sent. */
function settled({ telling: _, ...entry }: Entry): Entry {
  return entry;
}

/**
 * The notices that are due, and the list in which they count as sent, which is stored before they are: so none is sent twice, whoever
 * else would send it. A notice that a dying process has left may have been seen or not, so it is not repeated, but gathered with others.
 */
export function takeNotices(list: RequestList, now: number) {
  const dueInMs = ({ at: asked }: Entry): number => asked + ANSWERED_WITHIN_MS - now;
  const notices = list.notices.filter((each) => isWithin(HOUR_MS, each.at, now));
  const changed = new Map<string, Entry>();
  const due: RequestNotice[] = [];
  const tellOfOne = (kind: 'new' | 'reminder', entry: Entry): void => {
    due.push({ kind, id: entry.id, dueInMs: dueInMs(entry) });
    changed.set(entry.id, { ...entry, told: entry.told ?? now, telling: now });
  };
  const tellOfSeveral = (entries: readonly Entry[]): void => {
    due.push({ kind: 'several', count: entries.length, dueInMs: Math.min(...entries.map(dueInMs)) });
    for (const entry of entries) changed.set(entry.id, { ...settled(entry), told: entry.told ?? now });
  };

  const isCrowded = ({ from: who }: Entry): boolean =>
    notices.length >= MOST_NOTICES_AN_HOUR || countOf(notices, who) >= MOST_NOTICES_AN_HOUR_OF_ONE;

  const reminders = list.open
    .filter((entry) => entry.told !== undefined && remindersDue(entry, now) > entry.reminded)
    .map((entry) => ({ ...entry, reminded: remindersDue(entry, now) }));
  const rest: Entry[] = [];
  for (const entry of reminders) {
    if (reminders.length > MOST_REMINDERS_AT_ONCE || isCrowded(entry)) {
      rest.push(entry);
      continue;
    }
    notices.push({ from: entry.from, at: now });
    tellOfOne('reminder', entry);
  }

  const isReminded = new Set(reminders.map((entry) => entry.id));
  for (const entry of list.open) {
    if (isReminded.has(entry.id)) continue;
    const isUnseen = entry.telling !== undefined && now - entry.telling >= SENT_WITHIN_MS;
    if (entry.told !== undefined && !isUnseen) continue;
    if (isUnseen || isCrowded(entry)) rest.push(entry);
    else {
      notices.push({ from: entry.from, at: now });
      tellOfOne('new', entry);
    }
  }

  const { gathered } = list;
  const isRecent = gathered !== undefined && isWithin(HOUR_MS, gathered, now);
  const isGathering = !isRecent && rest.some((entry) => now - entry.at >= GATHERED_AFTER_MS);
  if (isGathering) tellOfSeveral(rest);

  const open = list.open.map((entry) => changed.get(entry.id) ?? entry);
  const after: RequestList = { ...list, open, notices, ...(isGathering ? { gathered: now } : {}) };
  return { after, due };
}

/**
 * The list after a notice about one request was sent. `isUnsent`: it certainly reached nobody. It is sent again and does not count, because
 * the tries of an outage would use up the notices of an hour, and the rest would be gathered in one that nobody is sent either.
 */
export function afterNotice(list: RequestList, told: string, isUnsent: boolean): RequestList {
  const open = list.open.map((entry) => {
    if (entry.id !== told) return entry;
    if (!isUnsent) return settled(entry);
    if (entry.reminded > 0) return { ...settled(entry), reminded: entry.reminded - 1 };
    const { told: _, ...untold } = settled(entry);
    return untold;
  });
  const who = isUnsent ? list.open.find((entry) => entry.id === told)?.from : undefined;
  const unsent = list.notices.findLastIndex((notice) => notice.from === who);
  return { ...list, open, notices: list.notices.filter((_, index) => index !== unsent) };
}
