import type { FilterListName, FilterModel } from '../kinds/choices.ts';
import type { AliasesPort } from './aliases-port.ts';
import type { ApprovalsPort } from './approvals-port.ts';
import type { CatalogPort } from './catalog-port.ts';
import type { FaceCheckPort } from './face-check-port.ts';
import type { FacesPort } from './faces-port.ts';
import type { HeldPort } from './held-port.ts';
import type { JobsPort } from './jobs-port.ts';
import type { NewJobsPort } from './new-jobs-port.ts';
import type { OverviewPort } from './overview-port.ts';
import type { PrivacyPort } from './privacy-port.ts';
import type { RemovalsPort } from './removals-port.ts';
import type { ReportsPort } from './reports-port.ts';
import type { FilterChoice } from './request.ts';
import type { RequestsPort } from './requests-port.ts';
import type { SettingsPort } from './settings-port.ts';
import type { StatsPort } from './stats-port.ts';
import type { UsagePort } from './usage-port.ts';

/**
 * The rest of the program as commands and buttons use it, for one caller in one place: a port for each feature, which implements it in a
 * file of the same name. `src/app/core.ts` makes a port when a command reads it.
 */
export interface Ports {
  /** Checked with the platform on each call, never stored in a button. */
  isModerator(): Promise<boolean>;
  /** Turns what was typed into a filter, or throws a UserError with the nearest names. */
  reference(text: string, model: FilterModel, catalog: FilterListName): Promise<FilterChoice>;
  /** The credits that a job of this command costs, by its options; undefined: none, or that is not known. */
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
  readonly removals: RemovalsPort;
  readonly requests: RequestsPort;
  readonly held: HeldPort;
  readonly stats: StatsPort;
  readonly approvals: ApprovalsPort;
  readonly overview: OverviewPort;
}

/** The ports of commands and buttons, and the one that only the desk uses. */
export interface DeskPorts extends Ports {
  readonly newJobs: NewJobsPort;
}
