import { pagesPlace } from '../pages-place.ts'
import type { Shell } from '../shell.ts'

/** `problem`: the service would not start, or not work. `warning`: it works, and an operator should know. */
export type Status = 'ok' | 'warning' | 'problem' | 'skipped'

export interface Finding {
  readonly status: Status
  /** What was checked and found, without any secret. */
  readonly message: string
  /** What to do about it. */
  readonly remedy?: string
}

export interface Section {
  readonly name: string
  readonly findings: readonly Finding[]
}

export const ok = (message: string): Finding => ({ status: 'ok', message })
export const skipped = (message: string): Finding => ({ status: 'skipped', message })
export const warning = (message: string, remedy: string): Finding => ({ status: 'warning', message, remedy })
export const problem = (message: string, remedy: string): Finding => ({ status: 'problem', message, remedy })

const MARKS = {
  ok: ['green', 'ok'],
  warning: ['yellow', 'warning'],
  problem: ['red', 'PROBLEM'],
  skipped: ['dim', 'skipped'],
} as const

/** The report as text: a line for each finding, and below it what to do. */
export function reportLines(
  sections: readonly Section[],
  { paint, columns }: Pick<Shell, 'paint' | 'columns'>,
): string[] {
  const width = Math.max(40, Math.min(columns ?? 100, 120))
  const lines: string[] = []
  for (const { name, findings } of sections) {
    if (findings.length === 0) continue
    lines.push(paint('bold', name))
    for (const { status, message, remedy } of findings) {
      const [color, word] = MARKS[status]
      const [first = '', ...more] = wrap(message, width - INDENT)
      lines.push(`  ${paint(color, word.padEnd(INDENT - 3))} ${first}`)
      for (const line of more) lines.push(`${' '.repeat(INDENT)}${line}`)
      for (const [at, line] of wrap(remedy ?? '', width - INDENT - 2).entries())
        lines.push(`${' '.repeat(INDENT)}${at === 0 ? '→ ' : '  '}${line}`)
    }
    lines.push('')
  }
  const place = pagesPlace(lines.join('\n')).flatMap((line) => [...wrap(line, width), ''])
  return [...lines, ...place, summaryOf(sections, paint)]
}

const INDENT = 11

function summaryOf(sections: readonly Section[], paint: Shell['paint']): string {
  const all = sections.flatMap(({ findings }) => findings)
  const count = (status: Status) => all.filter((finding) => finding.status === status).length
  const problems = count('problem')
  const warnings = count('warning')
  const rest = `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}, ${count('ok')} fine, ${count('skipped')} skipped`
  if (problems === 0) return paint('green', `No problems; ${rest}.`)
  return paint('red', `${problems} ${problems === 1 ? 'problem' : 'problems'}; ${rest}.`)
}

/** Lines of at most `width` characters, broken between words; none for an empty text. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').filter((part) => part !== '')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return line === '' ? lines : [...lines, line]
}
