import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import type { HttpFault } from '../../fakes/service/script.ts';
import type { Line, Member } from '../stage/chat.ts';
import { stage, useStage } from '../stage/stage.ts';

/**
 * An alias lives in two places, the service and our store, so a change of one is two writes. The program is killed on
 * either side of the service's: after our own intention was written and before the service did anything, and after the
 * service did it and before we heard. Telegram delivers the command again afterwards, Discord refuses a second answer.
 */

interface AtService {
  readonly id: string;
  readonly ai_filter: string;
  readonly project: string;
}

/** What becomes of changes at the service. */
let fault: HttpFault | undefined;
let caught = 0;
let [first, second] = ['', ''];
useStage({
  script: {
    http: ({ operation }) => {
      if (fault === undefined || !/^(POST|PATCH|DELETE) \/api\/alias/.test(operation)) return undefined;
      caught += 1;
      return fault;
    },
  },
});
beforeAll(async () => {
  const answer = await fetch(`${stage.service.url}/v1/users/me/my-custom-filters`, {
    headers: { [stage.service.apiKeyHeader]: stage.service.apiKey },
  });
  const all = (await answer.json()) as { uuid: string; filter_type: string }[];
  [first = '', second = ''] = all.filter((each) => each.filter_type === 'face_swap').map(({ uuid }) => uuid);
});
afterEach(() => {
  fault = undefined;
});

const alias = (subcommand: string, given: Record<string, string> = {}): Line => ({
  command: `alias ${subcommand}`,
  given,
});
const filtersOf = async (community: string): Promise<readonly string[]> => {
  const answer = await fetch(`${stage.service.url}/api/alias/`, {
    headers: { authorization: `Bearer ${stage.service.token}` },
  });
  const all = (await answer.json()) as AtService[];
  return all.filter(({ project }) => project === community).map((each) => each.ai_filter);
};

describe.each(['discord', 'telegram'] as const)('on %s', (name) => {
  const moderated = (who: string) => {
    const room = stage.platforms[name].room();
    const mod = room.member(`Mod ${who}`);
    mod.moderates(true);
    return { mod, community: room.community };
  };
  const listed = async (mod: Member): Promise<readonly string[]> => {
    const { text } = await mod.sends(alias('list')).until((seen) => seen.text !== '', 'the list');
    return text.split('\n').filter((line) => line.includes('→'));
  };

  it.each(['before', 'after'] as const)('a kill %s the service acted', async (when) => {
    const [made, repointed, deleted] = ['made', 'repointed', 'deleted'].map((what) =>
      moderated(`${what} ${when}`),
    );
    if (made === undefined || repointed === undefined || deleted === undefined) throw new Error('no rooms');
    for (const { mod } of [repointed, deleted])
      await mod.sends(alias('create', { name: 'samhain', filter: first })).says('now points to');

    caught = 0;
    fault = { kind: 'hang', when };
    made.mod.sends(alias('create', { name: 'samhain', filter: first }));
    repointed.mod.sends(alias('repoint', { name: 'samhain', filter: second }));
    deleted.mod.sends(alias('delete', { name: 'samhain' }));
    await eventually(() => caught === 3, 'all three to be under way');
    const { interactions } = stage.discord.world;
    await eventually(
      () => [...interactions.values()].every(({ ack }) => ack !== undefined),
      'the commands to be acknowledged',
    );
    if (when === 'after')
      await eventually(async () => {
        const [one, other] = [await filtersOf(made.community), await filtersOf(repointed.community)];
        return one.length === 1 && other[0] === second && (await filtersOf(deleted.community)).length === 0;
      }, 'the service to act');
    // What the next start does goes through.
    fault = undefined;
    await stage.restart('kill');

    // Healed at the start: nobody has to look at the list first.
    if (when === 'after')
      await eventually(async () => {
        const { text } = await made.mod
          .sends(alias('show', { name: 'samhain' }))
          .says(/Points to|There is no/);
        return text.includes('Points to');
      }, 'the alias that was made to be known');
    // Whatever was done has its line, although nobody lived to say that it was.
    for (const [place, line] of [
      [made, 'alias.create'],
      [repointed, 'alias.repoint'],
      [deleted, 'alias.delete'],
    ] as const)
      await eventually(async () => {
        const log = await place.mod.sends({ command: 'settings log' }).until(({ text }) => text !== '', 'it');
        return log.text.includes(line);
      }, `${line} in the log`);
    // What is listed is what the service has, under its name, and nothing is out of sight.
    const agrees = async ({ mod, community }: typeof made): Promise<boolean> => {
      const lines = await listed(mod);
      const there = await filtersOf(community);
      return lines.length === there.length && lines.every((line) => line.startsWith('samhain →'));
    };
    for (const place of [made, repointed, deleted])
      await eventually(() => agrees(place), 'service and store to agree');

    expect(await filtersOf(deleted.community)).toEqual([]);
    const [now] = await filtersOf(repointed.community);
    expect(now).toBe(when === 'after' || name === 'telegram' ? second : first);
    expect(await filtersOf(made.community)).toHaveLength(when === 'after' || name === 'telegram' ? 1 : 0);

    // Whatever was left half done stands in nobody's way.
    for (const { mod } of [made, repointed, deleted]) {
      const { text } = await mod
        .sends(alias('create', { name: 'samhain', filter: first }))
        .says(/now points to|already/);
      expect(text).not.toContain('unknown whether');
      await mod.sends(alias('delete', { name: 'samhain' })).says('was deleted');
    }
    for (const { community } of [made, repointed, deleted]) expect(await filtersOf(community)).toEqual([]);
  });
});
