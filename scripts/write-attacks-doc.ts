// Writes the table of docs/attacks.md from the tests that try the attacks. The text around it is written by hand. A test
// compares the two.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { withParts } from './state-diagrams.ts'

const file = new URL('../docs/attacks.md', import.meta.url)
const FOLDERS = ['apps/server/system', 'apps/agent/system']

interface Attack {
  readonly group: string
  readonly name: string
  /** Whether the test tries a table of variants. */
  readonly isTable: boolean
}

/** The document with the attacks of every `attacks-*.test.ts`. Throws if a marker is missing. */
export const attacksDocument = (current: string): string => withParts('docs/attacks.md', current, { attacks: tables })

/** Every test that tries an attack. */
export function attackTests(): readonly { readonly path: string; readonly attacks: readonly Attack[] }[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(new URL(`../${folder}`, import.meta.url))
      .filter((name) => /^attacks-(?!doc\.).*\.test\.ts$/.test(name))
      .toSorted()
      .map((name) => ({ path: `${folder}/${name}`, attacks: attacksIn(`${folder}/${name}`) })),
  )
}

function tables(): string {
  const files = attackTests()
  const count = files.reduce((sum, { attacks }) => sum + attacks.length, 0)
  const parts = files.map(({ path, attacks }) => {
    const name = /attacks-(.*)\.test\.ts$/.exec(path)?.[1] ?? path
    const rows = attacks.map(({ group, name: attack, isTable }) => {
      const text = [group, attack].filter((part) => part !== '').join(': ')
      return `- ${text.replaceAll('|', '\\|')}${isTable ? ' *(several)*' : ''}`
    })
    return [`### ${title(name)}`, '', `[${path}](../${path})`, '', ...rows].join('\n')
  })
  return [`${count} tests, those marked *(several)* with a table of variants.`, ...parts].join('\n\n')
}

const title = (name: string) =>
  /^(?:rpc|sso)$/.test(name)
    ? name.toUpperCase()
    : name.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase())

/** The tests of a file with the groups around them, from its syntax: nothing of it runs. */
function attacksIn(path: string): Attack[] {
  const text = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
  const attacks: Attack[] = []
  const groups: { readonly name: string; readonly end: number }[] = []
  new Visitor({
    CallExpression(call) {
      const { callee, arguments: given, start, end } = call
      const isTable = callee.type === 'CallExpression'
      const called = text.slice(isTable ? callee.callee.start : callee.start, isTable ? callee.callee.end : callee.end)
      const name = nameOf(given[0])
      if (name === undefined) return
      while ((groups.at(-1)?.end ?? end) < start) groups.pop()
      if (/^describe(\.each)?$/.test(called)) groups.push({ name, end })
      else if (/^test(\.(each|concurrent))?$/.test(called))
        attacks.push({ group: groups.map((group) => group.name).join(' '), name, isTable })
    },
  }).visit(parseSync(path, text).program)
  return attacks
}

/** The text of a literal; what a template or a table fills in becomes `…`. */
function nameOf(given: { readonly type: string } | undefined): string | undefined {
  const node = given as
    | { type: 'Literal'; value: unknown }
    | { type: 'TemplateLiteral'; quasis: readonly { value: { raw: string } }[] }
    | undefined
  const text =
    node?.type === 'Literal' && typeof node.value === 'string'
      ? node.value
      : node?.type === 'TemplateLiteral'
        ? node.quasis.map(({ value }) => value.raw).join('…')
        : undefined
  return text?.replaceAll(/%[sidjo]|\$\w+/g, '…')
}

if (import.meta.main) writeFileSync(file, attacksDocument(readFileSync(file, 'utf8')))
