import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import type { Line, Member } from '../stage/chat.ts';
import { photo } from '../stage/lines.ts';
import { resultOf } from '../stage/pictures.ts';
import { stage, useStage } from '../stage/stage.ts';

const made = await resultOf('#e0a010');
const face = '/v6/run/face_swap';
const group = '/v5/run/multi_swap';

interface Custom {
  readonly id: string;
  readonly label: string;
}

let faces: readonly Custom[];
let groups: readonly Custom[];
useStage({ result: made });
beforeAll(async () => {
  const answer = await fetch(`${stage.service.url}/v1/users/me/my-custom-filters`, {
    headers: { [stage.service.apiKeyHeader]: stage.service.apiKey },
  });
  const all = (await answer.json()) as { uuid: string; label: string; filter_type: string }[];
  const custom = (type: string): Custom[] =>
    all.filter((each) => each.filter_type === type).map(({ uuid, label }) => ({ id: uuid, label }));
  faces = custom('face_swap');
  groups = custom('multi_swap');
});

const atService = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${stage.service.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${stage.service.token}` },
  });
const at = (list: readonly Custom[], index: number): Custom => {
  const found = list[index];
  if (found === undefined) throw new Error('the service has too few custom filters');
  return found;
};
const alias = (subcommand: string, given: Record<string, string> = {}): Line => ({
  command: `alias ${subcommand}`,
  given,
});
const swap = (filter: string): Line => ({
  command: 'faceswap',
  given: { filter, gender: 'male' },
  photos: { photo },
});
const groupSwap = (style: string): Line => ({ command: 'groupswap', given: { style }, photos: { photo } });
/** What the service was asked to use, by the next run. */
const usedBy = async (member: Member, line: Line, path: string): Promise<unknown> => {
  const before = stage.recorder.runs(path).length;
  await member.sends(line).result();
  const body = stage.recorder.runs(path)[before]?.body;
  return body?.filter_id ?? body?.style_id;
};

describe.each(['discord', 'telegram'] as const)('on %s', (name) => {
  const people = (who: string) => {
    const room = stage.platforms[name].room();
    const mod = room.member(`Mod ${who}`);
    mod.moderates(true);
    return { room, mod, ann: room.member(`Ann ${who}`) };
  };

  it('an alias is created, listed, shown, used, repointed, used again and deleted', async () => {
    const { mod, ann } = people('life');
    const [first, second, style] = [at(faces, 0), at(faces, 1), at(groups, 0)];
    const made = await mod.sends(alias('create', { name: 'halloween', filter: first.id })).says('halloween');
    expect(made.text).toContain(first.label);
    expect(made.private).toBe(name === 'discord');
    await mod.sends(alias('create', { name: 'party', filter: style.label })).says(style.label);
    const list = await mod.sends(alias('list')).says('halloween');
    expect(list.text).toContain(`party → ${style.label} (group)`);
    await mod.sends(alias('create', { name: 'halloween', filter: second.id })).says('already');

    expect(await usedBy(ann, swap('halloween'), face)).toBe(first.id);
    expect(await usedBy(ann, groupSwap('party'), group)).toBe(style.id);

    await mod.sends(alias('repoint', { name: 'halloween', filter: second.label })).says(second.label);
    expect(await usedBy(ann, swap('halloween'), face)).toBe(second.id);
    const shown = await mod.sends(alias('show', { name: 'halloween' })).says(`Points to ${second.label}.`);
    expect(shown.text).toMatch(new RegExp(`Before that:[\\s\\S]*${first.label}, until \\d{4}-\\d\\d-\\d\\d`));

    await mod.sends(alias('delete', { name: 'halloween' })).says('was deleted');
    await ann.sends(swap('halloween')).says('There is no filter "halloween"');
    const left = await mod.sends(alias('list')).says('party');
    expect(left.text).not.toContain('halloween');
  });

  it('tells the user and the moderators when an alias was deleted at the service', async () => {
    const { room, mod, ann } = people('gone');
    await mod.sends({ command: 'settings log', given: { where: 'here' } }).says('go to this channel');
    await mod.sends(alias('create', { name: 'fleeting', filter: at(faces, 0).id })).says('fleeting');
    const all = (await (await atService('/api/alias/')).json()) as { id: string; project: string }[];
    const ours = all.find(({ project }) => project === room.community);
    await atService(`/api/alias/${ours?.id}/`, { method: 'DELETE' });
    const card = await ann.sends(swap('fleeting')).says('no longer exists. Choose another filter.');
    expect(card.text).toContain('refunded');
    await mod.sends(alias('list')).says('its filter no longer exists');
    await eventually(
      () =>
        ann
          .room()
          .some(({ text }) => text.includes('"fleeting" or its filter no longer exists at the service')),
      'word to the moderators',
    );
  });
});

it('right after a start an alias is suggested first, and not read as a prompt', async () => {
  const { telegram } = stage;
  const ann = telegram.person('Ann starts');
  const mod = telegram.person('Mod starts');
  telegram.openPrivate(ann, mod);
  const group = telegram.group('Starters', { administrators: [mod] });
  mod.says(group, `/alias create halloween ${at(faces, 0).id}`);
  await telegram.until(() => telegram.fromBot(group).length > 0, 'the alias');
  const room = stage.platforms.discord.room();
  const [boss, member] = [room.member('Boss starts'), room.member('Member starts')];
  boss.moderates(true);
  await boss.sends(alias('create', { name: 'halloween', filter: at(faces, 0).id })).says('now points to');

  await stage.restart('stop');
  const before = stage.recorder.runs().length;
  ann.says(group, '/faceswap halloween male', { photo });
  await telegram.until(() => telegram.fromBot(group).some((message) => 'photo' in message), 'the result');
  expect(stage.recorder.runs().slice(before)).toMatchObject([
    { path: face, body: { filter_id: at(faces, 0).id } },
  ]);
  const question = await member
    .sends({ command: 'faceswap', given: { gender: 'male' }, photos: { photo } })
    .until(({ buttons }) => buttons.length > 3, 'a question');
  expect(question.buttons[0]).toBe('A · halloween');
  const asked = ann.says(group, '/faceswap gender=male', { photo });
  const list = await telegram.until(
    () => telegram.fromBot(group).find(({ message_id: id }) => id > asked.message_id),
    'a question on Telegram',
  );
  expect(list.caption ?? list.text).toContain('\nA halloween · ');
});
