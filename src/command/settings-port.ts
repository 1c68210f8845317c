import type { CommunitySettings, SimpleSetting } from './community-settings.ts';
import type { Place } from './place.ts';
import type { SettingValue } from './setting-row.ts';

/** The settings of a community, and the numbers that follow from them. */
export interface ShownSettings extends CommunitySettings {
  readonly daily: number;
  readonly isDefault: boolean;
  /** People with granted credits left. */
  readonly grants: readonly { readonly user: string; readonly credits: number }[];
}

/** The settings of the caller's community, and no other. Each change checks the permission itself, and is audited. */
export interface SettingsPort {
  /** `daily`: the credits of each person. All amounts are as they count. */
  show(): Promise<ShownSettings>;
  /** The time zone in which the community's times are shown. */
  timeZone(): Promise<string>;
  setCredits(amount: number): Promise<void>;
  /** Sets the allowance of a person or role, or takes it back without an amount; returns whether there was one. */
  setAllowance(who: string, amount: number | undefined): Promise<boolean>;
  /** Grants credits, and returns the sum that the person then has left; 0 takes all grants back, and returns how much they were. */
  grant(user: string, amount: number, reason: string): Promise<number>;
  block(user: string, reason: string): Promise<void>;
  unblock(user: string): Promise<boolean>;
  pause(reason: string): Promise<void>;
  resume(): Promise<void>;
  setLog(on: boolean): Promise<void>;
  /** Returns the channels in which jobs are accepted; undefined: all. `channel`: the `channelId` of another one than here. */
  setChannels(
    where: 'everywhere' | 'here' | 'not-here',
    channel?: string,
  ): Promise<readonly Place[] | undefined>;
  /** Changes a simple setting. */
  set(name: SimpleSetting, value: SettingValue): Promise<void>;
  banWord(word: string): Promise<void>;
  allowWord(word: string): Promise<boolean>;
  /** The person's name here, if known. */
  nameOf(user: string): Promise<string | undefined>;
  /** The latest audit lines of this community, newest first; of one person or of one kind if given. */
  recent(
    limit: number,
    only?: { readonly user?: string; readonly kind?: TrailKind },
  ): Promise<readonly TrailEntry[]>;
}

/** The kinds of audit lines that `/settings log` can show alone. */
export const TRAIL_KINDS = ['jobs', 'reports', 'moderators', 'settings', 'aliases'] as const;
export type TrailKind = (typeof TRAIL_KINDS)[number];

/** A line of the audit trail: who did what, by the platform's id. */
export interface TrailEntry {
  readonly at: number;
  readonly who: string;
  readonly what: string;
}
