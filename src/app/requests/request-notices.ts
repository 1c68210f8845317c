import { type Clock, sleep, waitAtMost } from '../../base/clock.ts';
import type { Members } from '../../base/members/members.ts';
import type { View } from '../../command/view.ts';
import type { Log } from '../../log/log.ts';
import type { RequestNotice } from '../../safety/requests/request-list.ts';
import type { RequestRecords } from '../../safety/requests/request-records.ts';
import type { Owners } from '../notices/owners.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import { drawRequest, timeLeft } from './draw-request.ts';

const PASS_EVERY_MS = 5_000;
const LONGEST_STOP_MS = 2_000;

/** Tells owners of requests, and reminds them: one process at a time, each notice once. */
export function createRequestNotices(parts: {
  readonly records: Pick<RequestRecords, 'find' | 'takeNotices' | 'afterNotice' | 'repair'>;
  readonly owners: Pick<Owners, 'people' | 'words'>;
  readonly platforms: Pick<PlatformRegistry, 'say'>;
  readonly members: Pick<Members, 'hold'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}) {
  const { records, owners, platforms, clock, log } = parts;
  const { words } = owners;
  const stopping = new AbortController();

  /**
   * Tells the owners; returns whether it has to be sent again. One that may have arrived comes twice, because a request that
   * nobody sees costs hours of its 48.
   */
  const sendToOwners = async (view: View): Promise<boolean> => {
    const said = await Promise.all(
      owners.people.map((caller) =>
        platforms.say({ caller }, view).catch((error: unknown) => {
          log.warn({ err: error }, 'an owner could not be told of a request for removal');
          return undefined;
        }),
      ),
    );
    if (!said.some((each) => each?.state === 'drawn'))
      log.warn('no owner could be told of a request for removal; see /owner');
    return said.length > 0 && said.every((each) => each?.state === 'later');
  };

  const tell = async (notice: RequestNotice): Promise<void> => {
    if (notice.kind === 'several') {
      const lines = [words.owner.requests.several(notice.count), timeLeft(notice.dueInMs, words)];
      // This notice is not repeated, because each of these requests has its reminders.
      await sendToOwners({ tone: 'ask', title: words.owner.requests.title, lines });
      return;
    }
    const { id, kind, dueInMs } = notice;
    const request = await records.find(id);
    const { title, reminder } = words.owner.requests;
    const view =
      request === undefined || request.decided !== undefined
        ? undefined
        : drawRequest(id, request, dueInMs, words, kind === 'reminder' ? reminder : title);
    await records.afterNotice(id, view !== undefined && (await sendToOwners(view)));
  };

  const run = async (until: AbortSignal): Promise<void> => {
    let isRepaired = false;
    while (!until.aborted) {
      try {
        if (!isRepaired) await records.repair();
        isRepaired = true;
        for (const notice of await records.takeNotices()) await tell(notice);
      } catch (error) {
        log.warn({ err: error }, 'owners could not be told of requests for removal; it is tried again');
      }
      await sleep(clock, PASS_EVERY_MS, until).catch(() => undefined);
    }
  };

  return {
    /** The returned function stops it. */
    start(): () => Promise<void> {
      const held = parts.members
        .hold('removal-requests', run, stopping.signal)
        .catch((error: unknown) => log.warn({ err: error }, 'owners are not told of requests for removal'));
      return async () => {
        stopping.abort();
        await waitAtMost(clock, LONGEST_STOP_MS, held);
      };
    },
  };
}
