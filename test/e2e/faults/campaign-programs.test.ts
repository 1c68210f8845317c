// @module-tag slow
// @module-tag longest
/** Campaigns of many communities begin and end by themselves on four programs with one PostgreSQL, which are killed and frozen. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  campaignRecordRules,
  createCampaignRecords,
} from '../../../src/community/campaigns/campaign-records.ts';
import { databaseAddressOf } from '../../../src/store/postgres/database/address.ts';
import { openDatabase } from '../../../src/store/postgres/database/database.ts';
import { openPostgresStore } from '../../../src/store/postgres/store.ts';
import { createChance, tell } from './kill/chance.ts';
import { stagePrograms } from './scale/stage-programs.ts';

/** More for a longer night: CAMPAIGN_ROUNDS=30 npx vitest run --project slow test/e2e/faults/campaign-programs.test.ts */
const rounds = Number(process.env.CAMPAIGN_ROUNDS ?? 1);
const PROGRAMS = 4;
const COMMUNITIES = 12;
/** Frozen for so long, a process has been taken over when it wakes up. */
const LONG_MS = 12_000;
/** Longer than a process is frozen. */
const LASTS_MS = 20_000;

it('each campaign begins once and ends once at the service and in the audit trail, whichever program dies meanwhile', {
  tags: ['postgres'],
  timeout: 3_600_000,
}, async () => {
  const chance = createChance('campaigns');
  await using opened = new AsyncDisposableStack();
  // Slow enough that kills meet changes before and after the service made them.
  const { database, service, chat, start } = await stagePrograms(opened, {
    script: {
      http: ({ operation }) =>
        operation.startsWith('PATCH /api/alias')
          ? { kind: 'delay', delayMs: chance.between(0, 800), when: chance.pick(['before', 'after']) }
          : undefined,
    },
  });
  const get = async <Value>(path: string): Promise<Value> => {
    const headers = {
      [service.apiKeyHeader]: service.apiKey,
      authorization: `Bearer ${service.token}`,
    };
    return (await (await fetch(`${service.url}${path}`, { headers })).json()) as Value;
  };
  const customs = await get<{ uuid: string; filter_type: string }[]>('/v1/users/me/my-custom-filters');
  const [first = '', second = ''] = customs
    .filter((each) => each.filter_type === 'face_swap')
    .map(({ uuid }) => uuid);

  const programs = await start(PROGRAMS, { SERVICE_CALLS_PER_SECOND: '1000' });
  const communities = await Promise.all(
    Array.from({ length: COMMUNITIES }, async (_, n) => {
      const room = chat.room();
      const mod = room.person(`Mod ${n}`);
      mod.moderates(true);
      await mod
        .types({ command: 'alias create', given: { name: 'samhain', filter: first } })
        .says('now points to');
      return room.community;
    }),
  );
  const aliases = await get<{ id: string; project: string }[]>('/api/alias/');
  const aliasOf = (community: string): string =>
    aliases.find(({ project }) => project === community)?.id ?? '';
  const atService = (community: string) =>
    get<{ ai_filter: string; history: readonly { ai_filter_id: string }[] }>(
      `/api/alias/${aliasOf(community)}`,
    );

  const store = await openPostgresStore(openDatabase(databaseAddressOf(database.url)), {
    keys: [],
    memberId: () => 'nobody',
  });
  opened.defer(store.close);
  const records = createCampaignRecords(store.keyv('campaigns', campaignRecordRules));
  const by = { platform: 'telegram', id: '1', name: 'Mod', locale: 'en' } as const;
  const linesOf = async (community: string): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const { action } of store.audit.since(0, community))
      if (action.startsWith('campaign.')) found.push(action);
    return found;
  };

  let kills = 0;
  let freezes = 0;
  for (let round = 1; round <= rounds; round += 1) {
    for (const community of communities) {
      const from = Date.now() + chance.between(1_000, 6_000);
      const campaign = {
        id: `${community} ${round}`,
        state: 'coming' as const,
        alias: 'samhain',
        aliasId: aliasOf(community),
        filter: second,
        label: 'second',
        listed: true,
        from,
        until: from + LASTS_MS,
        by,
      };
      await records.edit(community, (all) => [...all, campaign]);
    }
    const isOver = async (): Promise<boolean> =>
      (await Promise.all(communities.map(records.all))).every((all) => all.length === 0);
    while (!(await isOver())) {
      // However slow the machine is, one of them is left to do what is due.
      await programs.ready(2);
      const index = Math.floor(chance.between(0, PROGRAMS));
      if (chance.next() < 0.92) {
        await programs.kill(index);
        kills += 1;
      } else {
        programs.freeze(index);
        await pause(LONG_MS);
        programs.thaw(index);
        freezes += 1;
      }
      await pause(chance.between(0, 700));
    }
    for (const community of communities) {
      const { ai_filter: filter, history } = await atService(community);
      // A call of a process that was killed may arrive after the same call of its successor, and changes nothing.
      const removed = history
        .map(({ ai_filter_id: id }) => id)
        .filter((id, index, all) => id !== all[index - 1]);
      const changes = Array.from({ length: round }, () => [first, second]).flat();
      expect([community, filter, ...removed]).toEqual([community, first, ...changes]);
      const lines = await linesOf(community);
      expect(lines.filter((line) => line === 'campaign.start')).toHaveLength(round);
      expect(lines.filter((line) => line === 'campaign.end')).toHaveLength(round);
      // The service may have been out of reach for a process that was killed in the middle of a call.
      expect(lines.filter((line) => /failed|missed|replaced/.test(line))).toEqual([]);
    }
  }
  tell({ campaigns: rounds * COMMUNITIES, kills, freezes });
});
