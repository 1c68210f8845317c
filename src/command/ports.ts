import type { Area } from '../base/area.ts';
import type { CommunitySettings, SettingValue, SimpleSetting } from './community-settings.ts';
import type { GenerateRequest, JobKind } from './kinds.ts';
import type { PhotoRef, PhotoWrong, WantedPeople } from './photo.ts';
import type { Caller, Place } from './place.ts';
import type { Reply } from './reply.ts';
import type { CatalogName, FilterChoice, Gender, ListName, ModelType } from './request.ts';
import type { Media, Tile } from './view.ts';

/** What `src/app` provides for one caller in one place; the desk adds the rest of a `CommandContext`. */
export interface Ports {
  /** Checked with the platform on each call, never stored in a button. */
  isModerator(): Promise<boolean>;
  /** Turns what was typed into a filter, or throws a UserError with the nearest names. */
  reference(text: string, model: ModelType, catalog: ListName): Promise<FilterChoice>;
  /** The reply if this event already started a job, before a crash or because its answer was lost. */
  begun(): Promise<Reply | undefined>;
  /** Reserves the credits and stores the job; nothing is spent if it throws. `others`: and one of each of these photos. */
  generate(
    request: GenerateRequest,
    options: { readonly private: boolean; readonly others?: readonly PhotoRef[] },
  ): Promise<Reply>;
  /** What a job of this request costs, in credits. */
  cost(request: GenerateRequest): Promise<number>;
  /** What a job of this command costs, by its options, in credits; undefined: nothing, or it is not known. */
  price(command: string): { readonly least: number; readonly most: number } | undefined;
  readonly catalog: CatalogPort;
  readonly jobs: JobsPort;
  readonly usage: UsagePort;
  readonly aliases: AliasesPort;
  readonly faces: FacesPort;
  readonly faceCheck: FaceCheckPort;
  readonly settings: SettingsPort;
  readonly privacy: PrivacyPort;
  readonly reports: ReportsPort;
  readonly stats: StatsPort;
  readonly approvals: ApprovalsPort;
}

export interface CatalogEntry {
  /** What a person types to use it: a number or a UUID. */
  readonly reference: string;
  readonly name: string;
  readonly model: ModelType | 'unknown';
  /** Preview URL at the service, if any. */
  readonly preview?: string;
}

/** Filters that come first, as `filterKey` names them. */
export interface FilterOrder {
  /** What the caller used last. */
  readonly recent: readonly string[];
  /** What the community uses most. */
  readonly used: readonly string[];
  /** What the caller chose last. */
  readonly gender?: Gender;
}

export interface CatalogPort {
  /** With the aliases of the community; the best matches if something is searched for. */
  list(catalog: CatalogName, search?: string): Promise<readonly CatalogEntry[]>;
  /** The same without a search, as far as it is in memory. */
  known(catalog: CatalogName): readonly CatalogEntry[];
  /** Never throws. `alone`: only the caller sees what is ordered by it, so it may reveal private jobs. */
  order(alone?: boolean): Promise<FilterOrder>;
  /** The pictures of these as one; undefined if that cannot be drawn now, or where every tile has its own. */
  sheet(tiles: readonly Tile[], alt: string): Promise<Media | undefined>;
}

/** What the check of a photo found wrong, and what people chose then: counted for owners. */
export type FaceCheckEvent = PhotoWrong | 'anyway' | 'one-of-them' | 'everybody' | 'one-face';

/** A photo that does not show who it should. */
export interface FaceCheckResult {
  readonly wrong: PhotoWrong;
  /** What of the photo shows each person, from left to right. */
  readonly people: readonly Area[];
  /** Their faces with their numbers, where there are several, and where each is on it. */
  readonly sheet?: Media;
  readonly spots?: readonly Area[];
}

/** The check of a photo before credits are spent. */
export interface FaceCheckPort {
  readonly isOn: boolean;
  /** Undefined: it shows who it should, or that is not known in time. Rejects only while the program stops. */
  check(photo: PhotoRef, wanted: WantedPeople): Promise<FaceCheckResult | undefined>;
  count(event: FaceCheckEvent): void;
  /** A photo may have to be checked soon. */
  prepare(): void;
}

