import { type Clock, waitAtMost } from '../../base/clock.ts';
import type { EventsUnderWay } from '../../command/desk/parts/under-way.ts';
import type { Incoming } from '../../command/desk.ts';
import { personKey } from '../../command/place.ts';
import type { PrivacyPort } from '../../command/privacy-port.ts';
import type { FilterOrders } from '../../community/catalog/filter-order.ts';
import type { Consents } from '../../community/rules/consent.ts';
import type { CheckedPhotos } from '../../media/checked-photos.ts';
import type { Orchestrator } from '../../orchestrator/orchestrator.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';

/** A deletion that takes longer continues in the background, and the reply says so. */
const LONGEST_ERASE_MS = 500;

/** Consent, and the deletion of all data of the caller. */
export function createPrivacyPort(parts: {
  readonly orchestrator: Pick<Orchestrator, 'erase' | 'onDisk'>;
  readonly platforms: Pick<PlatformRegistry, 'of'>;
  readonly consents: Consents;
  readonly filterOrders: Pick<FilterOrders, 'forget'>;
  readonly checkedPhotos: Pick<CheckedPhotos, 'forget'>;
  readonly underWay: Pick<EventsUnderWay, 'forget'>;
  readonly checksContent: boolean;
  readonly hasVisibleMark: boolean;
  readonly keepsFaces: boolean;
  readonly clock: Clock;
}) {
  const { orchestrator, platforms, consents, filterOrders, checkedPhotos, clock } = parts;
  const { checksContent, hasVisibleMark, keepsFaces } = parts;
  return (incoming: Incoming): PrivacyPort => {
    const { caller } = incoming;
    const person = personKey(caller);
    const adapter = platforms.of(caller.platform);
    return {
      keepsChat: adapter?.keepsChat ?? false,
      checksContent,
      hasVisibleMark,
      keepsFaces,
      async eraseMe() {
        parts.underWay.forget(incoming);
        const { finished } = await orchestrator.erase(person);
        filterOrders.forget(caller);
        checkedPhotos.forget(caller);
        await Promise.all([orchestrator.onDisk(), adapter?.forget(caller)]);
        const jobs = await waitAtMost(clock, LONGEST_ERASE_MS, finished);
        return jobs === undefined ? { finished: false } : { finished: true, jobs };
      },
      consented: () => consents.given(person),
      consent: () => consents.give(person),
    };
  };
}
