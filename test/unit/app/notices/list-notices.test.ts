import { expect, it } from 'vitest';
import { createListTroubles } from '../../../../src/app/notices/notices.ts';
import { GenerationError, type GenerationErrorKind } from '../../../../src/generation-client/wire/errors.ts';
import { createLog } from '../../../../src/log/log.ts';
import { createFakeClock } from '../../../fakes/clock.ts';

const trouble = (kind: GenerationErrorKind) =>
  new GenerationError({ kind, endpoint: 'catalog face-v6', message: 'no answer', mayHaveArrived: false });

const listen = () => {
  const lines: string[] = [];
  const noticed: string[] = [];
  const clock = createFakeClock();
  const log = createLog({ level: 'info', secrets: [], stream: { write: (line) => void lines.push(line) } });
  const tell = createListTroubles((code) => void noticed.push(code), clock, log);
  return { lines, noticed, clock, tell };
};

it('one outage of six lists is logged once an hour, with instructions and without a stack', async () => {
  const { lines, clock, tell } = listen();
  for (let list = 0; list < 6; list += 1) tell(trouble('unreachable'), `list ${list}`);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('npm run doctor');
  expect(lines[0]).not.toContain('list-troubles.test.ts');
  await clock.advance(60 * 60_000);
  tell(trouble('unreachable'), 'list 0');
  expect(lines).toHaveLength(2);
});

it.each([
  ['unauthorized', 'service-credentials'],
  ['redirected', 'service-address'],
] as const)('%s notifies the owner', (kind, code) => {
  const { lines, noticed, tell } = listen();
  tell(trouble(kind), 'a list');
  expect(noticed).toEqual([code]);
  expect(lines).toEqual([]);
});

it('an error of our own is logged each time', () => {
  const { lines, tell } = listen();
  tell(new Error('the disk is full'), 'a list');
  tell(new Error('the disk is full'), 'another list');
  expect(lines).toHaveLength(2);
});
