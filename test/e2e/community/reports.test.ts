import { describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import type { Member, Seen } from '../stage/chat.ts';
import { settings, swap } from '../stage/lines.ts';
import { resultOf } from '../stage/pictures.ts';
import { stage, useStage } from '../stage/stage.ts';

const made = await resultOf('#e0a010');

useStage({ result: made });

const DECISIONS = ['Remove result', 'Block person', 'Dismiss'];
const blocked = 'You cannot use this here: a moderator has blocked you.';

const result = (member: Member, given: Record<string, string> = {}): Promise<Seen> =>
  member.sends({ ...swap, given: { ...swap.given, ...given } }).result();
const reports = (member: Member): readonly Seen[] =>
  member.room().filter(({ text }) => text.includes('A result was reported'));
const reportOf = (member: Member): Promise<Seen> => eventually(() => reports(member)[0], 'the report');
const decided = (member: Member, report: Seen, words: string): Promise<Seen> =>
  eventually(() => {
    const now = member.again(report);
    return now?.text.includes(words) && now;
  }, words);

const names = ['discord', 'telegram'] as const;
const peopleOn = async (name: (typeof names)[number], who: string) => {
  const room = stage.platforms[name].room();
  const member = (each: string): Member => room.member(`${each} ${who}`);
  const [mod, mia] = [member('Mod'), member('Mia')];
  for (const each of [mod, mia]) each.moderates(true);
  await mod.sends(settings('log', { where: 'here' })).says('go to this channel');
  return { ann: member('Ann'), bob: member('Bob'), mod, mia };
};

describe.each(names)('on %s', (name) => {
  const people = (who: string) => peopleOn(name, who);

  it.concurrent('Remove result removes it, once, and the report says who did', async () => {
    const { ann, bob, mod, mia } = await people('remove');
    const card = await result(ann);
    await bob.press(card, 'Report').says('Thank you');
    const report = await reportOf(mod);
    expect(report.buttons).toEqual(DECISIONS);
    expect(report.text).toContain('Reported by Bob remove.');
    expect(report.text).toContain('Made by Ann remove.');
    for (const label of DECISIONS) await bob.press(report, label).says('Only moderators');
    expect(ann.again(card)).toBeDefined();
    const dismiss = mia.dataOf(report, 'Dismiss').replace(/^a:/, '');
    mod.press(report, 'Remove result');
    const after = await decided(mod, report, 'Result removed by Mod remove.');
    expect(after.buttons).toEqual([]);
    expect(ann.again(card)).toBeUndefined();
    // Pressed at the same time by somebody who still saw the buttons.
    mia.forge(after, dismiss);
    const trail = await mod.sends(settings('log')).says('moderator.delete');
    expect(trail.text).not.toContain('moderator.dismiss');
    expect((await decided(mod, report, 'Result removed by Mod remove.')).text).not.toContain('Dismissed');
  });

  it.concurrent('Block person blocks, with the report as the reason, and nobody is told who reported', async () => {
    const { ann, bob, mod } = await people('block');
    const card = await result(ann);
    await bob.press(card, 'Report').says('Thank you');
    const report = await reportOf(mod);
    mod.press(report, 'Block person');
    await decided(mod, report, 'Person blocked by Mod block.');
    expect(ann.again(card)).toBeDefined();
    const answer = await ann.sends(swap).says(blocked);
    expect(answer.text).not.toContain('Bob');
    const shown = await mod.sends(settings('show')).says('Reported: ');
    expect(shown.text).not.toContain('Bob');
  });

  it.concurrent('Dismiss leaves everything; what is reported again can be decided again', async () => {
    const { ann, bob, mod, mia } = await people('dismiss');
    const card = await result(ann);
    await bob.press(card, 'Report').says('Thank you');
    const first = await reportOf(mod);
    mod.press(first, 'Dismiss');
    await decided(mod, first, 'Dismissed by Mod dismiss.');
    expect(ann.again(card)).toBeDefined();
    await mod.sends(settings('log')).says('moderator.dismiss');
    await mia.press(card, 'Report').says('Thank you');
    const second = await eventually(() => reports(mod).find(({ id }) => id !== first.id), 'another report');
    mia.press(second, 'Remove result');
    await decided(mia, second, 'Result removed by Mia dismiss.');
    expect(ann.again(card)).toBeUndefined();
  });

  it.concurrent('shared results and comparisons are removed, too', async () => {
    const { ann, bob, mod } = await people('beside');
    const hidden = await result(ann, { private: 'yes' });
    ann.press(hidden, 'Share');
    const shared = await eventually(
      () => ann.room().find(({ text }) => text.includes('Shared by')),
      'the shared result',
    );
    await bob.press(shared, 'Report').says('Thank you');
    const report = await reportOf(mod);
    mod.press(report, 'Remove result');
    await decided(mod, report, 'Result removed');
    expect(ann.again(shared)).toBeUndefined();

    const open = await result(ann);
    const compared = await ann
      .press(open, 'Before / after')
      .until(({ buttons }) => buttons.join() === 'Delete,Report', 'the comparison');
    await bob.press(compared, 'Report').says('Thank you');
    const other = await eventually(() => reports(mod).find(({ id }) => id !== report.id), 'another report');
    mod.press(other, 'Remove result');
    await decided(mod, other, 'Result removed');
    for (const each of [open, compared]) expect(ann.again(each)).toBeUndefined();
  });

  it.concurrent('the requester was faster: Remove says so, and the person can still be blocked', async () => {
    const { ann, bob, mod } = await people('gone');
    const card = await result(ann);
    await bob.press(card, 'Report').says('Thank you');
    const report = await reportOf(mod);
    ann.press(card, 'Delete');
    await eventually(() => ann.again(card) === undefined, 'the result to go');
    await mod.press(report, 'Remove result').says('deleted already');
    expect(mod.again(report)?.buttons).toEqual(DECISIONS);
    mod.press(report, 'Block person');
    await decided(mod, report, 'Person blocked by Mod gone.');
  });
});

it('is decided after a restart', async () => {
  const all = await Promise.all(
    names.map(async (name) => {
      const { ann, bob, mod } = await peopleOn(name, 'restart');
      const card = await result(ann);
      await bob.press(card, 'Report').says('Thank you');
      return { ann, mod, card, report: await reportOf(mod) };
    }),
  );
  await stage.restart('kill');
  for (const { ann, mod, card, report } of all) {
    mod.press(report, 'Remove result');
    expect((await decided(mod, report, 'Result removed by Mod restart.')).buttons).toEqual([]);
    expect(ann.again(card)).toBeUndefined();
  }
});
