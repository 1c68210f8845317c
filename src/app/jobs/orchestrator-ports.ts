import { PhotoGone } from '../../adapters/adapter.ts';
import { type Clock, withTimeout } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { createFairBudget, withSlot } from '../../base/limits/fair-budget.ts';
import { DownloadMissing, DownloadRefused, type Downloads } from '../../base/network/download.ts';
import { TooSlow } from '../../base/network/read-body.ts';
import { cardTitle, drawCard, drawReplacementCard, drawSentElsewhere } from '../../cards/card.ts';
import type { CommunityGate } from '../../command/community-gate.ts';
import { UserError } from '../../command/errors.ts';
import type { SentPhoto } from '../../command/photo.ts';
import { type CardRef, personKey, turnKey } from '../../command/place.ts';
import type { DrawOutcome } from '../../command/reply.ts';
import { filterOf, isForMinor, photosOf, textsOf } from '../../command/request.ts';
import type { Media } from '../../command/view.ts';
import type { Aliases } from '../../community/aliases/aliases.ts';
import { CommunityError, type CommunityErrorReason } from '../../community/community-error.ts';
import { MOST_FACE_BYTES, type SavedFaces } from '../../community/faces/saved-faces.ts';
import type { GenerationOutput } from '../../generation-client/result/status-report.ts';
import { outputOf } from '../../kinds/kinds.ts';
import type { CheckedPhotos } from '../../media/checked-photos.ts';
import { cleanPhoto, MAX_PHOTO_BYTES, PhotoRejected } from '../../media/photo.ts';
import { fitPicture, fitVideo, linkTo } from '../../media/result.ts';
import { JobFailure } from '../../orchestrator/job/failure.ts';
import { type Failure, isFinal, isOfFurtherPhoto, type Job } from '../../orchestrator/job/job.ts';
import type { DrawnResult, JobPhoto, OrchestratorPorts, Reserve } from '../../orchestrator/steps/effects.ts';
import type { Decoder } from '../../picture/decoder.ts';
import { PictureRefused } from '../../picture/structure.ts';
import type { BlockedPhotos } from '../../safety/blocked-photos/blocked-photos.ts';
import type { CompareWithBlocked } from '../../safety/blocked-photos/compare-with-blocked.ts';
import type { ContentCheck } from '../../safety/content/check.ts';
import type { HashResult } from '../../safety/hash/hash-result.ts';
import { hashOfText } from '../../safety/hash/perceptual-hash.ts';
import { wordsFor } from '../../words/words.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';

export interface OrchestratorPortsDependencies {
  readonly gate: Pick<CommunityGate, 'refusal'>;
  readonly faces: Pick<SavedFaces, 'use'> | undefined;
  readonly platforms: PlatformRegistry;
  readonly decoder: Decoder;
  readonly clock: Clock;
  /** Photos that the face check has just fetched. */
  readonly checkedPhotos: Pick<CheckedPhotos, 'take'>;
  /** Undefined: switched off. */
  readonly contentCheck: ContentCheck | undefined;
  readonly acceptsMinors: boolean;
  readonly aliases: Pick<Aliases, 'use'>;
  readonly fitResult: FitResult;
  /**
   * The picture of this job as the service made it, without the visible mark, in at most so many bytes; undefined: the service has none, or
   * pictures get no mark. `reserve` is waited for before it is read.
   */
  readonly unmarked: (
    job: string,
    maxBytes: number,
    signal: AbortSignal,
    reserve: Reserve,
  ) => Promise<Uint8Array | undefined>;
  /** Whether the result of this job was removed, and its photos are still refused. */
  readonly isRemoved: (job: string) => Promise<boolean>;
  readonly hashResult: HashResult;
  readonly compareWithBlocked: CompareWithBlocked;
  readonly blockedPhotos: Pick<BlockedPhotos, 'has'>;
  /** The platform will never show this end of a job. */
  readonly refused: (job: Job, reason: string) => void;
  /** An alias could not be used: notifies the moderators. */
  readonly aliasBroken: (job: Job, name: string, reason: CommunityErrorReason) => void;
}

/** Concurrent fetches of results. Retries have their own limit, so that they do not delay first fetches. */
const FIRST_FETCHES = { total: 64, perPerson: 3 };
const LATER_FETCHES = { total: 8, perPerson: 1 };
/** Enough for a large video on a slow connection. */
const UPLOAD_MS = 180_000;

