// @module-tag slow
/** Aliases and campaigns on real platforms. What begins, begins now: the program's clock is the machine's. */
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import type { Line, Person } from '../stage/chat.ts';
import { alias, photo, settings } from '../stage/lines.ts';
import { type Custom, names, type People, peopleOn, stage, useStage } from '../stage/stage.ts';

const face = '/v6/run/face_swap';
const group = '/v5/run/multi_swap';

let first: Custom | undefined;
let second: Custom | undefined;
let style: Custom | undefined;
/** The service acts, and nobody hears of it. */
let isMute = false;
let caught = 0;
useStage({
  http: ({ operation }) => {
    if (!isMute || !/^(POST|PATCH|DELETE) \/api\/alias/.test(operation)) return undefined;
    caught += 1;
    return { kind: 'hang', when: 'after' };
  },
});
beforeAll(async () => {
  [first, second] = await stage.customFilters('face_swap');
  [style] = await stage.customFilters('multi_swap');
});

const idOf = (filter: Custom | undefined): string => filter?.uuid ?? '';
const labelOf = (filter: Custom | undefined): string => filter?.label ?? '';
interface AtService {
  readonly id: string;
  readonly ai_filter: string;
  readonly project: string;
}
const atService = async (community: string): Promise<AtService | undefined> =>
  (await stage.ask<AtService[]>('/api/alias/')).find(({ project }) => project === community);
const swap = (filter: string): Line => ({
  command: 'faceswap',
  given: { filter, gender: 'male' },
  photos: { photo },
});
const groupSwap = (named: string): Line => ({
  command: 'groupswap',
  given: { style: named },
  photos: { photo },
});
/** The filter or style that the next run asks the service to use. */
const usedBy = async (person: Person, line: Line, path: string): Promise<unknown> => {
  const before = stage.recorder.runs(path).length;
  await person.types(line).result();
  const body = stage.recorder.runs(path)[before]?.body;
  return body?.filter_id ?? body?.style_id;
};

