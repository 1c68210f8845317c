import { cardTitle, drawHeldNotice } from '../../cards/card.ts';
import { textsOf } from '../../command/request.ts';
import type { View } from '../../command/view.ts';
import { kindName } from '../../kinds/kinds.ts';
import type { HeldJob } from '../../orchestrator/job/job.ts';
import type { Words } from '../../words/words.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import type { LogChannel } from './log-channel.ts';
import type { Owners } from './owners.ts';

/** The notice of a held result in a language. */
export function heldNotice(job: HeldJob, words: Words, platforms: Pick<PlatformRegistry, 'of'>): View {
  const link = job.card && platforms.of(job.card.platform)?.link?.(job.card, job.place);
  // No prompts, and no filter of a private job: others read the log channel.
  const isSecret = job.private || textsOf(job.request).length > 0;
  const what = isSecret ? kindName(job.request.kind, words) : cardTitle(job, words);
  return drawHeldNotice(what, job, words, link);
}

/**
 * Tells the community's log channel of a result that is held for its content; where there is none, or it takes no message, the owners,
 * first those on the same platform. Rejects when an owner could be told later.
 */
export function createHeldNotices(dependencies: {
  readonly platforms: Pick<PlatformRegistry, 'of' | 'say'>;
  readonly owners: Pick<Owners, 'people' | 'words'>;
  /** In the language of the community's log channel. */
  readonly wordsIn: (community: string) => Promise<Words>;
  readonly channel: Pick<LogChannel, 'post'>;
}) {
  const { platforms, owners, wordsIn, channel } = dependencies;
  const tell = async (people: Owners['people'], job: HeldJob): Promise<boolean> => {
    const view = heldNotice(job, owners.words, platforms);
    const said = await Promise.all(people.map((caller) => platforms.say({ caller }, view)));
    if (said.some(({ state }) => state === 'drawn')) return true;
    if (said.some(({ state }) => state === 'later')) throw new Error('The owners have to be told later.');
    return false;
  };

  return async (job: HeldJob): Promise<void> => {
    const words = await wordsIn(job.place.community);
    if (await channel.post(job.place.community, heldNotice(job, words, platforms)).catch(() => false)) return;
    const near = owners.people.filter(({ platform }) => platform === job.place.platform);
    if (await tell(near, job)) return;
    await tell(
      owners.people.filter((each) => !near.includes(each)),
      job,
    );
  };
}