export type FitResult = ReturnType<typeof createFitResult>;

/**
 * The result as the job's platform can carry it. `hasMark`: pictures get the visible mark. `reserve` is waited for before a
 * large one is read.
 */
export function createFitResult(
  platforms: PlatformRegistry,
  downloads: Downloads,
  decoder: Decoder,
  hasMark: boolean,
) {
  return async (job: Job, output: GenerationOutput, reserve?: Reserve): Promise<Media | 'unusable'> => {
    const room = platforms.of(job.place.platform)?.limits(job.card);
    if (room === undefined) return 'unusable';
    const words = wordsFor(job.caller.locale);
    const title = cardTitle(job, words);
    const options = {
      name: `darkroom-${job.id}`,
      alt: words.card.resultAlt(title),
      spoiler: photosOf(job.request).some(({ spoiler }) => spoiler === true),
      linkLabel: title,
      isPlain: (job.refusals ?? 0) > 0,
      hasMark,
    };
    if (output.kind === 'image')
      return fitPicture(output.bytes, room, options, { decoder, person: turnKey(job.caller) });
    const { uploadCopies = 0 } = room;
    // The marked copy is made while the download is in memory, which is free again before an upload.
    const withCopies = reserve && ((bytes: number) => reserve(bytes * (1 + Math.max(1, uploadCopies))));
    return fitVideo(output.url, room, options, downloads, withCopies).catch((error: unknown) => {
      if (isSlow(error) && (job.fetches ?? 0) + 1 >= MOST_SLOW_FETCHES) return linkTo(output.url, options);
      throw error;
    });
  };
}

/** The ports through which the orchestrator asks communities, photos and platforms. */
export function createOrchestratorPorts(
  parts: OrchestratorPortsDependencies,
): Pick<
  OrchestratorPorts,
  'admit' | 'resolve' | 'photo' | 'checkPhoto' | 'isBlocked' | 'isHeld' | 'draw' | 'findCard' | 'newCard'
