/**
 * Who is next. People take turns: each has a queue of their own, and whoever has had a turn goes to the end of the
 * ring. Ten jobs of one person therefore stand in front of nobody's first by more than one.
 *
 * Bottleneck does not fit here: its queues know priorities but no turns between keys, cannot tell a job's place,
 * and start empty after a restart.
 */
export interface Line {
  /** `first`: before the person's others, for a job that has had its turn and came back. */
  add(id: string, person: string, first?: boolean): void;
  remove(id: string): void;
  /** Takes out the next job of somebody who is not held. */
  take(): string | undefined;
  /** The turn of whoever is next, to compare with another line. */
  nextTurn(): number | undefined;
  /** A person who may not start more for now keeps their place but is passed over. */
  hold(person: string): void;
  free(person: string): void;
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
export function createLine(ticket: () => number, isHeld: (person: string) => boolean): Line {
  const people = new Map<string, Person>();
  const owners = new Map<string, Person>();
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
  const toTheEnd = (person: Person): void => {
    for (let depth = person.ids.length - 1; depth >= 0; depth -= 1) leave(person, depth);
    person.turn = ticket();
    for (let depth = 0; depth < person.ids.length; depth += 1) enter(person, depth);
    ring.delete(person.name);
    if (!person.held) ring.set(person.name, person);
  };
  const dropOne = (person: Person, id: string): void => {
    leave(person, person.ids.length - 1);
    person.ids.splice(person.ids.indexOf(id), 1);
    owners.delete(id);
    if (person.ids.length > 0) return;
    people.delete(person.name);
    ring.delete(person.name);
  };

  return {
    add(id, name, first = false) {
      if (owners.has(id)) return;
      let person = people.get(name);
      if (person === undefined) {
        person = { name, ids: [], turn: ticket(), held: isHeld(name) };
        people.set(name, person);
        if (!person.held) ring.set(name, person);
      }
      if (first) person.ids.unshift(id);
      else person.ids.push(id);
      owners.set(id, person);
      enter(person, person.ids.length - 1);
    },
    remove(id) {
      const person = owners.get(id);
      if (person !== undefined) dropOne(person, id);
    },
    take() {
      const [person] = ring.values();
      const id = person?.ids[0];
      if (person === undefined || id === undefined) return undefined;
      dropOne(person, id);
      if (person.ids.length > 0) toTheEnd(person);
      return id;
    },
    nextTurn() {
      const [person] = ring.values();
      return person?.turn;
    },
    hold(name) {
      const person = people.get(name);
      if (person === undefined) return;
      person.held = true;
      ring.delete(name);
    },
    free(name) {
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
