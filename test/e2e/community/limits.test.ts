import { describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { jobsOf, photo, prompted, swap } from '../stage/lines.ts';
import { resultOf } from '../stage/pictures.ts';
import { stage, useStage } from '../stage/stage.ts';

const made = await resultOf('#e0a010');
/** A job that does not end by itself. */
const endless = prompted('endless');
const run = '/v6/run/face_swap';

useStage({
  script: {
    jobs: ({ run: path }) => ({
      queuedMs: 0,
      runningMs: path === '/v2/run/self-prompt' ? 600_000 : 40,
      result: made,
    }),
  },
  env: {
    CONSENT: 'required',
    USER_DAILY_CREDITS: '7',
    USER_CONCURRENT_JOBS: '1',
    USER_WAITING_JOBS: '2',
    USER_JOBS_PER_MINUTE: '4',
  },
});

describe.each(['discord', 'telegram'] as const)('on %s', (name) => {
  const consenting = async (who: string) => {
    const room = stage.platforms[name].room();
    const member = room.member(who);
    const asked = await member.sends(swap).says('Before your first picture');
    const result = await member
      .press(asked, 'I confirm, continue')
      .result('what was wanted in the first place');
    return { room, member, result };
  };

  it.concurrent('asks for consent once, then continues with the command', async () => {
    const runs = stage.recorder.runs(run).length;
    const room = stage.platforms[name].room();
    const ann = room.member('Ann consent');
    const bob = room.member('Bob consent');
    const asked = await ann.sends(swap).says('Before your first picture');
    expect(stage.recorder.runs(run).length).toBeGreaterThanOrEqual(runs);
    // On Discord nobody else sees the question; where they do, it is not theirs to answer.
    if (!asked.private) await bob.press(asked, 'I confirm, continue').says('belongs to someone else');
    const outcome = ann.press(asked, 'I confirm, continue');
    const result = await outcome.result();
    expect(result.private).toBe(false);
    const next = await ann.sends(swap).result('the next result');
    expect(next.text).toContain('AI-generated');
  });

  it.concurrent('runs one job, queues two and refuses the next; a cancelled queued job costs nothing', async () => {
    const { member } = await consenting('Ann waiting');
    await jobsOf(member, ({ text }) => text.includes('done'), 'nothing to be in hand');
    // Whoever is accepted first runs: two that are sent together may change places on the way.
    await member.sends(endless).until(({ buttons }) => buttons.includes('Cancel'), 'a card');
    const second = member.sends({ ...endless, given: { prompt: 'second' } });
    const line = await second.until(({ buttons }) => buttons.includes('Cancel'), 'a place in line');
    await member.sends(endless).says('This costs 2 credits and you have 1 left today.');
    await member.sends({ command: 'usage' }).says(/more reserved for unfinished jobs/);
    member.press(line, 'Cancel');
    const cancelled = await second.says('Cancelled.');
    expect(cancelled.text).toContain('refunded');
    await member.sends({ command: 'usage' }).says('3 credits left.');
  });

  it.concurrent('erases all data of a person after a confirmation', async () => {
    const { room, member, result } = await consenting('Ann privacy');
    await member.sends({ command: 'jobs' }).says('Face swap');
    const question = await member
      .sends({ command: 'faceswap', given: { filter: '3' }, photos: { photo } })
      .until(({ buttons }) => buttons.includes('female'), 'a question');
    const about = await member
      .sends({ command: 'privacy' })
      .until(({ buttons }) => buttons.length > 0, 'the page');
    const sure = await member.press(about, 'Delete all my data').says('Delete everything we keep about you?');
    await member.press(sure, 'Yes, delete everything').says('Done. 1 job');
    await member.sends({ command: 'jobs' }).says('You have no jobs yet.');
    // What is left in the chat answers politely, and the confirmation is no button any more.
    await member.press(result, 'Again').says('This job no longer exists.');
    await member.press(question, 'female').says('This button is no longer valid.');
    await eventually(() => (member.again(sure)?.buttons ?? []).length === 0, 'the confirmation to go');
    // Today's counter stays; consent went with the rest.
    await member.sends({ command: 'usage' }).says('You used 2 of 7 credits.');
    await member.sends(swap).says('Before your first picture');
    // Whose the result was nobody knows any more: a moderator can still take it down.
    await member.press(result, 'Delete').says('This job no longer exists.');
    const mod = room.member('Mod privacy');
    mod.moderates(true);
    mod.press(result, 'Delete');
    await eventually(() => member.again(result) === undefined, 'the result to go');
    await mod.sends({ command: 'settings log' }).says('moderator.delete');
  });

  it.concurrent('erases a person with a running job: it is cancelled, and nothing of it appears later', async () => {
    const { member } = await consenting('Ann erased');
    const running = member.sends(endless);
    const card = await running.until(({ buttons }) => buttons.includes('Cancel'), 'a card');
    const about = await member.sends({ command: 'privacy' }).until(({ buttons }) => buttons.length > 0, 'it');
    const sure = await member.press(about, 'Delete all my data').says('Unfinished jobs are cancelled.');
    await member.press(sure, 'Yes, delete everything').says('Done. 2 jobs');
    await running.says('Cancelled.');
    await member.press(card, 'Retry').says('This job no longer exists.');
    await member.sends({ command: 'jobs' }).says('You have no jobs yet.');
  });

  it.concurrent('refuses more in a minute than allowed', async () => {
    const room = stage.platforms[name].room();
    const mod = room.member('Mod rate');
    mod.moderates(true);
    await mod.sends({ command: 'settings credits', given: { amount: '1000' } }).says('1000');
    const member = room.member('Ann rate');
    const asked = await member.sends(swap).says('Before your first picture');
    await member.press(asked, 'I confirm, continue').result();
    for (let sent = 1; sent < 4; sent += 1) await member.sends(swap).result();
    await member.sends(swap).says('You sent more than 4 requests within a minute.');
  });

  it.concurrent('refuses more waiting jobs than allowed', async () => {
    const room = stage.platforms[name].room();
    const mod = room.member('Mod line');
    mod.moderates(true);
    await mod.sends({ command: 'settings credits', given: { amount: '1000' } }).says('1000');
    const member = room.member('Ann line');
    const asked = await member.sends(endless).says('Before your first picture');
    await member
      .press(asked, 'I confirm, continue')
      .until(({ buttons }) => buttons.includes('Cancel'), 'a card');
    for (let waiting = 0; waiting < 2; waiting += 1)
      await member.sends(endless).until(({ buttons }) => buttons.includes('Cancel'), 'a card');
    await member.sends(endless).says('at most 2 can wait');
  });
});
