import type { Adapter } from '../../../../src/adapters/adapter.ts';
import { createOutgoing } from '../../../../src/app/platforms/outgoing.ts';
import {
  createFitResult,
  createJobPorts,
  type JobPortParts,
} from '../../../../src/app/ports/orchestrator-ports.ts';
import type { Downloads } from '../../../../src/base/network/download.ts';
import type { Aliases } from '../../../../src/community/aliases/aliases.ts';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import type { JobPorts } from '../../../../src/orchestrator/steps/effects.ts';
import { createDecoder } from '../../../../src/picture/decoder.ts';
import { idleAdapter, unused } from '../../../fakes/adapter.ts';
import type { FakeClock } from '../../../fakes/clock.ts';
import type { JobFields } from '../../../fakes/job.ts';
import { idlePorts } from '../../../fakes/job-ports.ts';
import { orderOf, video } from '../../orchestrator/world.ts';
import { sampleJob } from '../../store/sqlite/open-store.ts';

export const MB = 1024 * 1024;

/** A small video, as far as its first bytes tell. */
export const film = Buffer.concat([Buffer.from('000000186674797069736f6d00000000', 'hex'), Buffer.alloc(MB)]);

export const noAliases: Aliases = {
  forPerson: unused,
  create: unused,
  list: unused,
  show: unused,
  check: unused,
  repoint: unused,
  pointTo: unused,
  nameOf: unused,
  clear: unused,
  delete: unused,
  named: unused,
  use: unused,
  move: unused,
  reconcile: unused,
};

/** A person's video job whose result is there. */
export const videoJob = (person: string, more: JobFields = {}): Job => {
  const { dailyCredits: _, ...order } = orderOf(person, { request: video });
  return sampleJob({ ...order, charge: 'spent', card: { platform: 'web', ref: person }, looks: 1, ...more });
};

/** What jobs meet on their way; whatever a test does not name must not be asked for. */
export const openJobPorts = (
  clock: FakeClock,
  given: Partial<JobPortParts> & { readonly adapter?: Partial<Adapter>; readonly downloads?: Downloads } = {},
): JobPorts & { close(): void } => {
  const { adapter, downloads, ...parts } = given;
  const decoder = createDecoder({ clock });
  const limits: Adapter['limits'] = () => ({ imageBytes: 50 * MB, fileBytes: 50 * MB, videoBytes: 50 * MB });
  const outgoing = createOutgoing(
    adapter === undefined ? new Map() : new Map([['web', { ...idleAdapter, limits, ...adapter }]]),
  );
  const fitResult = downloads === undefined ? unused : createFitResult(outgoing, downloads, decoder);
  const ports = createJobPorts({
    faces: undefined,
    aliases: noAliases,
    outgoing,
    fitResult,
    decoder,
    clock,
    refused: () => undefined,
    aliasBroken: unused,
    ...parts,
  });
  return { ...idlePorts, ...ports, close: () => decoder.close() };
};
