import { beforeEach, expect, it } from 'vitest';
import { createAliasNotices } from '../../../../src/app/notices/notices.ts';
import { createLog } from '../../../../src/log/log.ts';
import { languages } from '../../../../src/words/words.ts';
import { eventually } from '../../../eventually.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { openWorld, world } from '../../orchestrator/world.ts';

beforeEach(() => openWorld());

it('are audited at each use, and posted once an hour per alias', async () => {
  const clock = createFakeClock();
  const posted: unknown[] = [];
  const noted: unknown[] = [];
  const notice = createAliasNotices(
    {
      post: async (community, { lines }) => {
        posted.push([community, lines.join()]);
        return true;
      },
    },
    { note: async (who, _place, action, detail) => void noted.push([who.id, action, detail?.name]) },
    async () => languages.en,
    clock,
    createLog({ level: 'silent', secrets: [] }),
  );
  const job = await world.submit('ann');
  const use = (name: string) => notice(job, name, { code: 'alias-gone', name });
  for (let uses = 0; uses < 3; uses += 1) use('xmas');
  expect(noted).toEqual(Array.from({ length: 3 }, () => ['ann', 'job.alias-gone', 'xmas']));
  await eventually(() => posted.length > 0, 'the message');
  expect(posted).toEqual([
    [job.place.community, expect.stringMatching(/"xmas".*no longer exists.*repoint or delete it/)],
  ]);
  use('easter');
  await eventually(() => posted.length === 2, 'another message');
  await clock.advance(60 * 60_000);
  use('xmas');
  await eventually(() => posted.length === 3, 'a message an hour later');
});
