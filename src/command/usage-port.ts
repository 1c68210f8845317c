import type { Price } from '../words/money.ts';

/** A person's daily credits in a community, and who gave them. */
export interface Allowance {
  readonly credits: number;
  readonly source: 'own' | 'role' | 'community' | 'default';
  /** An owner gave them, so that they are not among what moderators give. */
  readonly byOwner?: true;
}

/** The credits of a day: those used, those reserved for jobs that run, and the limit until the day ends. */
export interface Usage {
  readonly used: number;
  readonly reserved: number;
  readonly limit: number;
  readonly resetsAt: number;
}

/** The caller's credits: `used` and `reserved` of the day's, and beside them `granted`, used today and left. */
export interface OwnUsage extends Usage, Pick<Allowance, 'source'> {
  readonly granted: { readonly used: number; readonly left: number };
}

/** The credits of a community's day. */
export interface CommunityUsage extends Pick<Usage, 'used' | 'reserved'> {
  readonly people: number;
  readonly jobs: number;
  /** The most that all people here can spend a day; absent: no limit. */
  readonly ceiling?: number;
}

/** What everybody together has used in this calendar month (UTC), for owners. */
export interface MonthUsage {
  /** Reserved credits are among them. */
  readonly used: number;
  /** The most that everybody together can spend a month; absent: no limit. */
  readonly ceiling?: number;
  /** What a credit costs; absent: it is not set. */
  readonly price?: Price;
}

/** The credits that the caller and their community have used. */
export interface UsagePort {
  mine(): Promise<OwnUsage>;
  /** Moderators only. */
  community(): Promise<CommunityUsage>;
  /** Undefined: the caller is no owner, or neither `SERVICE_MONTHLY_CREDITS` nor `CREDIT_PRICE` is set. */
  month(): Promise<MonthUsage | undefined>;
}
