/** Why an order was refused; nothing was written or reserved. Only numbers: the texts are in `src/words`. */
export type OrderRefusalReason =
  /** The person has ordered too many jobs in the last minute. */
  | { readonly code: 'rate'; readonly limit: number; readonly retryAfterMs: number }
  /** The person has too many unfinished jobs. */
  | { readonly code: 'waiting'; readonly limit: number; readonly unfinished: number }
  /**
   * The album has more photos than the person can have jobs at the moment. `later`: when and how many more will fit without any
   * job ending.
   */
  | {
      readonly code: 'album';
      readonly photos: number;
      readonly fits: number;
      readonly later?: { readonly more: number; readonly afterMs: number };
    }
  /** The event was handled before, and its job has been deleted since. */
  | { readonly code: 'deleted' }
  /** The person's credits left today do not suffice. */
  | {
      readonly code: 'allowance';
      readonly needed: number;
      readonly left: number;
      readonly limit: number;
      readonly resetsAt: number;
    }
  /** Too few credits are left: of the community's day, or of the day or the month of everybody together. */
  | {
      readonly code: 'ceiling';
      readonly of: 'community' | 'service' | 'month';
      readonly needed: number;
      readonly left: number;
      readonly resetsAt: number;
    };

/** Thrown by `accept` when an order is refused. */
export class OrderRefused extends Error {
  override readonly name = 'OrderRefused';
  readonly reason: OrderRefusalReason;

  constructor(reason: OrderRefusalReason) {
    super(`The job was not accepted: ${reason.code}.`);
    this.reason = reason;
  }
}
