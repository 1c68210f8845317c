/** Credits that a community gave to a person: used after the day's are gone, and they do not expire. */
export interface GrantRecords {
  /** Adds credits, once for each event. `full`: too many people of this community have some. */
  add(grant: NewGrant): Promise<GrantOutcome>;
  /**
   * Takes back what is left; says how much. What jobs under way have taken is not given back to it any more, nor to a later
   * one. Of what moderators gave that day, the part that nobody has used can be given again.
   */
  takeBack(grant: GrantPlace & { readonly at: number }): Promise<number>;
  left(community: string, person: string): Promise<number>;
  /** People of a community who have some left, at most `MOST_GRANTS`. */
  list(community: string): Promise<readonly Grant[]>;
}

export interface Grant {
  /** `personKey` */
  readonly person: string;
  readonly credits: number;
}

/** `most`: that would be too much; `rest` could be given now. */
export type GrantOutcome =
  | { readonly outcome: 'added' | 'full'; readonly left: number }
  | { readonly outcome: 'most'; readonly left: number; readonly rest: number };

export interface GrantPlace extends Pick<Grant, 'person'> {
  /** Its first id. */
  readonly community: string;
  /** All its ids: under each the person may have used credits today. */
  readonly ids: readonly string[];
}

export interface NewGrant extends GrantPlace, Grant {
  readonly event: string;
  readonly at: number;
  /** What may be left of all grants together; and what moderators may give that day, with the allowance that is theirs. */
  readonly most: number;
  /** Absent: an owner gives, which is not counted. */
  readonly byModerator?: {
    /** Daily credits of this person that moderators gave. */
    readonly allowance: number;
    /** Daily credits that the owner gave: a person who used more had them from moderators. */
    readonly fromOwner: number;
  };
}

/** People of one community with credits left. */
export const MOST_GRANTS = 200;
/** The purpose that a grant is sealed with. */
export const GRANT = 'grant';

/** Beside the events of removed jobs. */
export const eventOf = ({ event }: NewGrant): string => `grant ${event}`;
