import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { addGauges, createMetrics } from '../../../src/app/monitoring/metrics.ts';
import { soleMember } from '../../fakes/sole-member.ts';
import { createDataFolder, startProgram } from '../program.ts';

const root = new URL('../../../', import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const panelShape = z.object({
  type: z.string(),
  title: z.string().min(1),
  datasource: z
    .object({ type: z.literal('prometheus'), uid: z.string().regex(/^\$\{datasource\}$/) })
    .optional(),
  targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).default([]),
});
const dashboardShape = z.object({
  panels: z.array(panelShape),
  templating: z.object({
    list: z.array(z.object({ name: z.string(), type: z.string(), query: z.string() })),
  }),
});
const duration = z.string().regex(/^(\d+(ms|[smhdwy]))+$/);
const ruleShape = z.strictObject({
  alert: z.string().regex(/^Darkroom[A-Z][A-Za-z]+$/),
  expr: z.string().min(1),
  for: duration,
  labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
  annotations: z.strictObject({ summary: z.string().min(10), description: z.string().min(20) }),
});
const rulesShape = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(ruleShape).min(1) })),
});

/** Labels that Prometheus itself adds. */
const SCRAPED = ['instance', 'job'];

const dashboard = dashboardShape.parse(JSON.parse(textOf('deploy/grafana.json')));
const rules = rulesShape
  .parse(parseYaml(textOf('deploy/alerts.yaml')))
  .groups.flatMap((group) => group.rules);
const targets = dashboard.panels.flatMap((panel) => panel.targets);

interface Exported {
  readonly type: string;
  readonly labels: readonly string[];
}

/** The series of each metric as Prometheus reads them: a histogram is three. */
function seriesOf(metrics: ReadonlyMap<string, Exported>): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...metrics].flatMap(([name, { type, labels }]): [string, readonly string[]][] =>
      type === 'histogram'
        ? [
            [`${name}_bucket`, [...labels, 'le']],
            [`${name}_sum`, labels],
            [`${name}_count`, labels],
          ]
        : [[name, labels]],
    ),
  );
}

/** All metrics with all their labels, also those that have no value yet. */
function declared(): ReadonlyMap<string, Exported> {
  const { registry } = createMetrics(soleMember);
  addGauges(registry, {
    stats: async () => ({ waiting: 0, running: 0 }),
    outages: () => ({ key: undefined, token: undefined }),
    damaged: () => 0,
    callsWaiting: () => 0,
    monthCredits: async () => 0,
    monthCeiling: 1,
    adapters: () => [],
    members: soleMember,
  });
  const shape = z.object({ name: z.string(), type: z.string(), labelNames: z.array(z.string()).default([]) });
  const all = registry.getMetricsAsArray().map((metric) => {
    const type = registry.getSingleMetric(metric.name)?.constructor.name.toLowerCase();
    return shape.parse({ ...metric, type });
  });
  return new Map(all.map(({ name, type, labelNames }) => [name, { type, labels: labelNames }]));
}

const known = declared();
const series = seriesOf(known);

