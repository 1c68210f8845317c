// @module-tag slow
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import type { Person, Seen } from '../stage/chat.ts';
import { hidden, photo, prompted, settings, swap } from '../stage/lines.ts';
import { names, peopleOn, stage, useStage } from '../stage/stage.ts';

/** Decisions of moderators, as people see them. Who may do what: test/unit/permissions.test.ts. */

useStage();

const blocked = 'You cannot use this here: a moderator has blocked you.';
const idOf = ({ key }: Person): string => key.slice(key.indexOf(':') + 1);

describe.each(names)('settings on %s', (name) => {
  const people = (who: string) => peopleOn(name, who);

  it.concurrent('a person is blocked and unblocked, and gets a short neutral answer', async () => {
    const { mod, ann, bob } = people('block');
    const result = await ann.types(swap).result();
    const id = idOf(ann);
    const done = await mod.types(settings('block', { user: id, reason: 'spam' })).says('is blocked here');

    // Discord itself puts the name there, and is told to call nobody.
    expect(done.text).toContain(name === 'discord' ? `<@${id}> (${id})` : `Ann block (${id})`);

    await ann.types(swap).says(blocked);
    await ann.presses(result, 'Again').says(blocked);
    // From now on nothing is said in public, whatever the blocked person tries; Discord shows everybody their own answers.
    const tries = [swap, { command: 'usage' }, { command: 'jobs' }, settings('show')].map(ann.types);

    if (name === 'discord') for (const each of tries) expect((await each.says(blocked)).private).toBe(true);

    // Everybody must always be able to read and delete what is stored about them.
    await ann.types({ command: 'privacy' }).until(({ buttons }) => buttons.length > 0, 'the page');
    await bob.types(swap).result();
    await mod.types(settings('show')).says('spam');

    expect(ann.seenByAll().filter(({ text }) => text.includes(blocked))).toHaveLength(
      name === 'discord' ? 0 : 1,
    );

    await mod.types(settings('unblock', { user: id })).says(id);
    await ann.types(swap).result();
  });

  it.concurrent('a community is paused with a reason, and limited to channels, until that is taken back', async () => {
    const { mod, ann } = people('rules');
    const old = await ann.types(swap).result();

    await mod.types(settings('pause', { reason: 'back tomorrow' })).answer();
    await ann.types(swap).says('paused in this community: back tomorrow');
    await ann.presses(old, 'Again').says('paused in this community: back tomorrow');
    await mod.types(settings('resume')).answer();

    await mod.types(settings('channels', { where: 'here' })).says('made here now');
    const { text } = await mod.types(settings('show')).says('made only in');
    const id = /made only in:.* \((-?\d+)\)/.exec(text)?.[1] ?? '';
    // The channel is taken away by its id, as a deleted one would be.
    await mod.types(settings('channels', { where: 'not-here', channel: id })).says('No channel is left');
    const refused = await ann.types(swap).says('moderators have chosen the channels');

    expect(refused.private).toBe(name === 'discord');

    await mod.types(settings('channels', { where: 'everywhere' })).says('in every channel now');
    await ann.types(swap).result();
  });

  it.concurrent('settings and jobs are audited, and posted to the log channel until it is off', async () => {
    const { mod, ann } = people('log');
    const entryBy = (person: Person, what: string) => new RegExp(`\\b${idOf(person)}\\)? ${what}\\b`);

    await mod.types(settings('credits', { amount: '50' })).says('50');
    await mod.types(settings('log', { where: 'here' })).says('go to this channel');
    await ann.types(prompted('my private words')).result();
    await mod.types(settings('banword', { word: 'grue' })).says('grue');
    await eventually(() => {
      const lines = ann
        .seenByAll()
        .map(({ text }) => text)
        .join('\n');
      return lines.includes('settings.banword') && entryBy(ann, 'job').test(lines);
    }, 'audit lines in the log channel');
    await mod.types(settings('log', { where: 'off' })).answer();
    const trail = await mod.types(settings('log')).says('settings.log');

    expect(trail.text).toMatch(entryBy(ann, 'job'));
    for (const action of ['settings.credits', 'settings.banword'])
      expect(trail.text).toMatch(entryBy(mod, action));
    // The name is in the line where the platform does not show it itself.
    if (name === 'telegram') expect(trail.text).toContain(`Ann log (${idOf(ann)}) job`);

    const posted = ann.seenByAll().filter(({ media }) => media === undefined);
    for (const { text } of [trail, ...posted]) expect(text).not.toContain('my private words');
  });

  it.concurrent('/settings stats shows a moderator alone what the community made, in its time zone', async () => {
    const { mod, ann, bob } = people('stats');
    // Bots of Telegram cannot write first.
    if (name === 'telegram') await mod.at('direct').types({ command: 'help' }).answer();
    await mod.types(settings('timezone', { name: 'Europe/Berlin' })).says('Europe/Berlin');
    for (const each of [ann, ann, bob]) await each.types(swap).result();
    const shown = await mod.types(settings('stats')).says('Statistics of the last 30 days');

    expect(shown.private).toBe(true);
    expect(shown.text).toContain('Jobs: 3 · Credits: 6 · People: 2 · Failed: 0');
    expect(shown.text).toContain('/faceswap 3 / 6');
    expect(shown.text).toMatch(/Most used filters: .+ 3/);
    expect(shown.text).toMatch(/Jobs by day, since .+ \(Europe\/Berlin\): (0 ){29}3$/m);
    expect(await sharp(shown.media?.bytes).metadata()).toMatchObject({ width: 1_000, format: 'jpeg' });
    for (const { text } of ann.seenByAll()) expect(text).not.toContain('Jobs by day');
  });
});

