import type { OutageInterval } from '../../store/tables/figures.ts';

/** The ranges of time for which figures are shown. */
export const RANGES = ['hour', 'day', 'month', 'year'] as const;
/** One of the ranges that the page of figures offers. */
export type Range = (typeof RANGES)[number];

/** The median and the 95th percentile of a duration, in milliseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

/** The counts of a span of time. Durations are those of jobs that were done; undefined if there were none. */
export interface Counts {
  readonly done: number;
  /** Failed jobs, including those of which it is uncertain whether the service has them. */
  readonly failed: number;
  readonly cancelled: number;
  readonly kinds: readonly { readonly kind: string; readonly done: number; readonly failed: number }[];
  /** The reasons why jobs failed, the most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
  /** The time from acceptance to the result. */
  readonly tookMs: Percentiles | undefined;
  /** The longest time for which a result may have been ready before it was seen. */
  readonly unseenMs: Percentiles | undefined;
  readonly statusCallsPerJob: number | undefined;
  /** The failed calls to the service, the most frequent first. */
  readonly errors: readonly { readonly what: string; readonly count: number }[];
  /** The problems that face checks found, and the choices of people after them. */
  readonly faceChecks: readonly { readonly what: string; readonly count: number }[];
  /** The outcomes of checks of the content of pictures. */
  readonly contentChecks: readonly { readonly what: string; readonly count: number }[];
  /** The results that platforms refused to show, by platform. */
  readonly refused: readonly { readonly what: string; readonly count: number }[];
}

/** Reserved and spent credits, as ceilings count them. For the last 30 days they come from the ledger, and are exact. */
export interface Credits {
  /** The UTC days that the range touches, the earliest first. */
  readonly days: readonly { readonly day: string; readonly credits: number }[];
  /** The credits of the whole range; for an hour or a day, those of jobs that ended in it. */
  readonly total: number;
  /** The communities that used most in the range, and those that used most today. */
  readonly communities: readonly {
    readonly community: string;
    readonly credits: number;
    /** The credits of each of `days`. */
    readonly byDay: readonly number[];
  }[];
  /** The rest of `total`: direct chats, which are counted as one, and smaller communities. */
  readonly others: number;
}

/** Credits under a name; the highest first in a list. */
export interface NamedCredits {
  readonly name: string;
  readonly credits: number;
}

/** Reserved and spent credits of a calendar month (UTC). The current month is exact, as its ceiling counts it. */
export interface ShownMonth {
  /** `YYYY-MM` */
  readonly month: string;
  readonly credits: number;
  readonly communities: readonly NamedCredits[];
  /** The part of `credits` that is of direct chats, which are counted as one, and of smaller communities. */
  readonly otherCommunities: number;
  /** The credits of jobs that ended, by command. */
  readonly commands: readonly NamedCredits[];
  /** The part of `credits` that is counted for no command: of unfinished jobs, and of days before it was counted by command. */
  readonly otherCommands: number;
}

/** An outage; `what` is `service-key`, `service-token`, `store` or a platform. For the service, `reason` tells why. */
export interface ShownOutage extends OutageInterval {
  readonly isOver: boolean;
}

/** The figures from `from` until `until`. */
export interface ShownFigures {
  readonly from: number;
  readonly until: number;
  /** The time from one point to the next. */
  readonly stepMs: number;
  readonly points: readonly Counts[];
  readonly total: Counts;
  readonly credits: Credits;
  /** The outages, the latest first. */
  readonly outages: readonly ShownOutage[];
}
