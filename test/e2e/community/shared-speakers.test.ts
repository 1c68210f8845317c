import { expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { photo, swap } from '../stage/lines.ts';
import { resultOf } from '../stage/pictures.ts';
import { stage, useStage } from '../stage/stage.ts';

const made = await resultOf('#e0a010');
const endless = '/v2/run/self-prompt';

useStage({
  script: {
    jobs: ({ run }) => ({ queuedMs: 0, runningMs: run === endless ? 600_000 : 40, result: made }),
  },
  env: { SERVICE_CONCURRENT_JOBS: '4', USER_CONCURRENT_JOBS: '2', USER_WAITING_JOBS: '5' },
});

it('somebody who hides in sixty groups has the slots of one person, and a calm person the next one', async () => {
  const { telegram, recorder, platforms } = stage;
  const boss = telegram.person('Boss');
  const groups = Array.from({ length: 60 }, (_, index) => telegram.group(`Group ${index}`));
  const flood = (): void => {
    for (const group of groups) boss.says(group, '/faceswap prompt=endless', { anonymous: true, photo });
  };
  const answers = (count: number) =>
    eventually(() => groups.every((group) => telegram.fromBot(group).length >= count), 'all to be answered');
  flood();
  await answers(1);
  await eventually(() => recorder.runs(endless).length === 2, 'two of the jobs to run');
  // Each group could have one; the rest is refused, with a reason.
  flood();
  await answers(2);
  const [group] = groups;
  const refused = group && telegram.fromBot(group).at(-1);
  expect(refused?.text).toMatch(/60 unfinished jobs.* have this limit together/);

  const ann = platforms.telegram.room().member('Ann');
  await ann.sends(swap).result('her result');
  expect(recorder.runs(endless)).toHaveLength(2);
});