describe.each(names)('reports on %s', (name) => {
  const DECISIONS = ['Remove result', 'Block person', 'Dismiss'];
  const reports = (person: Person): readonly Seen[] =>
    person.seenByAll().filter(({ text }) => text.includes('A result was reported'));
  const decided = (person: Person, report: Seen, words: string): Promise<Seen> =>
    eventually(() => {
      const now = person.again(report);
      return now?.text.includes(words) && now;
    }, words);
  const people = async (who: string) => {
    const all = peopleOn(name, who);
    await all.mod.types(settings('log', { where: 'here' })).says('go to this channel');
    const reported = async (card: Seen, by = all.bob): Promise<Seen> => {
      const before = reports(all.mod).length;
      await by.presses(card, 'Report').says('Thank you');
      return eventually(() => reports(all.mod)[before], 'the report');
    };
    return { ...all, reported };
  };

  it.concurrent('Remove result under a report removes it, once, and the report says who did', async () => {
    const { room, ann, bob, mod, reported } = await people('remove');
    const mia = room.person('Mia');

    mia.moderates(true);
    const card = await ann.types(swap).result();
    const report = await reported(card);

    expect(report.buttons).toEqual(DECISIONS);
    expect(report.text).toContain('Reported by Bob remove.');
    expect(report.text).toContain('Made by Ann remove.');

    for (const label of DECISIONS) await bob.presses(report, label).says('Only moderators');
    const dismiss = mia.actionOf(report, 'Dismiss');
    mod.presses(report, 'Remove result');
    const after = await decided(mod, report, 'Result removed by Mod remove.');

    expect(after.buttons).toEqual([]);
    expect(ann.again(card)).toBeUndefined();

    // Pressed at the same time by somebody who still saw the buttons.
    mia.forges(after, dismiss);
    const trail = await mod.types(settings('log')).says('moderator.delete');

    expect(trail.text).not.toContain('moderator.dismiss');
    expect(mod.again(report)?.text).not.toContain('Dismissed');
  });

  it.concurrent('Dismiss under a report leaves everything; Block person blocks, and nobody is told who reported', async () => {
    const { ann, mod, reported } = await people('block');
    const card = await ann.types(swap).result();
    const first = await reported(card);

    mod.presses(first, 'Dismiss');
    await decided(mod, first, 'Dismissed by Mod block.');
    await mod.types(settings('log')).says('moderator.dismiss');
    const second = await reported(card, mod);
    mod.presses(second, 'Block person');
    await decided(mod, second, 'Person blocked by Mod block.');

    expect(ann.again(card)).toBeDefined();
    expect((await ann.types(swap).says(blocked)).text).not.toContain('Bob');
    expect((await mod.types(settings('show')).says('Reported: ')).text).not.toContain('Bob');
  });

  it.concurrent('Remove result removes shared results and comparisons, too; what is gone already is told', async () => {
    const { ann, mod, reported } = await people('beside');
    const result = await hidden(ann);

    ann.presses(result, 'Share');
    const isShared = () => ann.seenByAll().find(({ text }) => text.includes('Shared by'));
    const shared = await eventually(isShared, 'the shared result');
    const report = await reported(shared);
    mod.presses(report, 'Remove result');
    await decided(mod, report, 'Result removed');

    expect(ann.again(shared)).toBeUndefined();

    const open = await ann.types(swap).result();
    const compared = await ann
      .presses(open, 'Before / after')
      .until(({ buttons }) => buttons.join() === 'Delete,Report', 'the comparison');
    const other = await reported(compared);
    mod.presses(other, 'Remove result');
    await decided(mod, other, 'Result removed');

    for (const each of [open, compared]) expect(ann.again(each)).toBeUndefined();

    const card = await ann.types(swap).result();
    const last = await reported(card);
    ann.presses(card, 'Delete');
    await eventually(() => ann.again(card) === undefined, 'the result to go');
    await mod.presses(last, 'Remove result').says('deleted already');

    expect(mod.again(last)?.buttons).toEqual(DECISIONS);
  });
});

