import { describe, expect, it } from 'vitest';
import { createAllowanceOf } from '../../../../src/community/rules/allowance.ts';

const { of, ofCommunity } = createAllowanceOf(100, 1_000);
const rules = { blocked: [], bannedWords: [] };

const allowances = [
  { who: '1', credits: 5 },
  { who: 'role:7', credits: 300 },
  { who: 'role:8', credits: 20 },
  { who: 'role:9', credits: 5_000 },
  { who: 'role:10', credits: 3_000, byOwner: true as const },
];

describe('a person’s daily credits', () => {
  it.each([
    { what: 'their own, however few', person: '1', roles: ['7'], expected: { credits: 5, source: 'own' } },
    {
      what: 'the highest of their roles',
      person: '2',
      roles: ['8', '7', '6'],
      expected: { credits: 300, source: 'role' },
    },
    {
      what: 'a role’s, also when it is less than the community’s',
      person: '2',
      roles: ['8'],
      expected: { credits: 20, source: 'role' },
    },
    {
      what: 'no more than the maximum',
      person: '2',
      roles: ['7', '9'],
      expected: { credits: 1_000, source: 'role' },
    },
    {
      what: 'what an owner gave',
      person: '2',
      roles: ['9', '10'],
      expected: { credits: 3_000, source: 'role', byOwner: true },
    },
    {
      what: 'the community’s',
      person: '7',
      roles: ['1', 'role:7', ''],
      expected: { credits: 50, source: 'community' },
    },
  ])('a person’s daily credits are $what', ({ person, roles, expected }) => {
    expect(of({ ...rules, credits: 50, allowances }, person, roles)).toEqual(expected);
  });

  it('a person’s daily credits are the owner’s default where nothing was set', () => {
    expect(of(rules, '1')).toEqual({ credits: 100, source: 'default', byOwner: true });
  });

  it('the daily credits of a community are what moderators set up to the maximum, and what an owner set above it', () => {
    expect(ofCommunity({ ...rules, credits: 0 }).credits).toBe(0);
    expect(ofCommunity({ ...rules, credits: 2_000 }).credits).toBe(1_000);
    expect(ofCommunity({ ...rules, credits: 2_000, creditsByOwner: true }).credits).toBe(2_000);
  });

  it('an allowance of moderators is never above the daily credits that an owner set, and one of an owner can be', () => {
    const capped = { ...rules, allowances, credits: 10, creditsByOwner: true } as const;

    expect(of(capped, '1').credits).toBe(5);
    expect(of(capped, '2', ['8']).credits).toBe(10);
    expect(of(capped, '3', ['8', '10']).credits).toBe(3_000);
  });
});
