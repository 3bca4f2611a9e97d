// Writes deploy/prometheus/alerts.yml from scripts/monitoring/alert-rules.ts. A test compares the two.
import { writeFileSync } from 'node:fs'
import { ALERT_RULES, type AlertRule, runbookOf } from './alert-rules.ts'

const file = new URL('../../deploy/prometheus/alerts.yml', import.meta.url)

/** The expected content of deploy/prometheus/alerts.yml. A JSON string is a YAML string. */
export function alertRules(): string {
  return `# Alert rules of Weir for Prometheus. scripts/monitoring/write-alert-rules.ts writes this file.
# runbook_url is a path in the repository of Weir. Prometheus renames the label job of a metric to exported_job.
groups:
  - name: weir
    rules:
${ALERT_RULES.map(ruleText).join('\n')}
`
}

function ruleText(rule: AlertRule): string {
  return [
    `      - alert: ${rule.alert}`,
    `        expr: ${JSON.stringify(rule.expr)}`,
    ...(rule.for === undefined ? [] : [`        for: ${rule.for}`]),
    `        labels:`,
    `          severity: ${rule.severity}`,
    `        annotations:`,
    `          summary: ${JSON.stringify(rule.summary)}`,
    `          runbook_url: ${runbookOf(rule)}`,
  ].join('\n')
}

if (import.meta.main) writeFileSync(file, alertRules())
