// Draws the parts and links of docs/threat-model.md and writes their tables. The text around them is written by hand. A
// test compares the two.
import { readFileSync, writeFileSync } from 'node:fs'
import { LINKS } from './threat-model/links.ts'
import { PARTS } from './threat-model/parts.ts'
import type { Threat } from './threat-model/threat.ts'

const file = new URL('../../docs/threat-model.md', import.meta.url)

/** The document with each generated part between its markers. Throws if a marker is missing. */
export function threatModelDocument(current: string): string {
  return Object.entries({ picture: picture(), trust: trust(), threats: threats() }).reduce((text, [name, part]) => {
    const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`]
    const [from, to] = [text.indexOf(begin), text.indexOf(end)]
    if (from < 0 || to < from) throw new Error(`docs/threat-model.md lacks the marks ${begin} ... ${end}`)
    return `${text.slice(0, from + begin.length)}\n\n${part}\n\n${text.slice(to)}`
  }, current)
}

function picture(): string {
  const zones = ['customer', 'operator', 'third party'] as const
  const boxes = zones.flatMap((zone, at) => [
    `  subgraph zone${at}["${zone}"]`,
    ...PARTS.filter((part) => part.zone === zone).map(({ id, name }) => `    ${id}["${name}"]`),
    '  end',
  ])
  const arrows = LINKS.map(([from, to, carries]) => `  ${from} -- "${carries}" --> ${to}`)
  return ['```mermaid', 'flowchart TB', ...boxes, ...arrows, '```'].join('\n')
}

function trust(): string {
  const rows = PARTS.map(({ name, trustedFor, notTrustedFor }) => `| ${name} | ${trustedFor} | ${notTrustedFor} |`)
  return ['| Part | Trusted for | Not trusted for |', '|---|---|---|', ...rows].join('\n')
}

const KINDS = {
  S: 'spoofing',
  T: 'tampering',
  R: 'repudiation',
  I: 'disclosure',
  D: 'denial',
  E: 'elevation',
} as const

function threats(): string {
  const row = ([kind, attempt, outcome, test]: Threat) =>
    `| ${KINDS[kind]} | ${test === undefined ? attempt : `[${attempt}](../${test})`} | ${outcome} |`
  return PARTS.map(({ name, threats: list }) =>
    [`### ${name}`, '', '| Kind | Attempt | What happens |', '|---|---|---|', ...list.map(row)].join('\n'),
  ).join('\n\n')
}

if (import.meta.main) writeFileSync(file, threatModelDocument(readFileSync(file, 'utf8')))
