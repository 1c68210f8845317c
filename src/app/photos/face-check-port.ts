import { sharesOf } from '../../base/area.ts';
import { type Clock, withTimeout } from '../../base/clock.ts';
import { WorkerNotStarted } from '../../base/worker-pool.ts';
import type { Incoming } from '../../command/desk.ts';
import type { FaceCheckEvent, FaceCheckPort, FaceCheckResult } from '../../command/face-check-port.ts';
import { type SentPhoto, type WantedPeople, wrongPeople } from '../../command/photo.ts';
import { turnKey } from '../../command/place.ts';
import { inlineJpeg, type Media } from '../../command/view.ts';
import type { FaceFinder } from '../../faces/finder.ts';
import { peopleIn } from '../../faces/people.ts';
import type { Log } from '../../log/log.ts';
import type { CheckedPhotos } from '../../media/checked-photos.ts';
import { cleanPhoto, LEAST_SIDE, MAX_PHOTO_PIXELS } from '../../media/photo.ts';
import type { Decoder } from '../../picture/decoder.ts';
import { inspectPicture } from '../../picture/inspect.ts';
import { layOut } from '../../previews/layout.ts';
import { MOST_TILES } from '../../previews/previews.ts';
import type { Words } from '../../words/words.ts';
import type { UsePhoto } from './use-photo.ts';

export interface FaceCheckDependencies {
  readonly usePhoto: UsePhoto;
  readonly decoder: Decoder;
  readonly clock: Clock;
  /** Undefined: photos are not checked. */
  readonly finder: Pick<FaceFinder, 'find' | 'warm' | 'isClosed'> | undefined;
  readonly checkedPhotos: Pick<CheckedPhotos, 'begin'>;
  readonly log: Pick<Log, 'debug' | 'warn'>;
  readonly counted: (event: FaceCheckEvent) => void;
}

/**
 * With fetching the photo, waiting for other people's photos and drawing the sheet. Ten times what it takes on a quiet machine: beside
 * other work it comes later, and is not left out.
 */
const LONGEST_MS = 15_000;
/** The size of the copy that the finder gets. */
const COPY = { longestSide: 1_600 };

function sizeOf(picture: Uint8Array) {
  const { width, height } = inspectPicture(picture, MAX_PHOTO_PIXELS);
  return { width, height, longest: Math.max(width, height) };
}

/** The check of a photo before credits are spent. One that fails or takes too long finds nothing wrong. Rejects while the program stops. */
export function createFaceCheckPort({
  finder,
  usePhoto,
  checkedPhotos,
  decoder,
  clock,
  log,
  counted,
}: FaceCheckDependencies) {
  return ({ caller }: Incoming, words: Words): FaceCheckPort => {
    const person = turnKey(caller);

    const check = async (
      photo: SentPhoto,
      wanted: WantedPeople,
      { find }: NonNullable<FaceCheckDependencies['finder']>,
      signal: AbortSignal,
    ): Promise<FaceCheckResult | undefined> => {
      const keep = checkedPhotos.begin(caller, photo);
      const { copy, scale } = await usePhoto(photo, person, signal, async (bytes) => {
        const { bytes: copy } = await cleanPhoto(bytes, decoder, person, signal, COPY);
        const { longest } = sizeOf(bytes);
        // The copy of a photo that is not larger is what the service gets.
        const clean = longest <= COPY.longestSide ? copy : undefined;
        keep({ bytes, clean });
        return { copy, scale: sizeOf(copy).longest / longest };
      });
      const faces = await find(copy, { person, signal, most: MOST_TILES });
      const found = peopleIn(faces, sizeOf(copy), LEAST_SIDE * scale);
      const people = found.map(({ cut }) => cut);
      const wrong = wrongPeople(wanted === 'several' ? faces.length : people.length, wanted);
      if (wrong !== 'several') return wrong && { wrong, people };
      const composition = layOut(
        found.map(({ portrait }, index) => ({
          label: String(index + 1),
          name: '',
          picture: copy,
          part: portrait,
        })),
      );
      const { width, height } = composition;
      const bytes = await decoder.compose(composition, person, signal);
      const sheet: Media = {
        ...inlineJpeg('faces.jpg', words.faceCheck.alt(people.length), { bytes, width, height }),
        spoiler: photo.spoiler ?? false,
        showsPhoto: true,
      };
      return { wrong, people, sheet, spots: composition.pictures.map((each) => sharesOf(each, composition)) };
    };

    return {
      isOn: finder !== undefined,
      async check(photo, wanted) {
        if (finder === undefined || !('ref' in photo) || photo.part !== undefined) return undefined;
        if (!finder.warm()) return undefined;
        try {
          const result = await withTimeout(clock, LONGEST_MS, (signal) =>
            check(photo, wanted, finder, signal),
          );
          if (result !== undefined) counted(result.wrong);
          return result;
        } catch (error) {
          // The program stops: no credits are spent without the check, and nothing was done yet.
          if (finder.isClosed || decoder.isClosed) throw error;
          if (error instanceof WorkerNotStarted)
            log.warn({ err: error }, 'photos are not checked for faces now; `npm run doctor` may tell why');
          else log.debug({ err: error }, 'a photo could not be checked for faces');
          return undefined;
        }
      },
      count: counted,
      prepare: () => void finder?.warm(),
    };
  };
}
