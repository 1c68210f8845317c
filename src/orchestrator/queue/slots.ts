import type { Credentials } from '../job/job-kinds.ts';
import { createFairQueue, type FairQueue } from './fair-queue.ts';

/** How many jobs run at once, for each person and in all, and who of those waiting is next. */
export interface Slots {
  /**
   * Stands in line until `next` hands it out. `rested`: before the person's others; one that still has its room comes
   * straight back, to its old place.
   */
  wait(id: string, person: string, credentials: Credentials, rested?: boolean): void;
  /**
   * Hands out the next job for which there is room, and takes the room for it. To try the service out, that is the
   * next of those that have come back least often: a job that can never pass does not keep all others from trying.
   */
  next(way: (credentials: Credentials) => GateState): Slot | undefined;
  /** The submission of a job that `next` handed out has ended, whatever has become of the job meanwhile. */
  submitted(turn: Slot): void;
  /** Takes room for a job that runs already: after a restart. */
  resume(id: string, person: string): void;
  /** Gives the room back and leaves the line; harmless when there is none. */
  release(id: string): void;
  /** 1 is next. `waitMs`: a guess from how long jobs have kept their room lately. */
  place(id: string): { readonly position: number; readonly waitMs: number } | undefined;
  /** The place of a job that would stand in line now; undefined when it would start at once. */
  expected(person: string, credentials: Credentials): ReturnType<Slots['place']>;
  waiting(): Iterable<string>;
  counts(): { readonly waiting: number; readonly running: number; readonly people: number };
}

export interface Slot {
  readonly id: string;
  readonly person: string;
  readonly credentials: Credentials;
}

/** How things stand with one half of the service. */
export type GateState = 'open' | 'to be tried' | 'shut';

export interface SlotsOptions {
  readonly perPerson: number;
  readonly inAll: number;
  readonly now: () => number;
}

interface Room {
  readonly person: string;
  readonly since: number;
  /** The turn it was given the room for; none when it had it before the start. */
  readonly turn?: number;
}

/** Before anything has finished: a picture takes some seconds. */
const FIRST_GUESS_MS = 15_000;
const MEMORY = 0.1;
/** What seems to have taken longer says more about the clock than about the service. */
const LONGEST_MS = 3_600_000;
/** Calls of cancelled jobs that a person may have under way beside those that run. */
const MOST_CANCELLED = 8;
/** Stands in line for a moment, to see where. */
const NOBODY = '';

export function createSlots({ perPerson, inAll, now }: SlotsOptions): Slots {
  const rooms = new Map<string, Room>();
  /** How often those under way have come straight back. */
  const returns = new Map<string, number>();
  /** Only of people who have something running: idle people cost nothing. */
  const running = new Map<string, number>();
  /** Submissions in hand. One that was cancelled has no room any more and is in hand until its call is answered. */
  const submitting = new Map<string, number>();
  let ticket = 0;
  let keptMs = FIRST_GUESS_MS;
  const isFull = (person: string): boolean =>
    (running.get(person) ?? 0) >= perPerson || (submitting.get(person) ?? 0) >= perPerson + MOST_CANCELLED;
  const newLine = (): FairQueue => createFairQueue(() => ++ticket, isFull);
  const lines: Record<Credentials, FairQueue> = { key: newLine(), token: newLine() };
  const both = [lines.key, lines.token];
  const owners = new Map<string, string>();

  const take = (id: string, person: string, turn?: number): void => {
    rooms.set(id, { person, since: now(), ...(turn === undefined ? {} : { turn }) });
    running.set(person, (running.get(person) ?? 0) + 1);
    if (isFull(person)) for (const line of both) line.suspend(person);
  };
  const leave = (id: string, unused = false): void => {
    const room = rooms.get(id);
    if (room === undefined) return;
    rooms.delete(id);
    const kept = now() - room.since;
    if (!unused && kept < LONGEST_MS) keptMs += MEMORY * (kept - keptMs);
    const left = (running.get(room.person) ?? 1) - 1;
    if (left > 0) running.set(room.person, left);
    else running.delete(room.person);
    if (!isFull(room.person)) for (const line of both) line.resume(room.person);
  };

  const place: Slots['place'] = (id) => {
    const standing = lines.key.find(id) ?? lines.token.find(id);
    if (standing === undefined) return undefined;
    const position = 1 + both.reduce((sum, line) => sum + line.before(standing), 0);
    const rounds = Math.max(position / inAll, (standing.depth + 1) / perPerson);
    return { position, waitMs: Math.ceil(rounds * Math.max(1_000, keptMs)) };
  };

  return {
    wait(id, person, credentials, rested = false) {
      const turn = rooms.get(id)?.turn;
      if (turn !== undefined) returns.set(id, (returns.get(id) ?? 0) + 1);
      leave(id, true);
      owners.set(id, person);
      lines[credentials].add(id, person, turn ?? (rested ? 'first' : 'last'));
    },
    next(way) {
      if (rooms.size >= inAll) return undefined;
      let chosen: Credentials | undefined;
      let earliest = Number.POSITIVE_INFINITY;
      for (const credentials of ['key', 'token'] as const) {
        const turn = lines[credentials].nextTurn();
        if (turn === undefined || turn >= earliest || way(credentials) === 'shut') continue;
        chosen = credentials;
        earliest = turn;
      }
      if (chosen === undefined) return undefined;
      const line = lines[chosen];
      const taken = way(chosen) === 'open' ? line.take() : line.take((id) => returns.get(id) ?? 0);
      const person = taken === undefined ? undefined : owners.get(taken.id);
      if (taken === undefined || person === undefined) return undefined;
      const { id, turn } = taken;
      owners.delete(id);
      submitting.set(person, (submitting.get(person) ?? 0) + 1);
      take(id, person, turn);
      return { id, person, credentials: chosen };
    },
    submitted({ person }) {
      const left = (submitting.get(person) ?? 1) - 1;
      if (left > 0) submitting.set(person, left);
      else submitting.delete(person);
      if (!isFull(person)) for (const line of both) line.resume(person);
    },
    resume(id, person) {
      if (!rooms.has(id)) take(id, person);
    },
    release(id) {
      owners.delete(id);
      returns.delete(id);
      for (const line of both) line.remove(id);
      leave(id);
    },
    place,
    expected(person, credentials) {
      if (rooms.size < inAll && !isFull(person)) return undefined;
      lines[credentials].add(NOBODY, person);
      const found = place(NOBODY);
      lines[credentials].remove(NOBODY);
      return found;
    },
    *waiting() {
      for (const line of both) yield* line.ids();
    },
    counts: () => ({ waiting: owners.size, running: rooms.size, people: running.size }),
  };
}