> {
  const { aliases, checkedPhotos, contentCheck, platforms, fitResult, clock, decoder } = parts;
  const first = createFairBudget(FIRST_FETCHES);
  const later = createFairBudget(LATER_FETCHES);

  const fetched = async (job: Job, output: GenerationOutput, reserve?: Reserve) => {
    if (output.kind === 'image') return fitResult(job, output, reserve);
    return withSlot(job.fetches === undefined ? first : later, turnKey(job.caller), () =>
      fitResult(job, output, reserve).catch(notFetched(job)),
    );
  };

  const draw: OrchestratorPorts['draw'] = async (job, jobStatus, importance, output, reserve) => {
    const { card } = job;
    if (card === undefined) return { state: 'gone' };
    const media = output && (await fetched(job, output, reserve));
    if (media === 'unusable') throw new JobFailure({ code: 'result-unusable' });
    if (media !== undefined && 'state' in media) return media;
    const words = wordsFor(job.caller.locale);
    const notHere = drawSentElsewhere(job, words);
    if (job.formerCard?.ref === card.ref && job.state !== 'failed')
      return withTimeout(clock, UPLOAD_MS, () => platforms.draw(card, notHere, importance));
    const kept = importance === 'cosmetic' ? 'kept' : undefined;
    const view = drawCard(job, jobStatus, words, media ?? kept);
    const lines = job.moved ? [words.notes.elsewhere, ...view.lines] : view.lines;
    const [drawn, hashes] = await Promise.all([
      withTimeout(clock, UPLOAD_MS, () => platforms.draw(card, { ...view, lines }, importance)),
      media && parts.hashResult(media, turnKey(job.caller)),
    ]);
    if (drawn.state === 'refused') parts.refused(job, drawn.reason);
    if (drawn.state === 'gone' && drawn.messageRemains && media !== undefined) {
      // Only informs, so a failure is ignored.
      await platforms.draw(card, notHere, importance).catch(() => undefined);
    }
    return drawn.state === 'drawn' ? { ...drawn, ...defined({ hashes }) } : drawn;
  };

  /** The photo for the service, unless nobody can use it. `whole`: what it was cut from. */
  const screened = async (
    bytes: Uint8Array,
    job: Job,
    signal: AbortSignal,
    whole?: Uint8Array,
  ): Promise<JobPhoto> => {
    const pictures = whole === undefined ? [bytes] : [whole, bytes];
    const { hashes, isBlocked, isBlockedNow } = await parts
      .compareWithBlocked(pictures, turnKey(job.caller), signal)
      .catch((error: unknown) => {
        if (!(error instanceof PictureRefused)) throw error;
        throw new JobFailure(rejection(new PhotoRejected(error.reason)));
      });
    if (isBlocked) throw new JobFailure({ code: 'photo-blocked' });
    return { image: { bytes, type: 'image/jpeg' }, hashes, isBlockedNow };
  };

  /** Chats may keep the file of a removed result: the one who pressed a button before may have a question about it open, or another job of it. */
  const isOfRemoved = async ({ isResult, job }: SentPhoto): Promise<boolean> =>
    isResult === true && job !== undefined && (await parts.isRemoved(job));

  /** The result of a job as the photo of another one. Its hashes are not stored: results of one scene are so alike that the hash of one would block others. */
  const asResult = (photo: JobPhoto, ref: SentPhoto): JobPhoto => ({
    ...photo,
    hashes: [],
    isBlockedNow: async () => (await isOfRemoved(ref)) || (await photo.isBlockedNow?.()) === true,
  });

  /** A result without the visible mark, as a photo for the service; undefined: only the marked one of the chat is there. */
  const unmarkedPhoto = async (
    ref: SentPhoto,
    job: Job,
    signal: AbortSignal,
    reserve: Reserve,
  ): Promise<Uint8Array | undefined> => {
    if (ref.isResult === undefined || ref.job === undefined) return undefined;
    const bytes = await parts.unmarked(ref.job, MAX_PHOTO_BYTES, signal, reserve);
    if (bytes === undefined) return undefined;
    try {
      return (await cleanPhoto(bytes, decoder, turnKey(job.caller), signal)).bytes;
    } catch (error) {
      // A picture that is too large for a photo may have a smaller copy in the chat.
      if (error instanceof PhotoRejected) return undefined;
      throw error;
    }
  };

  return {
    /** The community's rules may have changed while the job waited. */
    async admit({ caller, place, request }) {
      if (!parts.acceptsMinors && isForMinor(request)) throw new JobFailure({ code: 'no-minors' });
      const refused = await parts.gate.refusal(caller, place, textsOf(request));
      if (refused === undefined) return;
      const detail = refused.code === 'paused' ? refused.pause.reason : '';
      throw new JobFailure({ code: refused.code, ...(detail === '' ? {} : { detail }) });
    },
    async resolve(choice, job) {
      const filter = filterOf(job.request);
      if (choice.by !== 'alias' || filter === undefined) return choice.id;
      try {
        return await aliases.use(choice.id, choice.name, filter.model);
      } catch (error) {
        if (!(error instanceof CommunityError)) throw error;
        parts.aliasBroken(job, choice.name, error.reason);
        const code = error.reason.code === 'wrong-model' ? 'alias-mismatch' : 'alias-gone';
        throw new JobFailure({ code, detail: choice.name });
      }
    },
    async photo(ref, job, signal, reserve) {
      if (ref.from === 'link') return { image: { url: ref.url }, hashes: [] };
      if (ref.from === 'face') {
        await reserve(MOST_FACE_BYTES);
        const bytes = await parts.faces?.use(personKey(job.caller), ref.name);
        if (bytes === undefined) throw new JobFailure({ code: 'photo-unavailable' });
        return screened(bytes, job, signal);
      }
      const adapter = platforms.of(ref.from);
      if (adapter === undefined) throw new JobFailure({ code: 'photo-unavailable' });
      if (await isOfRemoved(ref)) throw new JobFailure({ code: 'photo-blocked' });
      try {
        const own = await unmarkedPhoto(ref, job, signal, reserve);
        if (own !== undefined) return asResult(await screened(own, job, signal), ref);
        const checked = await checkedPhotos.take(job.caller, ref, reserve);
        if (checked?.clean !== undefined && ref.part === undefined && !ref.isResult)
          return await screened(checked.clean, job, signal);
        const bytes = checked?.bytes ?? (await adapter.photo(ref, MAX_PHOTO_BYTES, signal, reserve));
        const { part } = ref;
        const clean = await cleanPhoto(bytes, decoder, turnKey(job.caller), signal, defined({ part }));
        const photo = await screened(clean.bytes, job, signal, part && bytes);
        return ref.isResult ? asResult(photo, ref) : photo;
      } catch (error) {
        if (error instanceof PhotoGone) throw new JobFailure({ code: 'photo-unavailable' });
        if (error instanceof PhotoRejected) throw new JobFailure(rejection(error));
        // The adapter's message is in English; the card uses the person's language.
        if (error instanceof UserError) throw new JobFailure({ code: 'photo-invalid' });
        throw error;
      }
    },
    async checkPhoto(photo, { caller, request }) {
      if (contentCheck === undefined) return;
      if ('url' in photo) {
        // The bot fetches no link. Of a picture the result is looked at, of a video nothing would be.
        if (outputOf(request.kind) === 'video') throw new JobFailure({ code: 'photo-unseen' });
        return;
      }
      const isIntimate = await contentCheck
        .isIntimate(photo.bytes, turnKey(caller))
        .catch((error: unknown) => {
          throw error instanceof PictureRefused ? new JobFailure({ code: 'photo-invalid' }) : error;
        });
      if (!isIntimate) return;
      contentCheck.counted('photo-refused');
      throw new JobFailure({ code: 'photo-content' });
    },
    async isBlocked({ request, photoHashes = [] }) {
      for (const photo of photosOf(request)) if ('ref' in photo && (await isOfRemoved(photo))) return true;
      if (photoHashes.length === 0) return false;
      // The hash of the mirror image is not stored with a job.
      const hashes = photoHashes.map(hashOfText);
      return parts.blockedPhotos.has(hashes.map((hash) => ({ hash, mirrored: hash })));
    },
    async isHeld(output, { caller }) {
      // A video is judged by its photos.
      if (contentCheck === undefined || output.kind !== 'image') return false;
      const isHeld = await contentCheck.isIntimate(output.bytes, turnKey(caller)).catch((error: unknown) => {
        throw error instanceof PictureRefused ? new JobFailure({ code: 'result-unusable' }) : error;
      });
      if (isHeld) contentCheck.counted('held');
      return isHeld;
    },
    draw,
    async findCard(answer, job) {
      if (!isOfFurtherPhoto(job)) return platforms.of(answer.platform)?.find?.(answer, job.id);
      if (isFinal(job.state)) return undefined;
      // It may have been sent: sent once more, it is the same message where that is possible.
      const { caller, place } = job;
      const view = drawCard(job, {}, wordsFor(caller.locale));
      const here = job.private ? undefined : await platforms.say({ place }, view, { caller, job: job.id });
      const isImpossible = here === undefined || here.state === 'gone' || here.state === 'refused';
      return cardOf(isImpossible ? await platforms.say({ caller }, view) : here);
    },
    async newCard(job) {
      const view = drawReplacementCard(job, wordsFor(job.caller.locale));
      return cardOf(await platforms.say({ caller: job.caller }, view));
    },
  };
}

