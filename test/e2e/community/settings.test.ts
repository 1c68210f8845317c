import { describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import type { Member } from '../stage/chat.ts';
import { prompted, settings, swap } from '../stage/lines.ts';
import { resultOf } from '../stage/pictures.ts';
import { stage, useStage } from '../stage/stage.ts';

const made = await resultOf('#e0a010');

useStage({ result: made });

describe.each(['discord', 'telegram'] as const)('on %s', (name) => {
  const people = (who: string) => {
    const room = stage.platforms[name].room();
    const mod = room.member(`Mod ${who}`);
    mod.moderates(true);
    return { room, mod, ann: room.member(`Ann ${who}`), bob: room.member(`Bob ${who}`) };
  };
  const idOf = (key: string): string => key.slice(key.indexOf(':') + 1);
  const entryBy = ({ key }: Member, what: string): RegExp => new RegExp(`\\b${idOf(key)}\\)? ${what}\\b`);

  it.concurrent('blocks and unblocks a person, who gets a short neutral answer', async () => {
    const { mod, ann, bob } = people('block');
    const result = await ann.sends(swap).result();
    const id = idOf(ann.key);
    const done = await mod.sends(settings('block', { user: id, reason: 'spam' })).says('is blocked here');
    // Discord itself puts the name there, and is told to call nobody.
    expect(done.text).toContain(name === 'discord' ? `<@${id}> (${id})` : `Ann block (${id})`);
    const blocked = 'You cannot use this here: a moderator has blocked you.';
    await ann.sends(swap).says(blocked);
    await ann.press(result, 'Again').says(blocked);
    // From now on nothing is said in public, whatever they try; Discord shows everybody their own answers.
    const tries = [swap, { command: 'usage' }, { command: 'jobs' }, settings('show')].map(ann.sends);
    if (name === 'discord') for (const each of tries) expect((await each.says(blocked)).private).toBe(true);
    for (const label of ['Again', 'Other filter', 'Animate']) await ann.press(result, label).says(blocked);
    // What one must always be able to read, and to delete.
    await ann.sends({ command: 'privacy' }).until(({ buttons }) => buttons.length > 0, 'the page');
    await bob.sends(swap).result();
    await mod.sends(settings('show')).says('spam');
    expect(ann.room().filter(({ text }) => text.includes(blocked))).toHaveLength(name === 'discord' ? 0 : 1);
    await mod.sends(settings('unblock', { user: id })).says(id);
    await ann.sends(swap).result();
  });

  it.concurrent('pauses with a reason and resumes', async () => {
    const { mod, ann } = people('pause');
    const result = await ann.sends(swap).result();
    await mod
      .sends(settings('pause', { reason: 'back tomorrow' }))
      .until(({ text }) => text !== '', 'a word');
    await ann.sends(swap).says('paused in this community: back tomorrow');
    await ann.press(result, 'Again').says('paused in this community: back tomorrow');
    await mod.sends(settings('resume')).until(({ text }) => text !== '', 'a word');
    await ann.sends(swap).result();
  });

  it.concurrent('makes pictures only in the channels that were chosen', async () => {
    const { mod, ann } = people('channels');
    await mod.sends(settings('channels', { where: 'here' })).says('made here now');
    const result = await ann.sends(swap).result();
    const { text } = await mod.sends(settings('show')).says('made only in');
    const id = /made only in:.* \((-?\d+)\)/.exec(text)?.[1] ?? '';
    await mod
      .sends(settings('channels', { where: 'not-here', channel: '12345' }))
      .says('not one of the channels');
    // As a deleted one would be.
    await mod.sends(settings('channels', { where: 'not-here', channel: id })).says('No channel is left');
    const refused = await ann.sends(swap).says('moderators have chosen the channels');
    expect(refused.private).toBe(name === 'discord');
    await ann.press(result, 'Again').says('moderators have chosen the channels');
    await mod.sends(settings('channels', { where: 'everywhere' })).says('in every channel now');
    await ann.sends(swap).result();
    await ann.sends(settings('channels', { where: 'here' })).says('Only moderators');
  });

  it.concurrent('refuses banned words in any disguise, and allows them again', async () => {
    const { mod, ann } = people('words');
    const old = await ann.sends(prompted('harmless')).result();
    await mod.sends(settings('banword', { word: 'grue' })).says('grue');
    const before = stage.recorder
      .runs('/v2/run/self-prompt')
      .filter(({ body }) => /gr/i.test(String(body.prompt)));
    for (const prompt of ['a GRUE in the dark', 'a g r u e', 'a grυe'])
      await ann.sends(prompted(prompt)).says('a word that this community does not allow');
    const after = stage.recorder
      .runs('/v2/run/self-prompt')
      .filter(({ body }) => /gr/i.test(String(body.prompt)));
    expect(after).toHaveLength(before.length);
    // An old prompt is no way around a new rule.
    await mod.sends(settings('banword', { word: 'harmless' })).says('harmless');
    await ann.press(old, 'Again').says('a word that this community does not allow');
    await mod.sends(settings('allowword', { word: 'GRUE' })).says(/grue/i);
    await ann.sends(prompted(`a grue on ${name}`)).result();
  });

  it.concurrent('every change and every job is audited, and posted to the log channel until it is off', async () => {
    const { mod, ann } = people('log');
    await mod.sends(settings('credits', { amount: '50' })).says('50');
    await mod
      .sends(settings('timezone', { name: 'europe/berlin' }))
      .says('The time zone is Europe/Berlin now');
    await mod.sends(settings('show')).says('Time zone: Europe/Berlin');
    await mod.sends(settings('log', { where: 'here' })).says('go to this channel');
    await ann.sends(prompted('my private words')).result();
    await mod.sends(settings('banword', { word: 'grue' })).says('grue');
    await eventually(() => {
      const lines = ann
        .room()
        .map(({ text }) => text)
        .join('\n');
      return lines.includes('settings.banword') && entryBy(ann, 'job').test(lines);
    }, 'audit lines in the log channel');
    await mod.sends(settings('log', { where: 'off' })).until(({ text }) => text !== '', 'a word');
    const trail = await mod.sends(settings('log')).says('settings.log');
    expect(trail.text).toMatch(entryBy(ann, 'job'));
    for (const action of ['settings.credits', 'settings.banword'])
      expect(trail.text).toMatch(entryBy(mod, action));
    // By name where the platform does not put it there itself.
    if (name === 'telegram') expect(trail.text).toContain(`Ann log (${idOf(ann.key)}) job`);
    const posted = ann.room().filter(({ media }) => media === undefined);
    for (const { text } of [trail, ...posted]) expect(text).not.toContain('my private words');
    await ann.sends(settings('log')).says('Only moderators');
  });

  it.concurrent('two communities are isolated', async () => {
    const here = people('one');
    const there = people('two');
    await here.mod.sends(settings('credits', { amount: '77' })).says('77');
    await here.mod.sends(settings('banword', { word: 'grue' })).says('grue');
    const result = await here.ann.sends(swap).result();
    const other = await there.mod.sends(settings('show')).until(({ text }) => text !== '', 'the settings');
    expect(other.text).not.toMatch(/77|grue/);
    const trail = await there.mod.sends(settings('log')).until(({ text }) => text !== '', 'the trail');
    expect(trail.text).not.toMatch(/settings\.|job/);
    const usage = await there.mod.sends({ command: 'usage' }).says('This community: 0 credits');
    expect(usage.text).toContain('0 jobs');
    // A job is reached by its own community alone, whatever a button says.
    const delet = here.ann.dataOf(result, 'Delete');
    const mine = await there.ann.sends(swap).result();
    for (const verb of ['delete', 'report', 'show', 'again', 'cancel'])
      await there.mod.forge(mine, delet.replace('delete', verb)).says('This job no longer exists.');
    expect(here.ann.again(result)).toBeDefined();
  });
});
