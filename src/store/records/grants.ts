/** Credits that a community gave to a person: used after the day's are gone, and they do not expire. */
export interface GrantRecords {
  /** Adds credits, once for each event. `most`: more cannot be left; `full`: too many people of this community have some. */
  add(grant: NewGrant): Promise<{ readonly outcome: 'added' | 'most' | 'full'; readonly left: number }>;
  /** Takes back what is left; says how much. What jobs under way have taken is not given back to it any more. */
  takeBack(community: string, person: string): Promise<number>;
  left(community: string, person: string): Promise<number>;
  /** People of a community who have some left, at most `MOST_GRANTS`. */
  list(community: string): Promise<readonly Grant[]>;
}

export interface Grant {
  /** `personKey` */
  readonly person: string;
  readonly credits: number;
}

export interface NewGrant extends Grant {
  readonly community: string;
  readonly event: string;
  readonly at: number;
  /** What may be left of all grants together. */
  readonly most: number;
}

/** People of one community with credits left. */
export const MOST_GRANTS = 200;
/** The purpose that a grant is sealed with. */
export const GRANT = 'grant';

/** Beside the events of removed jobs. */
export const eventOf = ({ event }: NewGrant): string => `grant ${event}`;
