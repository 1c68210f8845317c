import { defined } from '../../src/base/defined.ts';
import { defineAction } from '../../src/command/command.ts';
import type { Reply } from '../../src/command/reply.ts';
import { shorten } from '../../src/command/shorten.ts';
import type { CommunityStats } from '../../src/command/stats-port.ts';
import { timeIn } from '../../src/command/time-zone.ts';
import type { View } from '../../src/command/view.ts';
import type { Words } from '../../src/words/words.ts';
import { subcommands } from '../texts/settings.ts';

const LONGEST_NAME = 30;

/** Everything that the picture shows: it must fit into a caption of Telegram (1,024 characters). */
function linesOf(stats: CommunityStats, { stats: words }: Words): readonly string[] {
  const { days, commands, filters, people, failed, timeZone } = stats;
  const sum = (what: 'jobs' | 'credits'): number => days.reduce((all, day) => all + day[what], 0);
  const since = words.since(words.date(timeIn('UTC', days[0]?.date ?? '')), timeZone);
  const byDay = (what: 'jobs' | 'credits'): string => days.map((day) => day[what]).join(' ');
  const used = filters.map(({ name, jobs }) => `${shorten(name, LONGEST_NAME)} ${jobs}`);
  return [
    `${words.jobs}: ${sum('jobs')} · ${words.credits}: ${sum('credits')} · ${words.people}: ${people} · ${words.failed}: ${failed}`,
    `${words.commands}: ${commands.map(({ name, jobs, credits }) => `/${name} ${jobs} / ${credits}`).join(', ')}`,
    ...(used.length === 0 ? [] : [`${words.filters}: ${used.join(', ')}`]),
    `${words.jobsByDay}, ${since}: ${byDay('jobs')}`,
    `${words.creditsByDay}, ${since}: ${byDay('credits')}`,
  ];
}

export const stats = defineAction({
  description: 'What was made here in 30 days; to owners in a direct chat: how the whole bot is doing',
  translations: subcommands.stats,
  options: {},
  async run({ words, place, ports: { stats, overview } }): Promise<Reply> {
    // In an owner's direct chat with the bot this is about the whole program.
    const whole = place.direct ? await overview.show() : undefined;
    if (whole !== undefined) return whole;
    const found = await stats.read();
    const { title, none } = words.stats;
    const answer = (view: Omit<View, 'tone' | 'title'>): Reply => ({
      kind: 'message',
      audience: 'caller',
      view: { tone: 'info', title, ...view },
    });
    if (found.commands.length === 0) return answer({ lines: [none] });
    const lines = linesOf(found, words);
    const media = await stats.draw(found, [title, ...lines].join('\n'));
    return answer({ lines, ...defined({ media }) });
  },
});
