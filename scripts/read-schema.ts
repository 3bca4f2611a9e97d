// Reads the declarations in database/schema.ts, for the database documentation and for the test that compares them
// with the migrated database. Types do not exist at run time, so this parses the text.
import { readFileSync } from 'node:fs'

export interface DeclaredColumn {
  /** The type as written in the source. */
  readonly type: string
  readonly comment: string | undefined
}

export type DeclaredTables = ReadonlyMap<string, ReadonlyMap<string, DeclaredColumn>>

const source = readFileSync(new URL('../apps/server/src/database/schema.ts', import.meta.url), 'utf8')

/** Names of types that are unions of string literals. */
export const TEXT_UNIONS: ReadonlySet<string> = new Set(
  [...source.matchAll(/^export type (\w+) =((?:\s*\|?\s*'[^']*')+)$/gm)].map(([, name]) => name!),
)

/** Tables and columns in declaration order. */
export function declaredTables(): DeclaredTables {
  const body = source.slice(source.indexOf('export interface Schema {'))
  return new Map(
    membersOf(body.slice(body.indexOf('{') + 1, body.lastIndexOf('}'))).map(({ name, type }) => [
      name,
      new Map(membersOf(type.slice(1, -1)).map((column) => [column.name, column])),
    ]),
  )
}

interface Member extends DeclaredColumn {
  readonly name: string
}

/** The members of an object type, given the text between its braces. */
function membersOf(text: string): Member[] {
  return splitMembers(text).map((member) => {
    const [, comment, name, type] = /^(?:\/\*\*([\s\S]*?)\*\/)?\s*(\w+): ([\s\S]*)$/.exec(member) ?? []
    if (name === undefined || type === undefined) throw new Error(`schema.ts: cannot read ${member}`)
    return { name, type: type.trim(), comment: comment?.replace(/\s*\n\s*\*\s*/g, ' ').trim() }
  })
}

/** A member ends at a semicolon or at the end of its line, outside brackets and comments. */
function splitMembers(text: string): string[] {
  const members: string[] = []
  let depth = 0
  let from = 0
  for (const { 0: token, index } of text.matchAll(/\/\*\*[\s\S]*?\*\/\s*|=>|[{}()<>[\];\n]/g)) {
    if ('{(<['.includes(token)) depth += 1
    else if ('})>]'.includes(token)) depth -= 1
    else if (depth === 0 && (token === ';' || token === '\n')) {
      members.push(text.slice(from, index))
      from = index + 1
    }
  }
  members.push(text.slice(from))
  return joinUnions(members.map((member) => member.trim()).filter((member) => member !== ''))
}

/** Joins a union that spans several lines into one member. */
function joinUnions(members: readonly string[]): string[] {
  const joined: string[] = []
  for (const member of members) {
    if (member.startsWith('|')) joined.push(`${joined.pop()} ${member}`)
    else joined.push(member)
  }
  return joined
}
