/** Why an order was not taken; nothing was written or reserved. Plain numbers: the words are made elsewhere. */
export type RefusalReason =
  /** Too many submissions in the last minute. */
  | { readonly code: 'rate'; readonly limit: number; readonly retryAfterMs: number }
  /** Too many unfinished jobs of one person. */
  | { readonly code: 'waiting'; readonly limit: number; readonly unfinished: number }
  /** More photos at once than jobs of one person fit at the moment. `later`: when time alone makes room for more. */
  | {
      readonly code: 'album';
      readonly photos: number;
      readonly fits: number;
      readonly later?: { readonly more: number; readonly afterMs: number };
    }
  /** Its event was handled before, and its job has been deleted since. */
  | { readonly code: 'deleted' }
  /** The credits left today do not suffice. */
  | {
      readonly code: 'allowance';
      readonly needed: number;
      readonly left: number;
      readonly limit: number;
      readonly resetsAt: number;
    }
  /** All people of the community, or everybody together, have used so much today that it does not fit any more. */
  | {
      readonly code: 'ceiling';
      readonly of: 'community' | 'service';
      readonly needed: number;
      readonly left: number;
      readonly resetsAt: number;
    };

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(`The job was not accepted: ${reason.code}.`);
    this.reason = reason;
  }
}
