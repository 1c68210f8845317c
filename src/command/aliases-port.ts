import type { FilterModel } from '../kinds/choices.ts';
import type { Caller } from './place.ts';

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

/** An alias in the list of its community. */
export interface AliasEntry {
  readonly name: string;
  readonly id: string;
  readonly model: FilterModel;
  /** The filter that it points to; undefined if the filter or the alias no longer exists. */
  readonly filter?: { readonly id: string; readonly label: string };
  /** The campaigns that are running or coming, in the order of time. */
  readonly campaigns?: readonly CampaignEntry[];
}

/** An alias with its past, as `/alias show` tells it. */
export interface AliasDetails extends AliasEntry {
  /** ISO timestamps as the service gave them. */
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  readonly history: readonly { readonly label: string; readonly removedAt: string | undefined }[];
}

/** The aliases of the caller's community, and no other. Each method checks the permission itself. */
export interface AliasesPort {
  create(name: string, filter: string, model?: FilterModel): Promise<AliasDetails | 'model-needed'>;
  list(): Promise<readonly AliasEntry[]>;
  show(name: string): Promise<AliasDetails>;
  repoint(name: string, filter: string): Promise<AliasDetails>;
  delete(name: string): Promise<void>;
  /** Plans a campaign; `from` and `until` are local times of the community (`readLocalTime`). */
  schedule(name: string, filter: string, from: string, until?: string): Promise<CampaignEntry>;
  /** Takes back the campaigns of an alias. `taken`: how many were coming; `ended`: whether one was running. */
  unschedule(name: string): Promise<{ readonly taken: number; readonly ended: boolean }>;
}
