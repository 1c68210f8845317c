import type { Credentials } from './family.ts';
import { createLine, type Line } from './line.ts';

/** How many jobs run at once, for each person and in all, and who of those waiting is next. */
export interface Limits {
  /** Stands in line until `next` hands it out. */
  wait(id: string, person: string, credentials: Credentials, first?: boolean): void;
  /** Hands out the next job for which there is room, and takes the room for it. */
  next(passable: (credentials: Credentials) => boolean): Turn | undefined;
  /** Takes room for a job that runs already: after a restart. */
  resume(id: string, person: string): void;
  /** Gives the room back and leaves the line; harmless when there is none. */
  release(id: string): void;
  /** 1 is next. `waitMs`: a guess from how long jobs have kept their room lately. */
  place(id: string): { readonly position: number; readonly waitMs: number } | undefined;
  waiting(): Iterable<string>;
  counts(): { readonly waiting: number; readonly running: number; readonly people: number };
}

export interface Turn {
  readonly id: string;
  readonly credentials: Credentials;
}

export interface LimitsOptions {
  readonly perPerson: number;
  readonly inAll: number;
  readonly now: () => number;
}

/** Before anything has finished: a picture takes some seconds. */
const FIRST_GUESS_MS = 15_000;
const MEMORY = 0.1;

export function createLimits({ perPerson, inAll, now }: LimitsOptions): Limits {
  const rooms = new Map<string, { readonly person: string; readonly since: number }>();
  /** Only of people who have something running: idle people cost nothing. */
  const running = new Map<string, number>();
  let ticket = 0;
  let keptMs = FIRST_GUESS_MS;
  const isFull = (person: string): boolean => (running.get(person) ?? 0) >= perPerson;
  const newLine = (): Line => createLine(() => ++ticket, isFull);
  const lines: Record<Credentials, Line> = { key: newLine(), token: newLine() };
  const both = [lines.key, lines.token];
  const owners = new Map<string, string>();

  const take = (id: string, person: string): void => {
    rooms.set(id, { person, since: now() });
    running.set(person, (running.get(person) ?? 0) + 1);
    if (isFull(person)) for (const line of both) line.hold(person);
  };
  const leave = (id: string): void => {
    const room = rooms.get(id);
    if (room === undefined) return;
    rooms.delete(id);
    keptMs += MEMORY * (now() - room.since - keptMs);
    const left = (running.get(room.person) ?? 1) - 1;
    if (left > 0) running.set(room.person, left);
    else running.delete(room.person);
    if (!isFull(room.person)) for (const line of both) line.free(room.person);
  };

  return {
    wait(id, person, credentials, first = false) {
      leave(id);
      owners.set(id, person);
      lines[credentials].add(id, person, first);
    },
    next(passable) {
      if (rooms.size >= inAll) return undefined;
      let chosen: Credentials | undefined;
      let earliest = Number.POSITIVE_INFINITY;
      for (const credentials of ['key', 'token'] as const) {
        const turn = lines[credentials].nextTurn();
        if (turn === undefined || turn >= earliest || !passable(credentials)) continue;
        chosen = credentials;
        earliest = turn;
      }
      if (chosen === undefined) return undefined;
      const id = lines[chosen].take();
      const person = id === undefined ? undefined : owners.get(id);
      if (id === undefined || person === undefined) return undefined;
      owners.delete(id);
      take(id, person);
      return { id, credentials: chosen };
    },
    resume(id, person) {
      if (!rooms.has(id)) take(id, person);
    },
    release(id) {
      owners.delete(id);
      for (const line of both) line.remove(id);
      leave(id);
    },
    place(id) {
      const standing = lines.key.find(id) ?? lines.token.find(id);
      if (standing === undefined) return undefined;
      const position = 1 + both.reduce((sum, line) => sum + line.before(standing), 0);
      const rounds = Math.max(position / inAll, (standing.depth + 1) / perPerson);
      return { position, waitMs: Math.ceil(rounds * Math.max(1_000, keptMs)) };
    },
    *waiting() {
      for (const line of both) yield* line.ids();
    },
    counts: () => ({ waiting: owners.size, running: rooms.size, people: running.size }),
  };
}
