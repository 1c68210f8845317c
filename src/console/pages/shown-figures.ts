export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

/** What happened in some time. */
export interface Counts {
  readonly done: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly kinds: readonly { readonly kind: string; readonly done: number; readonly failed: number }[];
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
  readonly tookMs: Percentiles | undefined;
  readonly unseenMs: Percentiles | undefined;
  readonly statusCallsPerJob: number | undefined;
  readonly errors: readonly { readonly what: string; readonly count: number }[];
}

export interface ShownFigures {
  readonly from: number;
  readonly until: number;
  readonly stepMs: number;
  readonly points: readonly Counts[];
  readonly total: Counts;
  readonly credits: {
    readonly days: readonly { readonly day: string; readonly credits: number }[];
    readonly total: number;
    readonly communities: readonly {
      readonly community: string;
      readonly credits: number;
      readonly byDay: readonly number[];
    }[];
    readonly others: number;
  };
  readonly outages: readonly {
    readonly what: string;
    readonly reason?: string | undefined;
    readonly from: number;
    readonly until: number;
    readonly isOver: boolean;
  }[];
}
