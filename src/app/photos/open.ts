import type { Clock } from '../../base/clock.ts';
import { randomId } from '../../base/random-id.ts';
import type { SavedFace } from '../../command/faces-port.ts';
import type { ErasedMeanwhile } from '../../command/forgotten.ts';
import { type Caller, isSharedSpeaker, personKey } from '../../command/place.ts';
import { createSavedFaces, savedFaceRecordRules } from '../../community/faces/saved-faces.ts';
import type { Config } from '../../config/config.ts';
import type { FaceFinder } from '../../faces/finder.ts';
import type { Log } from '../../log/log.ts';
import { createCheckedPhotos } from '../../media/checked-photos.ts';
import type { Decoder } from '../../picture/decoder.ts';
import { createPreviews } from '../../previews/previews.ts';
import { blockedPhotoRecordRules, createBlockedPhotos } from '../../safety/blocked-photos/blocked-photos.ts';
import { createCompareWithBlocked } from '../../safety/blocked-photos/compare-with-blocked.ts';
import { createContentCheck } from '../../safety/content/check.ts';
import { createHashResult } from '../../safety/hash/hash-result.ts';
import { createPictureHasher } from '../../safety/hash/picture-hasher.ts';
import type { Store } from '../../store/tables/store.ts';
import type { Observer } from '../monitoring/observer.ts';
import type { Notices } from '../notices/open.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import type { ConnectedService } from '../service/connect-service.ts';
import { createFaceCheckPort } from './face-check-port.ts';
import { createFacesPort } from './faces-port.ts';
import { createUsePhoto } from './use-photo.ts';

export type Photos = ReturnType<typeof openPhotos>;

/** Photos of people, in saved faces and in the face check, and the previews of filters. */
export function openPhotos(parts: {
  readonly config: Config;
  readonly store: Pick<Store, 'keyv' | 'encrypts'>;
  readonly platforms: PlatformRegistry;
  readonly service: Pick<ConnectedService, 'access' | 'downloads'>;
  readonly decoder: Decoder;
  readonly finder: FaceFinder;
  readonly erasedMeanwhile: ErasedMeanwhile;
  readonly notices: Pick<Notices, 'audit' | 'tellOwners'>;
  readonly observer: Pick<Observer, 'faceChecked' | 'contentChecked'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly opened: AsyncDisposableStack;
}) {
  const { config, store, platforms, service, decoder, notices, clock, log } = parts;
  const { access, downloads } = service;
  const usePhoto = createUsePhoto(platforms);
  const checkedPhotos = createCheckedPhotos(clock);

  const hasher = createPictureHasher(decoder);
  const blockedPhotos = createBlockedPhotos(store.keyv('blocked-photos', blockedPhotoRecordRules), clock.now);
  const compareWithBlocked = createCompareWithBlocked(hasher, blockedPhotos);
  const contentCheck =
    config.contentCheck === 'on'
      ? createContentCheck({
          look: (picture, person) => parts.finder.content(picture, { person }),
          counted: parts.observer.contentChecked,
          cannotRun: () => notices.tellOwners('content-check'),
          isStopping: () => parts.finder.isClosed,
          log,
        })
      : undefined;

  // Photos are stored only where they are encrypted.
  const records = store.keyv('faces', savedFaceRecordRules);
  const faces = store.encrypts
    ? createSavedFaces({
        records,
        bytes: () => records.bytes(),
        onFull: () => notices.tellOwners('faces-full'),
        acceptsMinors: config.minors === 'allow',
        clock,
        newId: () => randomId(9),
      })
    : undefined;
  const facesPort = createFacesPort({
    faces,
    contentCheck,
    audit: notices.audit,
    decoder,
    clock,
    usePhoto,
    compareWithBlocked,
    erasedMeanwhile: parts.erasedMeanwhile,
  });

  const finder = config.faceCheck === 'on' ? parts.finder : undefined;
  const faceCheckPort = createFaceCheckPort({
    usePhoto,
    checkedPhotos,
    decoder,
    clock,
    log,
    finder,
    counted: parts.observer.faceChecked,
  });
  const previews = createPreviews({
    downloads,
    decoder,
    clock,
    log,
    hasMark: config.visibleMark,
    ...(access.embedded && { ownOrigin: access.url }),
  });
  parts.opened.defer(previews.close);

  return {
    usePhoto,
    checkedPhotos,
    hasher,
    blockedPhotos,
    compareWithBlocked,
    hashResult: createHashResult(hasher),
    /** Undefined: switched off. */
    contentCheck,
    /** Undefined: not switched on, because nothing is encrypted. */
    faces,
    facesPort,
    faceCheckPort,
    /** The faces that this person can use, the default first; none where they are not switched on. */
    async savedFaces(caller: Caller): Promise<readonly SavedFace[]> {
      const person = personKey(caller);
      return faces === undefined || isSharedSpeaker(person) ? [] : faces.usable(person);
    },
    previews,
  };
}
