import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { describedMetrics, seriesOf } from '../../../../scripts/documents/described-metrics.ts'
import { ALERT_RULES, runbookOf } from '../../../../scripts/monitoring/alert-rules.ts'
import { findPromtool } from '../../../../scripts/monitoring/promtool.ts'
import { alertRules } from '../../../../scripts/monitoring/write-alert-rules.ts'
import { metricNamesIn, unknownLabelsIn } from '../../testing/source/read-promql.ts'

const repository = fileURLToPath(new URL('../../../..', import.meta.url))
const promtool = findPromtool()
if (promtool.path === undefined) process.stderr.write(`SKIPPED: the alert rules are not tried, ${promtool.reason}\n`)

const metrics = describedMetrics()

test('deploy/prometheus/alerts.yml has these rules', () => {
  expect(readFileSync(`${repository}/deploy/prometheus/alerts.yml`, 'utf8')).toBe(alertRules())
})

test.each(ALERT_RULES)('$alert reads metrics and labels that exist', ({ expr }) => {
  const names = metricNamesIn(expr)
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !metrics.flatMap(seriesOf).includes(name))).toEqual([])
  expect(unknownLabelsIn(expr, metrics)).toEqual([])
})

test('every alert has a runbook that answers the same questions, and every runbook an alert', () => {
  const files = readdirSync(`${repository}/docs/runbooks`).filter((name) => name !== 'README.md')
  expect(files.map((name) => `docs/runbooks/${name}`).toSorted()).toEqual(ALERT_RULES.map(runbookOf).toSorted())
  const index = readFileSync(`${repository}/docs/runbooks/README.md`, 'utf8')
  for (const rule of ALERT_RULES) {
    const text = readFileSync(`${repository}/${runbookOf(rule)}`, 'utf8')
    const [title, , meaning] = text.split('\n')
    expect(title).toBe(`# ${rule.alert}`)
    expect(meaning, rule.alert).toMatch(/^[^#]/)
    expect(text.match(/(?<=^## ).*/gm), rule.alert).toEqual(['What is at stake?', 'How do I check?', 'What do I do?'])
    expect(text, rule.alert).toMatch(/^\*\*Escalate\*\* (?:if|at|to) /m)
    const link = runbookOf(rule).replace('docs/runbooks/', '')
    expect(index).toContain(`| [${rule.alert}](${link}) | ${rule.severity} |`)
  }
})

test('every alert that a document names exists', () => {
  const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: repository })
  const named = documents.flatMap((document) =>
    [...readFileSync(`${repository}/${document}`, 'utf8').matchAll(/\bWeir[A-Z]\w+/g)].map(([name]) => ({
      document,
      name,
    })),
  )
  expect(named.length).toBeGreaterThan(2 * ALERT_RULES.length - 1)
  expect(named.filter(({ name }) => !ALERT_RULES.some(({ alert }) => alert === name))).toEqual([])
})

describe.skipIf(promtool.path === undefined)('promtool', () => {
  const run = (...args: string[]) => {
    const cwd = `${repository}/deploy/prometheus`
    const { status, stdout, stderr } = spawnSync(promtool.path!, args, { cwd, encoding: 'utf8' })
    return { status, output: stdout + stderr }
  }

  test('accepts the rules', () => {
    expect(run('check', 'rules', 'alerts.yml')).toMatchObject({ status: 0 })
  })

  test('fires each alert when it should, and not a step before', () => {
    expect(existsSync(`${repository}/deploy/prometheus/alerts-test.yml`)).toBe(true)
    expect(run('test', 'rules', 'alerts-test.yml')).toMatchObject({ status: 0 })
  })

  test('every alert is tried', () => {
    const text = readFileSync(`${repository}/deploy/prometheus/alerts-test.yml`, 'utf8')
    const tried = new Set(text.match(/(?<=alertname: )\w+/g))
    expect(ALERT_RULES.map(({ alert }) => alert).filter((alert) => !tried.has(alert))).toEqual([])
  })
})
