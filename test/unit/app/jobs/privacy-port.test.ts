import { expect, it } from 'vitest';
import { createPrivacyPort } from '../../../../src/app/jobs/privacy-port.ts';
import { createPlatformRegistry } from '../../../../src/app/platforms/registry.ts';
import { createEventsUnderWay } from '../../../../src/command/desk/parts/under-way.ts';
import { createConsents } from '../../../../src/community/rules/consent.ts';
import { createCheckedPhotos } from '../../../../src/media/checked-photos.ts';
import { idleAdapter } from '../../../fakes/adapter.ts';
import { ann, room } from '../../../fakes/call.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { createRecords } from '../../../fakes/records.ts';

it('an erasure forgets the photo that was just checked', async () => {
  const clock = createFakeClock();
  const checkedPhotos = createCheckedPhotos(clock);
  const photo = { from: 'web', ref: 'photo-1' } as const;

  checkedPhotos.begin(ann, photo)({ bytes: new Uint8Array(3), clean: undefined });
  const privacy = createPrivacyPort({
    orchestrator: { erase: async () => ({ finished: Promise.resolve(1) }), onDisk: async () => undefined },
    platforms: createPlatformRegistry([{ ...idleAdapter, forget: async () => undefined }]),
    consents: createConsents(createRecords(), true, clock.now),
    filterOrders: { forget: () => undefined },
    checkedPhotos,
    underWay: createEventsUnderWay(),
    checksContent: false,
    hasVisibleMark: false,
    keepsFaces: false,
    clock,
  })({ caller: ann, place: room, event: 'event-1' });

  expect(await privacy.eraseMe()).toEqual({ finished: true, jobs: 1 });
  expect(await checkedPhotos.take(ann, photo, async () => undefined)).toBeUndefined();
});