describe('metrics', () => {
  const folder = createDataFolder();
  let text: string;
  beforeAll(async () => {
    const program = await startProgram(folder.path, { SERVICE_MONTHLY_CREDITS: '1000' });
    text = await (await fetch(`${program.url}/metrics`)).text();
    await program.stop();
  });
  afterAll(() => folder.remove());

  const exported = (): ReadonlyMap<string, string> =>
    new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));

  it('metrics of a program that was started are those that are declared, named by Prometheus’ conventions', () => {
    expect([...exported().keys()].toSorted()).toEqual([...known.keys()].toSorted());
    for (const [name, type] of exported()) {
      expect(known.get(name)?.type, name).toBe(type);
      expect(name, name).toMatch(/^(darkroom|nodejs|process)_[a-z0-9_]+$/);
      expect(name.endsWith('_total'), name).toBe(type === 'counter');
      expect(name, name).not.toMatch(
        /_(ms|milliseconds|minutes|hours|kb|mb|percent)(_|$)|(seconds|bytes).*(seconds|bytes)/,
      );
      // A time says its unit, once and at the end.
      if (/duration|lag|lateness|unseen|answer|submission/.test(name))
        expect(name, name).toMatch(/_seconds$/);
    }
    for (const [name, { labels }] of known)
      for (const label of labels)
        expect(label, name).not.toMatch(/communit|person|user|caller|chat|guild|channel|name/);
  });

  it('metrics are described in docs/operating.md, each with its type and labels, and no others', () => {
    const documented = [
      ...textOf('docs/operating.md').matchAll(
        /^\| `((?:darkroom|nodejs|process)_[^`]+)` \| (\w+)[^|]*\| ([^|]*)\|/gm,
      ),
    ].map(([, name = '', type = '', labels = '']) => [
      name,
      type,
      [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label).toSorted(),
    ]);
    const own = [...known].filter(([name]) => name.startsWith('darkroom_'));

    expect(documented.filter(([name]) => !String(name).endsWith('*')).toSorted()).toEqual(
      own.map(([name, { type, labels }]) => [name, type, labels.toSorted()]).toSorted(),
    );

    const families = documented.flatMap(([name]) =>
      String(name).endsWith('*') ? [String(name).slice(0, -1)] : [],
    );
    expect(families).toEqual(['nodejs_', 'process_']);
    for (const name of exported().keys())
      expect(name.startsWith('darkroom_') || families.some((family) => name.startsWith(family)), name).toBe(
        true,
      );
  });
});

const all = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);
const words = (list: string): readonly string[] => list.split(/,\s*/).filter((word) => word !== '');
/** Checks that an expression asks only for metrics and labels that exist, and for series of Darkroom alone. */
const checkAsked = (expr: string): readonly string[] => {
  const metrics = all(expr, /\b((?:darkroom|nodejs|process)_\w+)/g);
  const labelsOf = (metric: string): readonly string[] => {
    const labels = series.get(metric);
    if (labels === undefined) throw new Error(`there is no metric ${metric}`);
    return [...labels, ...SCRAPED];
  };
  const known = metrics.flatMap(labelsOf);
  expect(known.length, expr).toBeGreaterThan(0);
  for (const [, metric = '', matched = ''] of expr.matchAll(/(\w+)\{([^}]*)\}/g))
    for (const label of all(matched, /(\w+)\s*(?:=|!)/g)) expect(labelsOf(metric), metric).toContain(label);
  const grouped = all(expr, /\bby\s*\(([^)]*)\)/g).flatMap(words);
  for (const label of grouped) expect(known, expr).toContain(label);
  // Every program of a Prometheus may have such metrics.
  if (metrics.some((metric) => !metric.startsWith('darkroom_')))
    expect(expr).toMatch(/and on \(instance, job\) darkroom_\w+/);
  return /\bby\s*\(/.test(expr) ? grouped : known;
};
/** Labels that a text of an alert or a legend shows must be left in the result. */
const checkShown = (left: readonly string[], text: string): void => {
  for (const label of all(text, /\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g))
    if (label !== 'value') expect(left, text).toContain(label);
};

describe('the dashboard', () => {
  it('the dashboard has a variable for the data source, which every panel uses', () => {
    expect(dashboard.templating.list).toContainEqual(
      expect.objectContaining({ name: 'datasource', type: 'datasource', query: 'prometheus' }),
    );
    for (const { type, title, datasource, targets: asked } of dashboard.panels) {
      if (type === 'row') continue;
      expect(datasource, title).toBeDefined();
      expect(asked.length, title).toBeGreaterThan(0);
    }
  });

  it.each(targets)('a panel of the dashboard asks for what there is: $expr', ({ expr, legendFormat }) =>
    checkShown(checkAsked(expr), legendFormat),
  );
});

describe('the alerts', () => {
  it('alerts have names of their own', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  it.each(rules)('the alert $alert asks for what there is', ({ expr, annotations }) => {
    const left = checkAsked(expr);

    checkShown(left, annotations.summary);
    checkShown(left, annotations.description);
  });

  it('alerts name sections, settings and commands that exist', () => {
    const sections = [...textOf('docs/operating.md').matchAll(/^##+ (.+)$/gm)].map(([, title]) => title);
    for (const { annotations } of rules)
      for (const [, section] of annotations.description.matchAll(/see "(.+?)" in docs\/operating\.md/g))
        expect(sections).toContain(section);

    const settings = textOf('.env.example');
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(textOf('package.json')));

    for (const { annotations } of rules) {
      for (const [name] of annotations.description.matchAll(/\b[A-Z]+_[A-Z_]+\b/g))
        expect(settings).toContain(name);
      for (const [, script = ''] of annotations.description.matchAll(/npm run ([\w:]+)/g))
        expect(Object.keys(scripts)).toContain(script);
    }
  });
});
