import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import type { Line, Member } from '../stage/chat.ts';
import { stage, useStage } from '../stage/stage.ts';

/** Campaigns on real platforms. What begins, begins now: the program's clock is the machine's. */

interface AtService {
  readonly id: string;
  readonly ai_filter: string;
  readonly project: string;
  readonly history: readonly unknown[];
}
interface Custom {
  readonly uuid: string;
  readonly label: string;
  readonly filter_type: string;
}

let [first, second]: (Custom | undefined)[] = [];
useStage({});
beforeAll(async () => {
  const answer = await fetch(`${stage.service.url}/v1/users/me/my-custom-filters`, {
    headers: { [stage.service.apiKeyHeader]: stage.service.apiKey },
  });
  const all = (await answer.json()) as Custom[];
  [first, second] = all.filter((each) => each.filter_type === 'face_swap');
});

const alias = (subcommand: string, given: Record<string, string> = {}): Line => ({
  command: `alias ${subcommand}`,
  given,
});
/** The current minute, or the next one if that begins in a moment. */
const now = (): string => new Date(Date.now() + 5_000).toISOString().slice(0, 16);
const later = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const atService = async (community: string): Promise<AtService | undefined> => {
  const answer = await fetch(`${stage.service.url}/api/alias/`, {
    headers: { authorization: `Bearer ${stage.service.token}` },
  });
  const found = ((await answer.json()) as AtService[]).find(({ project }) => project === community);
  if (found === undefined) return undefined;
  const whole = await fetch(`${stage.service.url}/api/alias/${found.id}`, {
    headers: { authorization: `Bearer ${stage.service.token}` },
  });
  return (await whole.json()) as AtService;
};
const pointsTo = (community: string, filter: Custom | undefined) =>
  eventually(async () => (await atService(community))?.ai_filter === filter?.uuid, `${filter?.label}`);

describe.each(['discord', 'telegram'] as const)('campaigns on %s', (name) => {
  const moderated = async (who: string) => {
    const room = stage.platforms[name].room();
    const mod = room.member(`Mod ${who}`);
    mod.moderates(true);
    await mod.sends(alias('create', { name: 'samhain', filter: first?.uuid ?? '' })).says('now points to');
    return { mod, ann: room.member(`Ann ${who}`), community: room.community };
  };
  const linesOf = async (mod: Member, action: string): Promise<number> => {
    const { text } = await mod.sends({ command: 'settings log' }).until((seen) => seen.text !== '', 'it');
    return text.split(`${action} `).length - 1;
  };

  it('are scheduled, shown, begun, ended, and told to the log channel', async () => {
    const { mod, ann, community } = await moderated('schedules');
    await mod.sends({ command: 'settings log', given: { where: 'here' } }).says('go to this channel');
    await ann
      .sends(alias('schedule', { name: 'samhain', filter: second?.uuid ?? '', from: later(2) }))
      .says('Only moderators');
    await mod
      .sends(alias('schedule', { name: 'samhain', filter: second?.uuid ?? '', from: '2020-01-01' }))
      .says('has passed');
    await mod
      .sends(
        alias('schedule', {
          name: 'samhain',
          filter: second?.label ?? '',
          from: now(),
          until: later(2),
        }),
      )
      .says(`will point to ${second?.label}`);
    await mod
      .sends(alias('schedule', { name: 'samhain', filter: first?.uuid ?? '', from: later(1) }))
      .says('overlaps');
    await mod
      .sends(alias('schedule', { name: 'samhain', filter: second?.uuid ?? '', from: later(3) }))
      .says(`from ${later(3)} 00:00 on`);
    await pointsTo(community, second);
    await eventually(async () => {
      const { text } = await mod.sends(alias('list')).says('Times are in UTC');
      return text.includes(`▶ until ${later(2)} 00:00`) && text.includes(`⏳ from ${later(3)} 00:00 on`);
    }, 'what is running and what is coming');
    await eventually(
      () => mod.room().some(({ text }) => text.includes('campaign.start name=samhain')),
      'the line in the log channel',
    );
    const { text } = await mod.sends(alias('unschedule', { name: 'samhain' })).says('taken back');
    expect(text).toMatch(/ends now[\s\S]*1 scheduled change/);
    await pointsTo(community, first);
    await eventually(async () => (await linesOf(mod, 'campaign.end')) === 1, 'the line of its end');
    await mod.sends(alias('unschedule', { name: 'samhain' })).says('Nothing is scheduled');
  });
});