describe('on Telegram', () => {
  it('on Telegram a post of the linked channel is ignored: no command, no photo, no permission', async () => {
    const { telegram } = stage;
    const mod = telegram.person('Mod linked');
    const ann = telegram.person('Ann linked');

    telegram.openPrivate(mod, ann);
    const group = telegram.group('Discussion', { administrators: [mod], botHearsAll: true });
    const post = (text: string, more = {}) =>
      mod.types(group, text, { linkedPost: -1_001_234_567_890, ...more });
    mod.types(group, '/settings banword grue');
    await telegram.until(() => telegram.fromBot(group).length === 1, 'the rule');
    const runs = stage.recorder.runs().length;
    post('/settings allowword grue');
    post('/faceswap 3 male', { photo });
    post(`/faceswap@${telegram.botName} 3 male`, { photo });
    const picture = post('', { photo });
    // These events came before hers: when she is answered, they have been handled.
    ann.types(group, '/faceswap prompt="a grue"', { photo });
    await telegram.says(group, 'does not allow');

    expect(telegram.fromBot(group)).toHaveLength(2);
    expect(stage.recorder.runs()).toHaveLength(runs);

    // A comment on the post is a person's, and may use its photo; its author is nobody to be blocked.
    ann.replies(picture, '/faceswap 3 male');
    await telegram.until(() => telegram.fromBot(group).some((message) => 'photo' in message), 'a result');
    mod.replies(picture, '/settings block');
    await telegram.says(group, 'one more thing');

    expect(telegram.fromBot(group).some(({ text }) => /is blocked here/.test(text ?? ''))).toBe(false);
  });

  it('on Telegram anonymous administrators and channels are answered in the community’s language', async () => {
    const { telegram } = stage;
    const mod = telegram.person('Mod hidden');
    const group = telegram.group('Hidden club', { administrators: [mod] });
    mod.types(group, '/settings language de', { anonymous: true });
    await telegram.says(group, 'The language of this community: Deutsch.');
    mod.types(group, '/usage', { anonymous: true });
    await telegram.says(group, 'Credits heute');
    mod.types(group, '/alias list', { channel: -1_009 });
    await telegram.says(group, 'Das kann nur die Moderation dieser Community.');
  });
});
