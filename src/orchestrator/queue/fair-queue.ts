/**
 * Who is next. People take turns: each has a queue of their own, and whoever has had a turn goes to the end of the
 * ring. Ten jobs of one person therefore stand in front of nobody's first by more than one.
 *
 * Bottleneck does not fit here: its queues know priorities but no turns between keys, cannot tell a job's place,
 * and start empty after a restart.
 */
export interface FairQueue {
  /**
   * `first`: before the person's others, for a job that has had its turn and rested. A number: it had that turn and
   * comes straight back, to where it stood.
   */
  add(id: string, person: string, where?: 'last' | 'first' | number): void;
  remove(id: string): void;
  /** Takes out the next job of somebody who is not held; with `rank`, the next of those that rank lowest. */
  take(rank?: (id: string) => number): { readonly id: string; readonly turn: number } | undefined;
  /** The turn of whoever is next, to compare with another line. */
  nextTurn(): number | undefined;
  /** A person who may not start more for now keeps their place but is passed over. */
  suspend(person: string): void;
  resume(person: string): void;
  find(id: string): Standing | undefined;
  /** How many jobs of this line go before one that stands there. */
  before(standing: Standing): number;
  readonly size: number;
  ids(): Iterable<string>;
}

export interface Standing {
  readonly turn: number;
  /** How many of the person's own jobs go before it. */
  readonly depth: number;
}

interface Person {
  readonly name: string;
  readonly ids: string[];
  turn: number;
  held: boolean;
}

/** `ticket` counts up; lines that share it can be compared. */
export function createFairQueue(ticket: () => number, isHeld: (person: string) => boolean): FairQueue {
  const people = new Map<string, Person>();
  const owners = new Map<string, Person>();
  /** The turns of those that came straight back. */
  const had = new Map<string, number>();
  /** In the order of their turns: a Map keeps the order in which keys were set. */
  const ring = new Map<string, Person>();
  /** For every depth the turns of all who have that many jobs in front and one more, ascending. */
  const depths: number[][] = [];

  const turnsAt = (depth: number): number[] => {
    const known = depths[depth];
    if (known !== undefined) return known;
    const fresh: number[] = [];
    depths[depth] = fresh;
    return fresh;
  };
  const enter = (person: Person, depth: number): void => {
    const turns = turnsAt(depth);
    turns.splice(countBelow(turns, person.turn), 0, person.turn);
  };
  const leave = (person: Person, depth: number): void => {
    const turns = turnsAt(depth);
    turns.splice(countBelow(turns, person.turn), 1);
    if (turns.length === 0 && depth === depths.length - 1) depths.pop();
  };
  const move = (person: Person, turn: number): void => {
    for (let depth = person.ids.length - 1; depth >= 0; depth -= 1) leave(person, depth);
    person.turn = turn;
    for (let depth = 0; depth < person.ids.length; depth += 1) enter(person, depth);
  };
  const toTheEnd = (person: Person): void => {
    move(person, ticket());
    ring.delete(person.name);
    if (!person.held) ring.set(person.name, person);
  };
  /** As if the turn had not been taken. Rare, so the ring is simply put in order again. */
  const giveBack = (person: Person, turn: number): void => {
    if (turn >= person.turn) return;
    move(person, turn);
    const inOrder = [...ring.values()].sort((a, b) => a.turn - b.turn);
    ring.clear();
    for (const one of inOrder) ring.set(one.name, one);
  };
  const placeFor = ({ ids }: Person, where: 'last' | 'first' | number): number => {
    if (where === 'last') return ids.length;
    if (where === 'first') return 0;
    const behind = ids.findIndex((id) => (had.get(id) ?? Number.POSITIVE_INFINITY) > where);
    return behind < 0 ? ids.length : behind;
  };
  const dropOne = (person: Person, id: string): void => {
    leave(person, person.ids.length - 1);
    person.ids.splice(person.ids.indexOf(id), 1);
    owners.delete(id);
    had.delete(id);
    if (person.ids.length > 0) return;
    people.delete(person.name);
    ring.delete(person.name);
  };

  return {
    add(id, name, where = 'last') {
      if (owners.has(id)) return;
      let person = people.get(name);
      if (person === undefined) {
        person = { name, ids: [], turn: ticket(), held: isHeld(name) };
        people.set(name, person);
        if (!person.held) ring.set(name, person);
      }
      person.ids.splice(placeFor(person, where), 0, id);
      owners.set(id, person);
      enter(person, person.ids.length - 1);
      if (typeof where !== 'number') return;
      had.set(id, where);
      giveBack(person, where);
    },
    remove(id) {
      const person = owners.get(id);
      if (person !== undefined) dropOne(person, id);
    },
    take(rank) {
      const person = rank === undefined ? ring.values().next().value : lowest(ring.values(), rank);
      const id = person?.ids[0];
      if (person === undefined || id === undefined) return undefined;
      const { turn } = person;
      dropOne(person, id);
      if (person.ids.length > 0) toTheEnd(person);
      return { id, turn };
    },
    nextTurn() {
      const [person] = ring.values();
      return person?.turn;
    },
    suspend(name) {
      const person = people.get(name);
      if (person === undefined) return;
      person.held = true;
      ring.delete(name);
    },
    resume(name) {
      const person = people.get(name);
      if (person === undefined || !person.held) return;
      person.held = false;
      toTheEnd(person);
    },
    find(id) {
      const person = owners.get(id);
      return person === undefined ? undefined : { turn: person.turn, depth: person.ids.indexOf(id) };
    },
    before({ turn, depth }) {
      let count = 0;
      for (let above = 0; above < depth; above += 1) count += depths[above]?.length ?? 0;
      return count + countBelow(depths[depth] ?? [], turn);
    },
    get size() {
      return owners.size;
    },
    ids: () => owners.keys(),
  };
}

/** The first of those whose next job ranks lowest. */
function lowest(people: Iterable<Person>, rank: (id: string) => number): Person | undefined {
  let best: Person | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const person of people) {
    const [id] = person.ids;
    const own = id === undefined ? Number.POSITIVE_INFINITY : rank(id);
    if (own >= least) continue;
    best = person;
    least = own;
  }
  return best;
}

/** How many of the ascending numbers are below `limit`. */
function countBelow(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