describe.each(names)('on %s', (name) => {
  it('an alias is created, listed, shown, used, repointed, used again and deleted', async () => {
    const { mod, ann } = peopleOn(name, 'life');
    const made = await mod
      .types(alias('create', { name: 'halloween', filter: idOf(first) }))
      .says('halloween');

    expect(made.text).toContain(labelOf(first));
    expect(made.private).toBe(name === 'discord');

    await mod.types(alias('create', { name: 'party', filter: labelOf(style) })).says(labelOf(style));
    const list = await mod.types(alias('list')).says('halloween');

    expect(list.text).toContain(`party → ${labelOf(style)} (group)`);

    await mod.types(alias('create', { name: 'halloween', filter: idOf(second) })).says('already');

    expect(await usedBy(ann, swap('halloween'), face)).toBe(idOf(first));
    expect(await usedBy(ann, groupSwap('party'), group)).toBe(idOf(style));

    await mod.types(alias('repoint', { name: 'halloween', filter: labelOf(second) })).says(labelOf(second));
    expect(await usedBy(ann, swap('halloween'), face)).toBe(idOf(second));

    const shown = await mod.types(alias('show', { name: 'halloween' })).says(`Points to ${labelOf(second)}.`);
    expect(shown.text).toMatch(
      new RegExp(`Before that:[\\s\\S]*${labelOf(first)}, until \\d{4}-\\d\\d-\\d\\d`),
    );

    await mod.types(alias('delete', { name: 'halloween' })).says('was deleted');
    await ann.types(swap('halloween')).says('There is no filter "halloween"');

    expect((await mod.types(alias('list')).says('party')).text).not.toContain('halloween');
  });

  it('the user and the moderators are told when an alias was deleted at the service', async () => {
    const { room, mod, ann } = peopleOn(name, 'gone');
    await mod.types(settings('log', { where: 'here' })).says('go to this channel');
    await mod.types(alias('create', { name: 'fleeting', filter: idOf(first) })).says('fleeting');
    await stage.ask(`/api/alias/${(await atService(room.community))?.id}/`, { method: 'DELETE' });
    const card = await ann.types(swap('fleeting')).says('no longer exists. Choose another filter.');

    expect(card.text).toContain('refunded');

    await mod.types(alias('list')).says('its filter no longer exists');
    const told = '"fleeting" or its filter no longer exists at the service';
    await eventually(() => ann.seenByAll().some(({ text }) => text.includes(told)), 'word to the moderators');
  });

  it('campaigns are scheduled, shown, begun, ended, and told to the log channel', async () => {
    const { room, mod } = peopleOn(name, 'schedules');
    /** The current minute, or the next one if that begins in a moment. */
    const now = new Date(Date.now() + 5_000).toISOString().slice(0, 16);
    const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const schedule = (filter: Custom | undefined, from: string, until?: string) =>
      mod.types(
        alias('schedule', { name: 'samhain', filter: idOf(filter), from, ...(until ? { until } : {}) }),
      );
    const pointsTo = (filter: Custom | undefined) =>
      eventually(async () => (await atService(room.community))?.ai_filter === filter?.uuid, labelOf(filter));

    await mod.types(alias('create', { name: 'samhain', filter: idOf(first) })).says('now points to');
    await mod.types(settings('log', { where: 'here' })).says('go to this channel');
    await schedule(second, '2020-01-01').says('has passed');
    await schedule(second, now, later(2)).says(`will point to ${labelOf(second)}`);
    await schedule(first, later(1)).says('overlaps');
    await schedule(second, later(3)).says(`from ${later(3)} 00:00 on`);
    await pointsTo(second);
    await eventually(async () => {
      const { text } = await mod.types(alias('list')).says('Times are in UTC');
      return text.includes(`▶ until ${later(2)} 00:00`) && text.includes(`⏳ from ${later(3)} 00:00 on`);
    }, 'what is running and what is coming');
    const isTold = () => mod.seenByAll().some(({ text }) => text.includes('campaign.start name=samhain'));
    await eventually(isTold, 'the line in the log channel');
    const { text } = await mod.types(alias('unschedule', { name: 'samhain' })).says('taken back');

    expect(text).toMatch(/ends now[\s\S]*1 scheduled change/);

    await pointsTo(first);
    const ends = async () =>
      (await mod.types(settings('log')).answer()).text.split('campaign.end ').length - 1;
    await eventually(async () => (await ends()) === 1, 'the line of its end');
  });
});

it('after a kill between the service and the store, all is known at the start, and has its line', async () => {
  const made = peopleOn('discord', 'made');
  const repointed = peopleOn('discord', 'repointed');
  const deleted = peopleOn('discord', 'deleted');
  const create = alias('create', { name: 'samhain', filter: idOf(first) });
  const filterIn = async ({ room }: People) => (await atService(room.community))?.ai_filter;
  const hasLine = ({ mod }: People, action: string) =>
    eventually(async () => (await mod.types(settings('log')).answer()).text.includes(action), action);
  await repointed.mod.types(create).says('now points to');
  await deleted.mod.types(create).says('now points to');

  isMute = true;
  made.mod.types(create);
  repointed.mod.types(alias('repoint', { name: 'samhain', filter: idOf(second) }));
  deleted.mod.types(alias('delete', { name: 'samhain' }));
  await eventually(() => caught === 3, 'three calls');
  await eventually(async () => (await filterIn(made)) === idOf(first), 'the new alias');
  await eventually(async () => (await filterIn(repointed)) === idOf(second), 'the repointed alias');
  await eventually(async () => (await filterIn(deleted)) === undefined, 'the end of the deleted alias');
  isMute = false;
  await stage.restart('kill');

  await hasLine(made, 'alias.create');
  await hasLine(repointed, 'alias.repoint');
  await hasLine(deleted, 'alias.delete');
  await made.mod.types(alias('show', { name: 'samhain' })).says('Points to');
  await repointed.mod.types(alias('list')).says(`samhain → ${labelOf(second)}`);
  await deleted.mod.types(create).says('now points to');
});
