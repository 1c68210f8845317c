// @module-tag slow
/** Communities that wait, are approved and revoked, while the program is killed and groups come and go. */
import { beforeAll, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { decided, noticeOf, notices } from '../stage/approval-notices.ts';
import type { Person } from '../stage/chat.ts';
import { prompted, settings, swap } from '../stage/lines.ts';
import { names, stage, useStage } from '../stage/stage.ts';

const POLITE = 'This bot works only where its owner has approved it';

let owners: Readonly<Record<(typeof names)[number], Person>>;
let env: Readonly<Record<string, string>>;
useStage({
  jobs: () => ({ runningMs: 600_000 }),
  env: { USER_CONCURRENT_JOBS: '1' },
});
beforeAll(async () => {
  const ownerOn = (name: (typeof names)[number]): Person => stage.platforms[name].room().person('Olga');
  owners = { discord: ownerOn('discord'), telegram: ownerOn('telegram') };
  env = { COMMUNITIES: 'approved', OWNERS: names.map((name) => owners[name].key).join(',') };
  await stage.restart('stop', env);
});

it.each(names)(
  'on %s a press counts after a kill; a revoke stops jobs that wait, not those under way',
  async (name) => {
    const room = stage.platforms[name].room();
    const ann = room.person('Ann');
    const own = owners[name].at('direct');

    await ann.types(swap).says(POLITE);
    const notice = await noticeOf(own, room.community);
    await stage.restart('kill', env);
    own.presses(notice, 'Approve');
    await decided(own, notice, 'Approved by Olga.');
    await stage.restart('kill', env);
    const running = ann.types(prompted(`first ${name}`));
    const card = await running.offers('Cancel');
    const sent = (): readonly string[] => stage.recorder.runs().map(({ body }) => String(body.prompt));
    const isTaken = (): boolean =>
      stage.recorder.runs().some(({ body, status }) => body.prompt === `first ${name}` && status === 200);
    await eventually(isTaken, 'the first to be submitted');
    const waiting = ann.types(prompted(`second ${name}`));
    await waiting.offers('Cancel');
    await own.types(settings('revoke', { community: room.community })).says('is no longer approved');
    if (name === 'telegram') {
      stage.laterAtService(600_000);
      const result = await running.result();
      for (const button of ['Again', 'Before / after']) await ann.presses(result, button).says(POLITE);
    } else {
      // Buttons that end or remove something of a person stay open to them.
      ann.presses(card, 'Cancel');
    }
    await waiting.says('took back the approval of this chat');

    expect(sent()).not.toContain(`second ${name}`);

    if (name === 'discord') await ann.types(swap).says(POLITE);
    // A press or a command after the revoke asks anew; the answer to the revoke names it, too.
    await eventually(
      () => notices(own, room.community).some(({ buttons }) => buttons.length > 0),
      'a notice',
    );
  },
);
