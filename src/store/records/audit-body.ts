import { z } from 'zod';
import type { AuditLine } from '../../orchestrator/job/records.ts';
import type { Seal } from './seal/seal.ts';

const PURPOSE = 'audit';
const LONGEST_DETAIL = 65_536;

/** Lines of accepted jobs, almost all there are, are not counted where none of them is looked for. */
export const MOST_LINES_SCANNED = 5_000;
export const ACCEPTED = 'job';

/** The condition for lines about a person's own jobs and faces, which are deleted with the person. */
export const OWN_LINES = "(action >= 'job' AND action < 'joc' OR action >= 'face.' AND action < 'face/')";
export const isOwnLine = (action: string): boolean => action.startsWith('job') || action.startsWith('face.');

const shape = z.object({
  community: z.string(),
  actor: z.string(),
  detail: z.record(z.string(), z.unknown()),
});

export const sealLine = ({ community, actor, detail }: AuditLine, seal: Seal) =>
  seal.seal(JSON.stringify({ community, actor, detail }), PURPOSE);

/** Throws when it is damaged. */
export function openLine(row: Readonly<Record<string, unknown>>, seal: Seal): AuditLine {
  const { detail: sealed, at } = row;
  if (isLong(sealed)) throw new Error('it is too long');
  if (typeof at !== 'number' || at < 0 || !Number.isFinite(at)) throw new Error('it has no time');
  const { community, actor, detail } = shape.parse(JSON.parse(seal.open(sealed, PURPOSE)));
  return { at, community, actor, action: String(row.action), detail };
}

const isLong = (sealed: unknown): boolean =>
  (typeof sealed === 'string' || sealed instanceof Uint8Array) && sealed.length > LONGEST_DETAIL;
