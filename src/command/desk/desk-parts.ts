import type { Words } from '../../words/words.ts';
import type { ButtonDeclaration, Command } from '../command.ts';
import type { Gate } from '../community-gate.ts';
import type { Desk, Incoming } from '../desk.ts';
import type { Drafts } from '../draft.ts';
import type { Memory } from '../known-names.ts';
import type { Caller, Place } from '../place.ts';
import type { JobSummary, Ports } from '../ports.ts';

/** What the desk is made of; joined in the composition root. */
export interface DeskParts {
  readonly commands: readonly Command[];
  readonly buttons: readonly ButtonDeclaration[];
  readonly drafts: Drafts;
  readonly gate: Gate;
  readonly memory: Memory;
  words(locale: string): Words;
  portsFor(incoming: Incoming): Ports;
  /** Of any community: the desk decides who may know of it. */
  findJob(id: string): Promise<JobSummary | undefined>;
  readonly shown: Desk['shown'];
  /** People who are known by name before they ever spoke. */
  readonly knownUsers?: readonly { readonly caller: Caller; readonly place: Place }[];
  readonly clock: { now(): number };
  /** An unguessable id of at most 16 ASCII letters, digits, `-` and `_`. */
  newId(): string;
  /** What was thrown, as a UserError if it is a refusal that has words; otherwise as it is. */
  explain(error: unknown, words: Words): unknown;
  /** Something that is our fault: for the log, never for the chat. */
  onError(error: unknown, what: string): void;
}
