import { expect, it } from 'vitest';
import { createAppReadiness } from '../../../../src/app/monitoring/readiness.ts';
import { createLog } from '../../../../src/log/log.ts';
import { fileTrouble } from '../../../../src/store/sqlite/file/sqlite-error.ts';
import { createFakeClock } from '../../../fakes/clock.ts';

it('is not ready without a session with a store that others share', async () => {
  const clock = createFakeClock();
  let isAlive = false;
  const ready = createAppReadiness({
    store: {
      tryToWrite: async () => undefined,
      trouble: String,
      jobs: { onDisk: async () => undefined },
    },
    members: { isAlive: () => isAlive },
    client: { catalog: async () => [] },
    adapters: [],
    clock,
    log: createLog({ level: 'silent', secrets: [] }),
  });
  expect(await ready()).toMatchObject({
    ready: false,
    checks: { store: { ok: true }, session: { ok: false } },
  });
  isAlive = true;
  await clock.advance(5_000);
  expect(await ready()).toMatchObject({ ready: true, checks: { session: { ok: true } } });
});

it('is not ready while the store is not writable; details go to the log', async () => {
  let full = true;
  const lines: string[] = [];
  const clock = createFakeClock();
  const ready = createAppReadiness({
    store: {
      async tryToWrite() {
        if (full) throw new Error('database or disk is full');
      },
      trouble: fileTrouble,
      jobs: { onDisk: async () => undefined },
    },
    client: { catalog: async () => [] },
    adapters: [],
    clock,
    log: createLog({ level: 'warn', secrets: [], stream: { write: (line) => lines.push(line) } }),
  });
  const reason = 'its file is not writable: is the disk full?';
  expect(await ready()).toMatchObject({ ready: false, checks: { store: { ok: false, reason } } });
  expect(lines.join()).toContain('database or disk is full');
  await clock.advance(5_000);
  expect(await ready()).toMatchObject({ ready: false });
  expect(lines).toHaveLength(1);
  full = false;
  await clock.advance(5_000);
  expect(await ready()).toMatchObject({ ready: true });
  full = true;
  await clock.advance(5_000);
  expect(await ready()).toMatchObject({ ready: false });
  expect(lines).toHaveLength(2);
});
