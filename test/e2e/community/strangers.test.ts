import { describe, expect, it } from 'vitest';
import type { Line, Member } from '../stage/chat.ts';
import { photo, prompted, settings, swap } from '../stage/lines.ts';
import { resultOf } from '../stage/pictures.ts';
import { stage, useStage } from '../stage/stage.ts';

/** People, posts and presses that come from where nobody expects them: nothing may happen, and nothing may break. */

const made = await resultOf('#e0a010');
const moderatorsOnly = 'Only moderators of this community can do this.';

useStage({ result: made });

const resultFor = (member: Member, line: Line = swap) => member.sends(line).result();

describe.each(['discord', 'telegram'] as const)('on %s', (name) => {
  const people = (who: string) => {
    const room = stage.platforms[name].room();
    const mod = room.member(`Mod ${who}`);
    mod.moderates(true);
    return { room, mod, ann: room.member(`Ann ${who}`), bob: room.member(`Bob ${who}`) };
  };

  it.concurrent('a press with forged data is answered, and changes nothing', async () => {
    const { mod, ann, bob } = people('forged');
    const result = await resultFor(ann);
    const own = await resultFor(bob);
    const data = ann.dataOf(result, 'Delete');
    const [verb = ''] = /^(?:a:)?delete/.exec(data) ?? [];
    const id = data.slice(verb.length + 1);
    const as = (other: string): string => `${verb.replace('delete', other)}:`;
    const refused: readonly (readonly [string, RegExp])[] = [
      // Another's job, by every button there is.
      ...['again', 'retry', 'other', 'animate', 'cancel', 'delete', 'show'].map(
        (other) => [`${as(other)}${id}`, /belongs to someone else/] as const,
      ),
      // Ids that are too short, too long, unknown, of another form, with more behind them, or none.
      ...[id.slice(1), `${id}x`, 'x'.repeat(40), '../../etc', "' OR 1=1 --", `${id}:yes`, '', '💥'].map(
        (wrong) => [`${as('delete')}${wrong}`, /no longer exists/] as const,
      ),
      // Drafts that never were or have expired, and words that are no buttons.
      ...['pick', 'ask', 'page', 'do', 'consent', 'erase'].map(
        (other) => [`${as(other)}AAAAAAAAAAAA:filter:3`, /no longer valid/] as const,
      ),
      ...['__proto__', 'constructor', 'toString', 'moderate', ''].map(
        (other) => [`${as(other)}${id}`, /no longer valid/] as const,
      ),
    ];
    for (const [forged, words] of refused) await bob.forge(own, forged).says(words);
    // What is another's stays another's for a moderator, too, but for what moderators may do.
    for (const other of ['again', 'retry', 'other', 'animate', 'show'])
      await mod.forge(own, `${as(other)}${id}`).says('belongs to someone else');
    expect(ann.again(result)?.buttons).toEqual(result.buttons);
    await ann.sends({ command: 'usage' }).says('You used 2 of');
    await bob.sends({ command: 'usage' }).says('You used 2 of');
  });

  it.concurrent('a former moderator cannot use earlier buttons', async () => {
    const { mod, ann } = people('demoted');
    const result = await resultFor(ann);
    mod.moderates(false);
    await mod.press(result, 'Delete').says('belongs to someone else');
    expect(ann.again(result)?.media).toBeDefined();
    mod.moderates(true);
    mod.press(result, 'Delete');
    await ann.sends({ command: 'jobs' }).until(() => ann.again(result) === undefined, 'it to go');
  });

  it.concurrent('a direct chat has no moderators, and does not affect the community', async () => {
    const { mod, ann } = people('direct');
    await mod.sends(settings('banword', { word: 'grue' })).says('grue');
    const alone = mod.directly();
    for (const line of [settings('show'), settings('allowword', { word: 'grue' }), settings('log')])
      await alone.sends(line).says(moderatorsOnly);
    await ann.sends(prompted('a grue')).says('a word that this community does not allow');
    await resultFor(ann.directly(), prompted('a grue'));
  });
});

it('on discord, a user-installed bot gives its user no moderator rights in the server', async () => {
  const home = stage.platforms.discord.room();
  const [mod, ann] = [home.member('Mod at home'), home.member('Ann at home')];
  mod.moderates(true);
  await mod.sends(settings('banword', { word: 'grue' })).says('grue');
  const foreign = stage.platforms.discord.room({ foreign: true });
  const admin = foreign.member('Admin abroad');
  admin.moderates(true);
  for (const line of [
    settings('show'),
    settings('banword', { word: 'kraken' }),
    settings('log', { where: 'here' }),
    { command: 'alias list' },
  ])
    await admin.sends(line).says(moderatorsOnly);
  // They make pictures on their own account, and others there cannot act on them.
  const result = await resultFor(admin);
  const usage = await admin.sends({ command: 'usage' }).says('You used 2 of');
  expect(usage.text).not.toContain('This community');
  const guest = foreign.member('Guest abroad');
  for (const label of ['Delete', 'Again']) await guest.press(result, label).says('no longer exists');
  await guest.sends({ command: 'usage' }).says('You used 0 of');
  await ann.sends(prompted('a grue')).says('a word that this community does not allow');
});

describe('on telegram', () => {
  const channel = -1_001_234_567_890;

  it('a post of the linked channel is ignored: no command, no photo, no permission', async () => {
    const { telegram } = stage;
    const [mod, ann] = [telegram.person('Mod linked'), telegram.person('Ann linked')];
    telegram.openPrivate(mod, ann);
    const group = telegram.group('Discussion', { administrators: [mod], botHearsAll: true });
    const post = (text: string, picture?: Uint8Array) =>
      mod.says(group, text, { linkedPost: channel, ...(picture === undefined ? {} : { photo: picture }) });
    mod.says(group, '/settings banword grue');
    await telegram.until(() => telegram.fromBot(group).length === 1, 'the rule');
    const runs = stage.recorder.runs().length;
    post('/settings allowword grue');
    post('/settings log here');
    post('/alias delete name=halloween');
    post('/faceswap 3 male', photo);
    post(`/faceswap@${telegram.botName} 3 male`, photo);
    const picture = post('', photo);
    // All of these came before: when she is answered, they have been dealt with.
    ann.says(group, '/faceswap prompt="a grue"', { photo });
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

  it('an anonymous administrator acts in their own group only, and only while being one', async () => {
    const { telegram } = stage;
    const boss = telegram.person('Boss hides');
    const [here, there] = [telegram.group('Here'), telegram.group('There')];
    telegram.promote(here, boss, true);
    boss.says(here, '/settings banword grue', { anonymous: true });
    await telegram.says(here, 'grue');
    // In another group the same person is a member like any other.
    boss.says(there, '/settings banword grue');
    await telegram.says(there, 'Only moderators');
    telegram.demote(here, boss);
    boss.says(here, '/settings allowword grue');
    await telegram.says(here, 'Only moderators');
  });
});
