import type { Clock } from '../../base/clock.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import type { Log } from '../../log/log.ts';
import { createOnceAnHour } from './once-an-hour.ts';
import type { OwnerNotice } from './owner-notices.ts';

/** Six lists are refreshed twice a minute and fail for the same reason, so errors of the service are logged once an hour. */
export function createListTroubles(ownerNotice: OwnerNotice, clock: Clock, log: Log) {
  const isNews = createOnceAnHour(clock);

  const tell = (error: GenerationError): void => {
    if (!isNews(error.kind)) return;
    log.warn(
      { reason: error.message },
      'The filter lists cannot be loaded; this is retried automatically. `npm run doctor` checks GENERATION_URL.',
    );
  };

  return (error: unknown, what: string): void => {
    if (!(error instanceof GenerationError)) log.warn({ err: error }, what);
    else if (error.kind === 'unauthorized') ownerNotice('service-credentials');
    else if (error.kind === 'redirected') ownerNotice('service-address');
    else tell(error);
  };
}
