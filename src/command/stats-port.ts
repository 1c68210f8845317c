import type { Media } from './view.ts';

/** Sums of what was made in a community in 30 days. */
export interface CommunityStats {
  /** The IANA name of the zone whose days these are. */
  readonly timeZone: string;
  /** The oldest first. `date`: `2026-11-16`. */
  readonly days: readonly { readonly date: string; readonly jobs: number; readonly credits: number }[];
  /** The most used first. */
  readonly commands: readonly { readonly name: string; readonly jobs: number; readonly credits: number }[];
  readonly filters: readonly { readonly name: string; readonly jobs: number }[];
  readonly people: number;
  readonly failed: number;
}

/** The statistics of the caller's community. */
export interface StatsPort {
  /** Moderators only. */
  read(): Promise<CommunityStats>;
  /** Undefined if it cannot be drawn now. `alt`: what a screen reader says. */
  draw(stats: CommunityStats, alt: string): Promise<Media | undefined>;
}
