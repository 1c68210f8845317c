import { z } from 'zod';
import { DAY_MS, isWithin, MINUTE_MS } from '../../base/clock.ts';
import type { Records } from '../../base/keyv/records.ts';
import { HASH_TEXT_SHAPE } from '../hash/perceptual-hash.ts';
import {
  afterNotice,
  type Crowded,
  EMPTY_LIST,
  type RequestList,
  type RequestNotice,
  requestListShape,
  takeNotices,
  withoutRequest,
  withRequest,
  withTry,
} from './request-list.ts';

/** How long a request is kept. */
const LIFE_MS = 365 * DAY_MS;
/** A request that is listed but was not stored by then never will be: its process has died. */
const STORED_WITHIN_MS = 10 * MINUTE_MS;

export const MOST_REQUEST_LETTERS = { link: 500, contact: 200, about: 1_000, reason: 400 } as const;

const DECIDED = ['removed', 'refused', 'nothing'] as const;
/** `nothing`: there is no such result, or not any more. */
export type RequestOutcome = (typeof DECIDED)[number];

const pictureShape = z.object({
  /** SHA-256 of the file, as it is stored with a result. */
  file: z.string().max(50),
  /** Absent for a picture with so little contrast that it could be any other one. */
  hashes: z.tuple([z.string().regex(HASH_TEXT_SHAPE), z.string().regex(HASH_TEXT_SHAPE)]).exactOptional(),
});
/** What is kept of a picture that somebody sent: fingerprints of it and of its mirror image, never the picture. */
export type PictureFingerprints = Readonly<z.infer<typeof pictureShape>>;

const requestShape = z.object({
  at: z.number(),
  /** The requester's address, as a hash. */
  from: z.string().max(50),
  link: z.string().max(MOST_REQUEST_LETTERS.link).exactOptional(),
  picture: pictureShape.exactOptional(),
  contact: z.string().max(MOST_REQUEST_LETTERS.contact),
  about: z.string().max(MOST_REQUEST_LETTERS.about),
  decided: z
    .object({
      what: z.enum(DECIDED),
      at: z.number(),
      /** The owner who decided. */
      by: z.string(),
      /** What the requester reads, where it was refused. */
      reason: z.string().max(MOST_REQUEST_LETTERS.reason).exactOptional(),
    })
    .exactOptional(),
});
/** A request for removal by somebody who need not be in any chat. */
export type RemovalRequest = Readonly<z.infer<typeof requestShape>>;
export type OwnerDecision = Omit<NonNullable<RemovalRequest['decided']>, 'at'>;
export type StoredRequest = RemovalRequest & { readonly id: string };

const LIST = 'list';

/** Nobody's in any chat: a request is deleted by its number, or after a year. */
export const requestRecordRules = {
  isValid: (key: string, value: unknown): boolean =>
    (key === LIST ? requestListShape : requestShape).safeParse(value).success,
};

export type RequestRecords = ReturnType<typeof createRequestRecords>;

/** Keeps requests by their ids (`requestIdOf`), and the list that bounds them, for all processes together. */
export function createRequestRecords(records: Records, now: () => number) {
  const read = (stored: unknown): RemovalRequest | undefined => requestShape.safeParse(stored).data;
  const listIn = (stored: unknown): RequestList => requestListShape.safeParse(stored).data ?? EMPTY_LIST;
  const life = (stored: unknown): number => Math.max(0, (read(stored)?.at ?? 0) + LIFE_MS - now());
  const find = async (id: string): Promise<RemovalRequest | undefined> => read(await records.get(id));
  const changeList = async (change: (list: RequestList) => RequestList): Promise<void> =>
    void (await records.update<unknown>(LIST, (there) => change(listIn(there))));
  /** Changes the list where that is possible. */
  const tryToChange = async (
    change: (list: RequestList) => RequestList | Crowded,
  ): Promise<Crowded | undefined> => {
    let crowded: Crowded | undefined;
    await records.update<unknown>(LIST, (there) => {
      const after = change(listIn(there));
      crowded = typeof after === 'string' ? after : undefined;
      return typeof after === 'string' ? undefined : after;
    });
    return crowded;
  };
  const foundOf = async (ids: readonly string[]): Promise<readonly StoredRequest[]> => {
    const found: StoredRequest[] = [];
    for (const id of ids) {
      const request = await find(id);
      if (request !== undefined) found.push({ ...request, id });
    }
    return found;
  };

  return {
    find,
    /** Counts a form that was sent from this address; says why no more are accepted now. */
    admit: (from: string): Promise<Crowded | undefined> => tryToChange((list) => withTry(list, from, now())),
    /** Stores a request, unless there is no room for it any more. */
    async add(id: string, request: RemovalRequest): Promise<Crowded | undefined> {
      const { at, from } = request;
      const crowded = await tryToChange((list) => withRequest(list, { id, from, at }));
      if (crowded === undefined) await records.set(id, request, LIFE_MS);
      return crowded;
    },
    /** Requests that are open, the oldest first, and the latest that were decided. */
    async all() {
      const { open, closed } = listIn(await records.get(LIST));
      const listed = await foundOf(open.map(({ id }) => id));
      return { open: listed.filter(({ decided }) => decided === undefined), closed: await foundOf(closed) };
    },
    /** Stores a decision, once: the request as it is then. A request is still removed after it was. */
    async decide(id: string, decision: OwnerDecision): Promise<RemovalRequest | undefined> {
      const stored = await records.update<unknown>(
        id,
        (there) => {
          const request = read(there);
          if (request === undefined || request.decided !== undefined) return undefined;
          return { ...request, decided: { ...decision, at: now() } };
        },
        life,
      );
      // If the process dies here, `repair` finds it.
      if (stored !== undefined) await changeList((list) => withoutRequest(list, id, true));
      return read(stored);
    },
    async delete(id: string): Promise<void> {
      await records.delete(id);
      await changeList((list) => withoutRequest(list, id, false));
    },
    /** The notices that are due; from then on they count as sent. */
    async takeNotices(): Promise<readonly RequestNotice[]> {
      const known = listIn(await records.get(LIST));
      if (takeNotices(known, now()).due.length === 0) return [];
      let taken: readonly RequestNotice[] = [];
      await changeList((list) => {
        const { after, due } = takeNotices(list, now());
        taken = due;
        return after;
      });
      return taken;
    },
    afterNotice: (id: string, isUnsent: boolean): Promise<void> =>
      changeList((list) => afterNotice(list, id, isUnsent)),
    /** Puts right what processes have left that died between two writes, and a list that was damaged. */
    async repair(): Promise<void> {
      const requests = new Map<string, RemovalRequest>();
      for await (const [id, stored] of records.iterator()) {
        const request = id === LIST ? undefined : read(stored);
        if (request !== undefined) requests.set(id, request);
      }
      await changeList((list) => {
        const listed = new Set([...list.open.map(({ id }) => id), ...list.closed]);
        const open = list.open.filter(({ id, at }) => {
          const request = requests.get(id);
          return request === undefined
            ? isWithin(STORED_WITHIN_MS, at, now())
            : request.decided === undefined;
        });
        const missed = [...requests].flatMap(([id, { at, from, decided }]) =>
          decided === undefined && !listed.has(id) ? [{ id, from, at, reminded: 0 }] : [],
        );
        return { ...list, open: [...open, ...missed].toSorted((a, b) => a.at - b.at) };
      });
    },
  };
}
