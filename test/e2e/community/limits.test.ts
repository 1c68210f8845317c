// @module-tag slow
import { describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { jobsOf, photo, prompted, settings, swap } from '../stage/lines.ts';
import { names, stage, useStage } from '../stage/stage.ts';

/** A job that does not end by itself. */
const endless = prompted('endless');

useStage({
  jobs: ({ run: path }) => (path === '/v2/run/self-prompt' ? { runningMs: 600_000 } : {}),
  env: { CONSENT: 'required', USER_DAILY_CREDITS: '7', USER_CONCURRENT_JOBS: '1' },
});

describe.each(names)('on %s', (name) => {
  const consenting = async (who: string) => {
    const room = stage.platforms[name].room();
    const person = room.person(who);
    const asked = await person.types(swap).says('Before your first picture');
    const result = await person
      .presses(asked, 'I confirm, continue')
      .result('what was wanted in the first place');
    return { room, person, result };
  };

  it.concurrent('one job of a person runs, the next waits, one that costs too much is refused; a cancelled job that waited costs nothing', async () => {
    const { person } = await consenting('Ann waiting');
    await jobsOf(person, ({ text }) => text.includes('done'), 'nothing to be in hand');
    // Whoever is accepted first runs: two that are sent together may change places on the way.
    await person.types(endless).offers('Cancel');
    const second = person.types({ ...endless, given: { prompt: 'second' } });
    const line = await second.offers('Cancel');
    await person.types(endless).says('This costs 2 credits and you have 1 left today.');
    await person.types({ command: 'usage' }).says(/more reserved for unfinished jobs/);
    person.presses(line, 'Cancel');
    const cancelled = await second.says('Cancelled.');

    expect(cancelled.text).toContain('refunded');

    await person.types({ command: 'usage' }).says('3 credits left.');
  });

  it.concurrent('what a moderator decides while a job waits is obeyed before it is submitted', async () => {
    const { room, person } = await consenting('Ann admitted');
    const mod = room.person('Mod admitted');

    mod.moderates(true);
    const running = await person.types(endless).offers('Cancel');
    const waiting = person.types(prompted(`a grue on ${name}`));
    await waiting.offers('Cancel');
    await mod.types(settings('banword', { word: 'grue' })).says('grue');
    person.presses(running, 'Cancel');

    expect((await waiting.says('no longer allows')).text).toContain('refunded');
    expect(stage.recorder.runs().map(({ body }) => body.prompt)).not.toContain(`a grue on ${name}`);
  });

  it.concurrent('all data of a person is erased after a confirmation', async () => {
    const { room, person, result } = await consenting('Ann privacy');
    await person.types({ command: 'jobs' }).says('Face swap');
    const question = await person
      .types({ command: 'faceswap', given: { filter: '3' }, photos: { photo } })
      .offers('female');
    const about = await person.types({ command: 'privacy' }).offers('Delete all my data');
    const sure = await person
      .presses(about, 'Delete all my data')
      .says('Delete everything we keep about you?');
    await person.presses(sure, 'Yes, delete everything').says('Done. 1 job');
    await person.types({ command: 'jobs' }).says('You have no jobs yet.');
    // Messages that are left in the chat answer politely, and the confirmation has no buttons any more.
    await person.presses(result, 'Again').says('This job no longer exists.');
    await person.presses(question, 'female').says('This button is no longer valid.');
    await eventually(() => (person.again(sure)?.buttons ?? []).length === 0, 'the confirmation to go');
    // Today's counter stays; consent went with the rest.
    await person.types({ command: 'usage' }).says('You used 2 of 7 credits.');
    await person.types(swap).says('Before your first picture');
    // Whose the result was nobody knows any more: a moderator can still take it down.
    await person.presses(result, 'Delete').says('This job no longer exists.');
    const mod = room.person('Mod privacy');
    mod.moderates(true);
    mod.presses(result, 'Delete');
    await eventually(() => person.again(result) === undefined, 'the result to go');
    await mod.types({ command: 'settings log' }).says('moderator.delete');
  });
});