export const JOB_STATES = [
  'opening',
  'waiting',
  'submitting',
  'running',
  'delivering',
  'done',
  'failed',
  'cancelled',
  'uncertain',
] as const;
export type JobState = (typeof JOB_STATES)[number];

/** A job as lists and buttons need it. */
export interface JobSummary {
  readonly id: string;
  readonly state: JobState;
  readonly kind: JobKind;
  /** The filter's name, or the start of the prompt. */
  readonly label: string;
  readonly credits: number;
  readonly createdAt: number;
  /** The `personKey` of the requester. */
  readonly owner: string;
  readonly community: string;
  /** The channel in which the job was requested. */
  readonly channel?: string;
  readonly private?: boolean;
}

/** A job with what can be done with it. The desk has checked that the caller may. */
export interface JobHandle extends JobSummary {
  /** To repeat it. */
  readonly request: GenerateRequest;
  /** Its result as a photo, if any. */
  resultPhoto(): Promise<PhotoRef | undefined>;
  /** Its current card with its buttons, to show it again. */
  show(): Promise<Reply>;
  cancel(): Promise<Reply>;
  /** Removes the result from the chat and from the records. */
  remove(): Promise<Reply>;
  report(): Promise<Reply>;
  /** Shows a private result to everybody where it was asked for, once. */
  share(): Promise<Reply>;
  /** The photo and the result side by side. */
  compare(): Promise<Reply>;
  /** Removes the message that shows it to everybody; the private result stays, and is not shared again. */
  unshare(): Promise<Reply>;
  /** Removes the pressed message, a comparison. */
  discard(): Promise<Reply>;
}

export interface JobsPort {
  /** The caller's own: unfinished ones first, then the latest finished ones. */
  mine(limit: number): Promise<readonly JobSummary[]>;
  /** Any person's job, in any community: the desk checks who may see it. */
  find(id: string): Promise<JobHandle | undefined>;
  /** Removes a message whose job no longer exists. */
  takeDown(id: string): Promise<Reply>;
}

/** What a moderator can do about a reported result: once, and only one of these. */
export const REPORT_DECISIONS = ['remove', 'block', 'dismiss'] as const;
export type ReportDecision = (typeof REPORT_DECISIONS)[number];

export interface ReportsPort {
  /** Checks the permission itself, and is audited. */
  decide(id: string, decision: ReportDecision): Promise<Reply>;
}

/** What an owner can do about a community that waits. */
export const APPROVAL_DECISIONS = ['approve', 'dismiss'] as const;
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

/** For owners alone, checked here, and audited; but for `isOpen`. */
export interface ApprovalsPort {
  /** Whether the caller can use everything here: an owner has approved it, or no approval is needed. */
  isOpen(): Promise<boolean>;
  /** Whether communities need approval at all. */
  readonly isNeeded: boolean;
  /** Without an id: this community. `changed`: whether it was not approved before. */
  approve(community?: string): Promise<{ readonly community: string; readonly changed: boolean }>;
  /** `changed`: whether it was approved. */
  revoke(community?: string): Promise<{ readonly community: string; readonly changed: boolean }>;
  /** `id`: in the button of a notice. */
  decide(id: string, decision: ApprovalDecision): Promise<Reply>;
}

/** A person's daily credits in a community, and who gave them. */
export interface Allowance {
  readonly credits: number;
  readonly source: 'own' | 'role' | 'community' | 'default';
  /** An owner gave them, so that they are not among what moderators give. */
  readonly byOwner?: true;
}

export interface Usage {
  readonly used: number;
  readonly reserved: number;
  readonly limit: number;
  readonly resetsAt: number;
}

/** `used` and `reserved` of the day's credits; `granted`: beside them, used today and left. */
export interface OwnUsage extends Usage, Pick<Allowance, 'source'> {
  readonly granted: { readonly used: number; readonly left: number };
}

export interface CommunityUsage extends Pick<Usage, 'used' | 'reserved'> {
  readonly people: number;
  readonly jobs: number;
  /** The most that all people here can spend a day; absent: no limit. */
  readonly ceiling?: number;
}

export interface UsagePort {
  mine(): Promise<OwnUsage>;
  /** Moderators only. */
  community(): Promise<CommunityUsage>;
}

