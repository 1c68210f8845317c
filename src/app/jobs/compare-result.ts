import { PhotoGone } from '../../adapters/adapter.ts';
import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { type FairBudget, withSlot } from '../../base/limits/fair-budget.ts';
import { cardTitle, drawCompared, photoOf } from '../../cards/card.ts';
import { isOpenIn } from '../../command/desk/access/check-access.ts';
import type { Incoming } from '../../command/desk.ts';
import { UserError } from '../../command/errors.ts';
import { personKey, turnKey } from '../../command/place.ts';
import { jobAudience, note, type Reply } from '../../command/reply.ts';
import { inlineJpeg } from '../../command/view.ts';
import type { SavedFaces } from '../../community/faces/saved-faces.ts';
import type { GenerationOutput } from '../../generation-client/result/status-report.ts';
import { compare } from '../../media/compare.ts';
import type { DoneJob, Job } from '../../orchestrator/job/job.ts';
import type { Decoder } from '../../picture/decoder.ts';
import { PictureRefused } from '../../picture/structure.ts';
import type { Words } from '../../words/words.ts';
import type { UsePhoto } from '../photos/use-photo.ts';

/** `away`: the service does not answer. Undefined: it no longer has it. */
export type FetchOutput = (job: DoneJob) => Promise<GenerationOutput | 'away' | undefined>;

/** The longest that fetching the photo may take. */
const FETCH_MS = 60_000;

export interface CompareDependencies {
  readonly usePhoto: UsePhoto;
  readonly decoder: Decoder;
  readonly clock: Clock;
  readonly faces: Pick<SavedFaces, 'use'> | undefined;
  /** Whether the result gets the visible mark. */
  readonly hasMark: boolean;
}

/** The photo and the result side by side: both are fetched again, and nothing is spent. */
export function createCompare(parts: CompareDependencies, refetches: FairBudget, fetchOutput: FetchOutput) {
  const { usePhoto, decoder, clock, faces, hasMark } = parts;
  /** Jobs: a press while the picture is being made makes no second one. */
  const comparing = new Set<string>();

  /** Undefined: it no longer exists. */
  const usePhotoOrFace = async <T>(
    photo: NonNullable<ReturnType<typeof photoOf>>,
    job: DoneJob,
    person: string,
    use: (bytes: Uint8Array) => Promise<T>,
  ): Promise<T | undefined> => {
    if (photo.from === 'face') {
      // Another face may have been saved under that name since.
      const bytes = await faces?.use(personKey(job.caller), photo.name, job.createdAt);
      return bytes && use(bytes);
    }
    const late = new AbortController();
    const cancel = clock.after(FETCH_MS, () => late.abort(new Error('The photo took too long.')));
    try {
      return await usePhoto(photo, person, late.signal, (bytes) => {
        cancel();
        return use(bytes);
      });
    } catch (error) {
      cancel();
      if (error instanceof PhotoGone || error instanceof UserError) return undefined;
      throw error;
    }
  };

  const draw = async (job: DoneJob, { place, caller }: Incoming, words: Words): Promise<Reply> => {
    const ref = photoOf(job);
    const output = ref && (await fetchOutput(job));
    if (output === 'away') return note(words.communityErrors['service-unavailable']);
    if (ref === undefined || output?.kind !== 'image') return note(words.press.noResult);
    const { before, after, alt, photoGone } = words.compare;
    const made = await usePhotoOrFace(ref, job, turnKey(caller), (bytes) =>
      compare(
        { bytes, label: before, ...('ref' in ref && defined({ part: ref.part })) },
        { bytes: output.bytes, label: after },
        hasMark,
        { decoder, person: turnKey(caller) },
      ).catch((error: unknown) => {
        if (error instanceof PictureRefused) return 'refused' as const;
        throw error;
      }),
    );
    if (made === undefined) return note(photoGone);
    if (made === 'refused') return note(words.press.noResult);
    const view = drawCompared(job, words, {
      ...inlineJpeg(`darkroom-${job.id}-before-after.jpg`, alt(cardTitle(job, words)), made),
      spoiler: ref.spoiler ?? false,
      showsPhoto: true,
    });
    const { community, channel } = job.place;
    // Only its owner has seen a saved face, also where the result is open to everybody.
    const isOpen = ref.from !== 'face' && isOpenIn({ private: job.private, community, channel }, place);
    return { kind: 'result', job: job.id, view, audience: jobAudience(!isOpen) };
  };

  return async (job: Job, incoming: Incoming, words: Words): Promise<Reply> => {
    if (job.state !== 'done') return note(words.press.noResult);
    if (comparing.has(job.id)) return note(words.compare.busy);
    comparing.add(job.id);
    try {
      return await withSlot(refetches, turnKey(incoming.caller), () => draw(job, incoming, words));
    } finally {
      comparing.delete(job.id);
    }
  };
}
