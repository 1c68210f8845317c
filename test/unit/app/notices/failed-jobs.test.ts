import { expect, it } from 'vitest';
import { logFailed } from '../../../../src/app/notices/notices.ts';
import { createLog } from '../../../../src/log/log.ts';

it('logs which job failed and why, without its prompt', () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], stream: { write: (line) => lines.push(line) } });
  const note = (ended: Parameters<typeof logFailed>[0]) => logFailed(ended, log);
  const job = {
    id: 'one',
    request: {
      kind: 'self-prompt',
      prompt: 'a secret wish',
      photo: { from: 'link', url: 'https://a.example/b' },
    },
    serviceId: 'service-1',
  } as const;
  note({ ...job, state: 'done' });
  note({ ...job, state: 'cancelled' });
  expect(lines).toEqual([]);
  note({ ...job, state: 'failed', failure: { code: 'refused', detail: 'no secret wish' } });
  note({ ...job, id: 'two', state: 'uncertain' });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'info', job: 'one', kind: 'self-prompt', failure: 'refused', serviceJob: 'service-1' },
    { job: 'two', failure: 'uncertain' },
  ]);
  expect(lines.join()).not.toContain('secret');
});