/** A change of an alias at a time, and back at another. */
export interface CampaignEntry {
  /** The label of its filter. */
  readonly label: string;
  readonly from: number;
  /** Left out: the filter stays. */
  readonly until?: number;
  readonly state: 'coming' | 'starting' | 'running' | 'ending';
  /** The moderator who made it. */
  readonly by: Caller;
}

export interface AliasEntry {
  readonly name: string;
  readonly id: string;
  readonly model: ModelType;
  /** The filter that it points to; undefined if the filter or the alias no longer exists. */
  readonly filter?: { readonly id: string; readonly label: string };
  /** What is running or coming, in the order of time. */
  readonly campaigns?: readonly CampaignEntry[];
}

export interface AliasDetails extends AliasEntry {
  /** ISO timestamps as the service gave them. */
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  readonly history: readonly { readonly label: string; readonly removedAt: string | undefined }[];
}

/** All of these act in the caller's community only, and check the permission themselves. */
export interface AliasesPort {
  create(name: string, filter: string, model?: ModelType): Promise<AliasDetails | 'model-needed'>;
  list(): Promise<readonly AliasEntry[]>;
  show(name: string): Promise<AliasDetails>;
  repoint(name: string, filter: string): Promise<AliasDetails>;
  delete(name: string): Promise<void>;
  /** Local times of the community (`readLocalTime`). */
  schedule(name: string, filter: string, from: string, until?: string): Promise<CampaignEntry>;
  /** `taken`: how many that were coming; `ended`: whether one was running. */
  unschedule(name: string): Promise<{ readonly taken: number; readonly ended: boolean }>;
}

/** A photo that its owner keeps for later. */
export interface SavedFace {
  /** Another one when it is replaced. */
  readonly id: string;
  readonly name: string;
  readonly gender?: Gender;
  readonly usedAt: number;
}

/** The caller's own faces, in every community. All of these throw where faces are not switched on. */
export interface FacesPort {
  /** The default first, then the oldest. */
  list(): Promise<readonly SavedFace[]>;
  find(by: Pick<SavedFace, 'id'> | Pick<SavedFace, 'name'>): Promise<SavedFace>;
  save(name: string, photo: PhotoRef, gender?: Gender): Promise<'saved' | 'replaced'>;
  /** Returns the faces that are left. */
  delete(name: string): Promise<readonly SavedFace[]>;
  setDefault(name: string): Promise<void>;
}

export interface ShownSettings extends CommunitySettings {
  readonly daily: number;
  readonly isDefault: boolean;
  /** People with granted credits left. */
  readonly grants: readonly { readonly user: string; readonly credits: number }[];
}

/** All of these act in the caller's community only, check the permission themselves, and are audited. */
export interface SettingsPort {
  /** `daily`: the credits of each person. All amounts are as they count. */
  show(): Promise<ShownSettings>;
  /** The time zone in which the community's times are shown. */
  timeZone(): Promise<string>;
  setCredits(amount: number): Promise<void>;
  /** Without an amount it is taken back; returns whether there was one. */
  setAllowance(who: string, amount: number | undefined): Promise<boolean>;
  /** Returns what is left of the person's grants then; 0 takes them back, and returns how much that was. */
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
  /** A setting that is one value. */
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

/** What a community did in 30 days. */
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

export interface StatsPort {
  /** Moderators only. */
  read(): Promise<CommunityStats>;
  /** Undefined if it cannot be drawn now. `alt`: what a screen reader says. */
  draw(stats: CommunityStats, alt: string): Promise<Media | undefined>;
}

export const TRAIL_KINDS = ['jobs', 'reports', 'moderators', 'settings', 'aliases'] as const;
export type TrailKind = (typeof TRAIL_KINDS)[number];

/** A line of the audit trail: who did what, by the platform's id. */
export interface TrailEntry {
  readonly at: number;
  readonly who: string;
  readonly what: string;
}

export interface PrivacyPort {
  /** The chat is stored here, so `eraseMe` also removes the caller's messages and results. */
  readonly keepsChat: boolean;
  /** Faces can be saved. */
  readonly keepsFaces: boolean;
  /**
   * Removes all data of the caller but today's usage counter. Either way none of it is shown any more, and the removal
   * continues after a restart.
   */
  eraseMe(): Promise<{ readonly finished: true; readonly jobs: number } | { readonly finished: false }>;
  consented(): Promise<boolean>;
  consent(): Promise<void>;
}