/** The card that was sent; undefined: that is not possible. */
function cardOf(said: DrawOutcome): CardRef | undefined {
  if (said.state === 'later') throw new Error('The message has to wait.');
  return said.state === 'drawn' ? said.card : undefined;
}

/** Not translated: figures are the same in all languages. */
const DETAILS: Partial<Record<PhotoRejected['reason'], string>> = { bytes: '> 20 MB', pixels: '> 40 MP' };

function rejection({ reason, format = DETAILS[reason] }: PhotoRejected): Failure {
  return {
    code: reason === 'too-complex' ? 'photo-too-complex' : 'photo-invalid',
    ...defined({ detail: format }),
  };
}

/** After so many tries a missing result counts as lost. */
const MOST_MISSES = 8;
/** About half an hour of failures; then the job fails and is not charged. */
const MOST_FAILURES = 20;
/** After so many slow fetches the person gets the link instead. */
const MOST_SLOW_FETCHES = 3;

const TIMEOUTS: readonly unknown[] = [
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
];

const isSlow = (error: unknown): boolean =>
  error instanceof TooSlow || (error instanceof Error && 'code' in error && TIMEOUTS.includes(error.code));

type Unfetched = Extract<DrawnResult, { state: 'unfetched' }>;

function notFetched({ fetches = 0 }: Job) {
  return (error: unknown): 'unusable' | Unfetched => {
    if (error instanceof DownloadRefused) return 'unusable';
    if (fetches + 1 >= (error instanceof DownloadMissing ? MOST_MISSES : MOST_FAILURES)) return 'unusable';
    return { state: 'unfetched', slow: isSlow(error) };
  };
}
