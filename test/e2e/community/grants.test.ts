/** Credits that a community gives to one person besides the daily ones. */
import { describe, it } from 'vitest';
import { settings, swap } from '../stage/lines.ts';
import { resultOf } from '../stage/pictures.ts';
import { stage, useStage } from '../stage/stage.ts';

const made = await resultOf('#e0a010');
const failing = { command: 'faceswap', given: { prompt: 'this will fail' }, photos: swap.photos ?? {} };

useStage({
  script: {
    jobs: ({ run }) =>
      run === '/v2/run/self-prompt'
        ? { queuedMs: 0, runningMs: 40, failure: 'too dark' }
        : { queuedMs: 0, runningMs: 40, result: made },
  },
  env: { USER_DAILY_CREDITS: '3', USER_MAX_DAILY_CREDITS: '40' },
});

const usage = { command: 'usage' };

describe.each(['discord', 'telegram'] as const)('on %s', (name) => {
  /** Each test has a group of its own: a bot may send 20 messages a minute to one of Telegram. */
  const people = () => {
    const room = stage.platforms[name].room();
    const [mod, ann, bob] = [room.member('Mod'), room.member('Ann'), room.member('Bob')];
    mod.moderates(true);
    const user = ann.key.slice(ann.key.indexOf(':') + 1);
    const give = (amount: string, reason = 'the contest') =>
      mod.sends(settings('grant', { user, amount, reason }));
    return { mod, ann, bob, user, give };
  };

  it.concurrent('a grant is used after the day’s credits, and a failed job gives it back', async () => {
    const { mod, ann, give } = people();
    await give('6').says(/got 6 credits[\s\S]*Left of all grants: 6\./);
    await give('35').says('You can give this person 34 credits more today.');
    await ann.sends(usage).says(/of 3 credits[\s\S]*6 credits granted to you/);
    await ann.sends(swap).result();
    await ann.sends(usage).says(/You used 2 of 3[\s\S]*6 credits granted to you/);
    await ann.sends(failing).until(({ buttons }) => buttons.includes('Retry'), 'the failure');
    await ann.sends(usage).says(/You used 2 of 3[\s\S]*1 credit left[\s\S]*6 credits granted to you/);
    await ann.sends(swap).result();
    await ann
      .sends(usage)
      .says(/You used 3 of 3[\s\S]*Paid from granted credits today: 1\.[\s\S]*5 credits granted to you/);
    await mod.sends(settings('show')).says(/People with granted credits: 1\n[^\n]*: 5\n/);
    await mod.sends(usage).says('4 credits used by 1 person');
  });

  it.concurrent('a grant is taken back, and deleted with its person', async () => {
    const { mod, ann, bob, user, give } = people();
    await give('6').says('Left of all grants: 6.');
    await ann.sends(swap).result();
    await mod.sends(settings('grant', { user, amount: '0' })).says(/Taken back from [\s\S]*: 6 credits\./);
    await ann.sends(swap).says('This costs 2 credits and you have 1 left today.');
    await mod
      .sends(settings('log'))
      .says(new RegExp(`settings.grant user=${user} amount=6 reason=the contest`));
    await ann.sends(settings('grant', { user, amount: '40' })).says('Only moderators');
    await give('10').says('Left of all grants: 10');
    await bob.sends(usage).says('You used 0 of 3');
    const page = await ann
      .sends({ command: 'privacy' })
      .until(({ buttons }) => buttons.length > 0, 'the page');
    const sure = await ann.press(page, 'Delete all my data').says('Credits granted to you are lost.');
    await ann.press(sure, 'Yes, delete everything').says('deleted');
    await ann.sends(swap).says('This costs 2 credits and you have 1 left today.');
  });
});
