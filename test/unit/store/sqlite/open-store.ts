import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { JobState } from '../../../../src/command/jobs-port.ts';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import type { MachineTime } from '../../../../src/store/records/removal-time.ts';
import { openStore, type SqliteStore } from '../../../../src/store/sqlite/store.ts';
import type { DamagedRecord } from '../../../../src/store/tables/damaged.ts';
import { type JobFields, type JobWith, jobWith } from '../../../fakes/job.ts';
import { createTempFolder } from '../../../temp-folder.ts';

export const keyOf = (byte: number): Buffer => Buffer.alloc(32, byte);

/** A file of its own in a folder of its own, and time in the test's hands. */
export function createStoreFile() {
  const folder = join(createTempFolder('darkroom-store-'), 'data');
  const path = join(folder, 'darkroom.sqlite');
  const time = { now: Date.UTC(2026, 0, 5, 12) };
  let store: SqliteStore | undefined;
  const close = (): void => {
    store?.close();
    store = undefined;
  };
  return {
    folder,
    path,
    time,
    async open(
      keys: readonly Uint8Array[] = [],
      damaged: (record: DamagedRecord) => void = () => undefined,
      machine?: MachineTime,
      aheadMs = 0,
    ): Promise<SqliteStore> {
      close();
      const options = { path, keys, now: () => time.now + aheadMs, alone: true, damaged };
      store = await openStore({ ...options, ...(machine && { machine }) });
      return store;
    },
    close,
    /** Everything that is on the disk: the file, its log and what else lies beside it. */
    bytes: (): string =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'latin1'))
        .join('\n'),
    remove(): void {
      close();
      rmSync(join(folder, '..'), { recursive: true, force: true });
    },
  };
}

let count = 0;

export function sampleJob(more?: JobFields & { readonly state?: never }): JobWith<'waiting'>;
export function sampleJob<State extends JobState>(
  more: JobFields & { readonly state: State },
): JobWith<State>;
export function sampleJob(more: JobFields): Job;
export function sampleJob(more: JobFields = {}): Job {
  count += 1;
  return jobWith({
    id: `job-id-${String(count).padStart(9, '0')}`,
    origin: `interaction ${count}`,
    caller: { platform: 'discord', id: '424242424242', name: 'Annabella Hidden', locale: 'en' },
    place: { platform: 'discord', community: 'discord:777777777', channel: '888888888', direct: false },
    private: false,
    request: {
      kind: 'self-prompt',
      photo: { from: 'discord', ref: 'secret photo' },
      prompt: 'a secret wish',
    },
    label: 'a secret wish',
    credits: 2,
    day: '2026-01-05',
    charge: 'reserved',
    createdAt: Date.UTC(2026, 0, 5, 12) + count,
    looks: 0,
    attempts: 0,
    shownProgress: 0,
    settled: false,
    ...more,
    state: more.state ?? 'waiting',
  });
}
