import { MINUTE_MS } from '../../base/clock.ts';
import type { Records } from '../../base/keyv/records.ts';
import { type FairBudget, withSlot } from '../../base/limits/fair-budget.ts';
import { DownloadMissing, DownloadRefused, type Downloads } from '../../base/network/download.ts';
import { pictureType } from '../../base/picture-type.ts';
import { cardTitle, drawFile } from '../../cards/card.ts';
import { isOpenIn } from '../../command/desk/access/check-access.ts';
import type { Incoming } from '../../command/desk.ts';
import { personKey, turnKey } from '../../command/place.ts';
import { jobAudience, note, type Reply } from '../../command/reply.ts';
import { photosOf } from '../../command/request.ts';
import type { Media } from '../../command/view.ts';
import type { GenerationOutput } from '../../generation-client/result/status-report.ts';
import { tagFile } from '../../media/provenance/tag-file.ts';
import { TAG_BYTES } from '../../media/provenance/xmp.ts';
import { isDeclaredVideo, videoType } from '../../media/sniff.ts';
import type { DoneJob, Job } from '../../orchestrator/job/job.ts';
import { inspectPicture } from '../../picture/inspect.ts';
import { PictureRefused } from '../../picture/structure.ts';
import { megabytes } from '../../words/size.ts';
import type { Words } from '../../words/words.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import type { FetchOutput } from './compare-result.ts';

const MAX_PIXELS = 100_000_000;
/** A press that is repeated within this time sends no second file. */
const REPEATED_MS = MINUTE_MS;
const EXTENSIONS = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const;

/** Tells the store whose each record is, so that it is deleted with that person's data, and whether it is valid. */
export const sentFileRecordRules = {
  ownerOf: (_: string, value: unknown): string | undefined => ownerIn(value),
  isValid: (_: string, value: unknown): boolean => ownerIn(value) !== undefined,
};

const ownerIn = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && 'owner' in value && typeof value.owner === 'string'
    ? value.owner
    : undefined;

export interface SendFileDependencies {
  readonly platforms: Pick<PlatformRegistry, 'of'>;
  readonly downloads: Pick<Downloads, 'get' | 'mayLink'>;
  /** Who was just sent the file of which job. */
  readonly sentFiles: Pick<Records, 'update' | 'delete'>;
}

/** A file that does not fit. `bytes`: undefined where the service does not say it; `url`: where the service offers it. */
interface TooLarge {
  readonly tooLarge: true;
  readonly bytes: number | undefined;
  readonly url?: string;
}

/**
 * Sends the picture or video of a job as the service made it: not encoded anew, without the visible mark, with XMP alone. It is fetched
 * again, for nothing, as long as the service keeps it.
 */
export function createSendFile(parts: SendFileDependencies, refetches: FairBudget, fetchOutput: FetchOutput) {
  const { platforms, downloads, sentFiles } = parts;

  const pictureFile = (job: DoneJob, given: Uint8Array, words: Words): Media | undefined => {
    const type = pictureType(given);
    if (type === undefined) return undefined;
    const bytes = tagFile(given);
    const { width, height, isAnimated } = inspectPicture(bytes, MAX_PIXELS);
    // The content check has seen its first frame alone.
    if (isAnimated) return undefined;
    return { kind: 'image', ...named(job, EXTENSIONS[type], words), bytes, type, width, height };
  };

  const videoFile = async (
    job: DoneJob,
    url: string,
    most: number,
    words: Words,
  ): Promise<Media | TooLarge | undefined> => {
    if (!downloads.mayLink(url)) return undefined;
    let announced: number | undefined;
    const got = await downloads.get(url, {
      maxBytes: most - TAG_BYTES,
      tooLarge: (bytes) => {
        announced = bytes;
      },
    });
    if (got === 'too-large') return { tooLarge: true, bytes: announced, url };
    const type = videoType(got.bytes);
    if (type === undefined && !isDeclaredVideo(got.bytes, got.type, url)) return undefined;
    const extension = type === 'video/webm' ? 'webm' : 'mp4';
    const file = { ...named(job, extension, words), bytes: tagFile(got.bytes), type: type ?? 'video/mp4' };
    return { kind: 'video', ...file };
  };

  /** Undefined: it cannot be read. */
  const fileOf = async (
    job: DoneJob,
    output: GenerationOutput,
    most: number,
    words: Words,
  ): Promise<Media | TooLarge | undefined> => {
    if (output.kind !== 'image') return videoFile(job, output.url, most, words);
    const file = pictureFile(job, output.bytes, words);
    if (file === undefined || file.kind === 'link' || file.bytes.byteLength <= most) return file;
    return { tooLarge: true, bytes: file.bytes.byteLength };
  };

  const tooLarge = (job: DoneJob, { bytes, url }: TooLarge, most: number, words: Words): Reply => {
    const { language } = words;
    const text = words.file.tooLarge(
      bytes === undefined ? undefined : megabytes(bytes, language),
      megabytes(most, language),
    );
    if (url === undefined) return note(text);
    const title = cardTitle(job, words);
    const media = { kind: 'link', url, label: title } as const;
    const view = { tone: 'info', title, lines: [text, words.card.aiGenerated], media } as const;
    return { kind: 'result', job: job.id, audience: 'caller', view };
  };

  const fetched = async (job: DoneJob, { place, answer }: Incoming, words: Words): Promise<Reply> => {
    const output = await fetchOutput(job);
    if (output === 'away') return note(words.communityErrors['service-unavailable']);
    const most = platforms.of(place.platform)?.limits(answer).fileBytes;
    const file = output && most && (await fileOf(job, output, most, words));
    if (!file || most === undefined) return note(words.press.noResult);
    if ('tooLarge' in file) return tooLarge(job, file, most, words);
    const { community, channel } = job.place;
    const isOpen = isOpenIn({ private: job.private, community, channel }, place);
    return { kind: 'result', job: job.id, audience: jobAudience(!isOpen), view: drawFile(job, words, file) };
  };

  return async (job: Job, incoming: Incoming, words: Words): Promise<Reply> => {
    const person = personKey(incoming.caller);
    // A private result is for its requester alone; one that is held, or was taken away, is sent to nobody.
    const isForThem = !job.private || personKey(job.caller) === person;
    if (job.state !== 'done' || !isForThem) return note(words.press.noResult);
    const key = `${job.id} ${person}`;
    let isFirst = false;
    // Stored first: whichever process has the second press, and after a kill, no second file is sent.
    await sentFiles.update<{ readonly owner: string }>(
      key,
      (before) => {
        isFirst = before === undefined;
        return isFirst ? { owner: person } : undefined;
      },
      REPEATED_MS,
    );
    if (!isFirst) return note(words.file.justSent);
    const reply = await withSlot(refetches, turnKey(incoming.caller), () =>
      fetched(job, incoming, words),
    ).catch(async (error: unknown) => {
      await sentFiles.delete(key);
      if (
        error instanceof DownloadMissing ||
        error instanceof DownloadRefused ||
        error instanceof PictureRefused
      )
        return note(words.press.noResult);
      return note(words.communityErrors['service-unavailable']);
    });
    if (reply.kind === 'note') await sentFiles.delete(key);
    return reply;
  };
}

function named(job: DoneJob, extension: string, words: Words) {
  return {
    name: `darkroom-${job.id}.${extension}`,
    as: 'file',
    alt: words.card.resultAlt(cardTitle(job, words)),
    spoiler: photosOf(job.request).some(({ spoiler }) => spoiler === true),
  } as const;
}
