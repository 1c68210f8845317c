import type { OutageInterval } from '../../store/tables/figures.ts';

export const RANGES = ['hour', 'day', 'month', 'year'] as const;
export type Range = (typeof RANGES)[number];

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

/** What happened in some time. Times are of jobs that were done; undefined: there were none. */
export interface Counts {
  readonly done: number;
  /** Also those of which it is not certain whether the service has them. */
  readonly failed: number;
  readonly cancelled: number;
  readonly kinds: readonly { readonly kind: string; readonly done: number; readonly failed: number }[];
  /** Why jobs failed, the most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
  /** From acceptance to the result. */
  readonly tookMs: Percentiles | undefined;
  /** At most how long a result was ready before it was seen. */
  readonly unseenMs: Percentiles | undefined;
  readonly statusCallsPerJob: number | undefined;
  /** Calls to the service that failed, the most frequent first. */
  readonly errors: readonly { readonly what: string; readonly count: number }[];
  /** What checks of photos found wrong, and what people chose then. */
  readonly faceChecks: readonly { readonly what: string; readonly count: number }[];
  /** What came of looks at the content of pictures. */
  readonly contentChecks: readonly { readonly what: string; readonly count: number }[];
  /** Ends of jobs that platforms refused to show, by platform. */
  readonly refused: readonly { readonly what: string; readonly count: number }[];
}

/** Reserved and spent, as ceilings count them. Those of the last 30 days are the ledger's, and exact. */
export interface Credits {
  /** The UTC days that the range touches, the earliest first. */
  readonly days: readonly { readonly day: string; readonly credits: number }[];
  /** Credits of the whole range; within an hour or a day, those of jobs that ended in it. */
  readonly total: number;
  /** Those that used most of it, and those that used most today. */
  readonly communities: readonly {
    readonly community: string;
    readonly credits: number;
    /** One for each of `days`. */
    readonly byDay: readonly number[];
  }[];
  /** What is left of `total`: direct chats, which are counted as one, and smaller communities. */
  readonly others: number;
}

/** `what`: `service-key`, `service-token`, `store` or a platform. For a service, `reason` says why. */
export interface ShownOutage extends OutageInterval {
  readonly isOver: boolean;
}

/** Figures from `from` until `until`. */
export interface ShownFigures {
  readonly from: number;
  readonly until: number;
  /** From one point to the next. */
  readonly stepMs: number;
  readonly points: readonly Counts[];
  readonly total: Counts;
  readonly credits: Credits;
  /** The latest first. */
  readonly outages: readonly ShownOutage[];
}
